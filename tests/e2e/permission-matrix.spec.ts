/**
 * The permission matrix: in each company of the demo every role and every account, every page of the menus, every button that needs a
 * right. What must be shown comes from the tables of roles and menus and from the calls' `access`; each button names its call in
 * `data-call` (docs/adding.md#list-page). So a new page, role or account is part of it without a line here. What the server answers is in
 * tests/server/permissions.test.ts and authorisation.test.ts.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { CHENGNAN, DEMO_PEOPLE, HUAAN } from "../../src/server/base/database/seed-people.ts";
import {
  CALL_PERMISSIONS,
  type GuardedCall,
} from "../../src/shared/protocol/rest/call-permissions.generated.ts";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import type { MenuEntry } from "../../src/shared/protocol/rest/entities.ts";
import type { RoleRow } from "../../src/shared/protocol/rest/roles.ts";
import { holdsPermission } from "../../src/ui/state/held.ts";
import { expect, test } from "../support/fixtures.ts";
import { leavesOf } from "../support/menus.ts";
import { type Ask, callerOf, records, type Reply } from "../support/rest-caller.ts";
import { addRows } from "../support/screen-rows.ts";

// Another environment means another server: here each person has one login, and no other test meets the changed roles.
test.use({ serverEnv: { TEST_SERVER: "permission matrix" } });

const PAGES = join(import.meta.dirname, "../../src/ui/pages");
const isGuarded = (call: string): call is GuardedCall => Object.hasOwn(CALL_PERMISSIONS, call);
const may = (call: GuardedCall, held: readonly string[]): boolean =>
  holdsPermission(CALL_PERMISSIONS[call], held);

/** The source of the page of a menu entry. */
function sourceOf(uri: string): string {
  const file = [`${uri}.fixed.tsx`, `${uri}.tsx`].find((name) => existsSync(join(PAGES, name)));
  return file === undefined ? "" : readFileSync(join(PAGES, file), "utf8");
}
/** The call of the page's list or tree, without which it shows nothing; null: the page has none. */
const listOf = (uri: string): string | null =>
  /^ +(?:<Allowed )?call="([\w.]+)"/m.exec(sourceOf(uri))?.[1] ?? null;
/** Whether the page offers something that needs a right. */
const offers = (uri: string): boolean =>
  [...sourceOf(uri).matchAll(/(?:call|create|edit): "([\w.]+)"|data-call="([\w.]+)"/g)].some(
    ([, declared, own]) => isGuarded(declared ?? own ?? ""),
  );

/** Pages that every company reads, and whose buttons the one that runs the platform has alone. */
const CHANGED_BY_PLATFORM = ["/monitor/alertRules"];

/** These are there without an entry, and say themselves what the person may not (docs/session.md#static-routes). */
const STATIC = ["/DataBatchImport/index", "/DataBatchImport2/index", "/ai"];

/** Every right of a role or of several: permissions, and the pages that entries lead to. */
interface Rights {
  readonly permissions: readonly string[];
  readonly uris: readonly string[];
}
interface Role extends Rights {
  readonly id: string;
  readonly code: string;
  readonly name: string;
}

const ALL = "*:*:*";
const together = (lists: readonly (readonly string[])[]): string[] =>
  [...new Set(lists.flat())].toSorted();
/** The rights of a person with these roles. */
const rightsOf = (roles: readonly Role[]): Rights => ({
  permissions: together(roles.map(({ permissions }) => permissions)),
  uris: together(roles.map(({ uris }) => uris)),
});

/** A company of the demo, changed by its administrator's REST calls. */
interface Company {
  readonly id: string;
  ask(
    call: { readonly method: string; readonly path: string },
    json?: object,
    query?: string,
  ): Promise<unknown>;
}
const answered = ({ status, data }: Reply): unknown => {
  if (status !== 200) throw new Error(`a call of the matrix was answered with ${status}`);
  return data;
};
const companyOf = (id: string, ask: Ask): Company => ({
  id,
  ask: async ({ method, path }, json, query = "") =>
    answered(await ask(method, path + query, json, id)),
});

/** Every role of the company, with its rights and the pages that its entries lead to. */
async function rolesOf({ ask }: Company): Promise<Role[]> {
  const tree = (await ask(restCalls.menuTree)) as MenuEntry[];
  const rows = records<RoleRow>({ status: 200, data: await ask(restCalls.roleList) });
  const roles: Role[] = [];
  for (const { id, code, name, permissions } of rows) {
    const pairs = (await ask(restCalls.roleMenus, undefined, `?roleId=${id}`)) as {
      menuId: string;
    }[];
    const menuIds = new Set(pairs.map(({ menuId }) => menuId));
    const uris = leavesOf(tree).flatMap((entry) => (menuIds.has(entry.id) ? [entry.uri] : []));
    roles.push({ id, code, name, permissions: permissions.toSorted(), uris: uris.toSorted() });
  }
  return roles;
}

/** Roles that the company makes: each has every entry, and of the permissions those that its name says. */
const MADE: Readonly<Record<string, (permission: string) => boolean>> = {
  只读: (permission) => /:(list|query)$/.test(permission),
  只改: (permission) => !/:(list|query)$/.test(permission),
  仅菜单: () => false,
};
async function makeRoles({ ask }: Company): Promise<void> {
  const idsOf = (entries: readonly MenuEntry[]): string[] =>
    entries.flatMap(({ id, childMenu }) => [id, ...idsOf(childMenu)]);
  const menuIds = idsOf((await ask(restCalls.menuTree)) as MenuEntry[]);
  const names = (await ask(restCalls.rolePermissions)) as { name: string }[];
  for (const [name, holds] of Object.entries(MADE)) {
    const { id, version } = (await ask(restCalls.roleCreate, { name })) as RoleRow;
    const permissions = names.map((one) => one.name).filter(holds);
    await ask(restCalls.roleUpdate, { id, version, permissions, menuIds });
  }
}

/** The entries that the browser shows to the person: the shortcuts of the first page hold all of them. */
const shownEntries = (page: Page): Promise<string[]> =>
  page
    .locator(".entries a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? "").toSorted());

const permissionsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    // the page may still be starting
    "consoleCore" in globalThis
      ? [...globalThis.consoleCore.state.session.permissions].toSorted()
      : ["not known yet"],
  );

/** Follows a link to the page: a new start of the console for each page of each role would take minutes. */
const follow = (page: Page, uri: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState({}, "", to);
    dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  }, uri);

/** Opens a page, chooses a row where rows can be chosen, and reads which calls its buttons name. */
async function shownCalls(page: Page, uri: string) {
  await follow(page, uri);
  const area = page.locator(`[data-page="${uri}"]`);
  const said = area.getByRole("heading").or(area.getByRole("button")).or(area.locator("strong"));
  await expect(said.first()).toBeVisible();
  const list = area.locator(".list-page");
  const rows = list.locator("[role=row][data-index], [role=row][aria-level]");
  const settled = rows.first().or(area.getByText("暂无数据")).or(area.locator(".taken"));
  if ((await list.count()) > 0) await expect(settled.first()).toBeVisible();
  const mark = list.locator("[role=row][data-index] label").first();
  if ((await mark.count()) > 0) await mark.click();
  const read = (): Promise<string[]> =>
    area
      .locator("[data-call]")
      .evaluateAll((buttons) =>
        [...new Set(buttons.map((button) => button.getAttribute("data-call") ?? ""))].toSorted(),
      );
  return { read, filled: (await list.count()) === 0 || (await rows.count()) > 0 };
}

/** Reads until the same is read several times: parts of a page come a moment after its rows. */
async function steady(read: () => Promise<string[]>): Promise<string[]> {
  let last: string[] = [];
  let same = 0;
  const again = async (): Promise<number> => {
    const now = await read();
    same = now.join() === last.join() ? same + 1 : 0;
    last = now;
    return same;
  };
  await expect.poll(again, { intervals: [100] }).toBeGreaterThanOrEqual(3);
  return last;
}

/** Starts the console with the rights, and waits until the console knows them. */
async function beginWith(page: Page, who: string, { permissions, uris }: Rights): Promise<void> {
  await page.goto("/dashboard");
  await expect.poll(() => permissionsOf(page), who).toEqual(permissions);
  await expect.poll(() => shownEntries(page), who).toEqual(uris);
}

/** The buttons of each page for a person with all rights. */
type Offered = ReadonlyMap<string, readonly string[]>;

async function offeredTo(
  page: Page,
  who: string,
  rights: Rights,
  runsPlatform: boolean,
): Promise<Offered> {
  await beginWith(page, who, rights);
  const offered = new Map<string, readonly string[]>();
  for (const uri of rights.uris) {
    const { read, filled } = await shownCalls(page, uri);
    if (offers(uri) && filled && (runsPlatform || !CHANGED_BY_PLATFORM.includes(uri))) {
      await expect.poll(async () => (await read()).length, uri).toBeGreaterThan(0);
    }
    offered.set(uri, await steady(read));
  }
  return offered;
}

/** Whether the person's menus have the page and its list is shown; of what is refused there are no buttons. */
const isShown = (uri: string, { uris, permissions }: Rights): boolean => {
  const list = listOf(uri);
  return uris.includes(uri) && (list === null || !isGuarded(list) || may(list, permissions));
};
const allows = (uri: string, call: string, rights: Rights): boolean =>
  isShown(uri, rights) && isGuarded(call) && may(call, rights.permissions);

/** Compares every page and every button that somebody sees with what their rights say. */
async function compare(page: Page, who: string, rights: Rights, offered: Offered): Promise<void> {
  await beginWith(page, who, rights);
  for (const uri of rights.uris) {
    const { read } = await shownCalls(page, uri);
    const allowed = (offered.get(uri) ?? []).filter((call) => allows(uri, call, rights));
    await expect.poll(read, `${who} ${uri}`).toEqual(allowed);
    const refused = page.locator(`[data-page="${uri}"] .taken`);
    await expect(refused, `${who} ${uri}`).toHaveCount(isShown(uri, rights) ? 0 : 1);
  }
  // A page without an entry does not open by its address.
  const closed = [...offered.keys()].filter(
    (uri) => !rights.uris.includes(uri) && !STATIC.includes(uri),
  );
  for (const uri of closed) {
    await follow(page, uri);
    await expect(page, `${who} ${uri}`).toHaveURL(/\/(404|401|403)/);
  }
}

/** Switches to the other company by the button of the header. */
async function switchCompany(page: Page, company: string): Promise<void> {
  await page
    .getByRole("button", { name: /^切换 / })
    .first()
    .click();
  // The switch starts the page again.
  const started = page.waitForEvent("load");
  await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await started;
  const current = () =>
    page.evaluate(() =>
      "consoleCore" in globalThis ? globalThis.consoleCore.state.session.supplierId : null,
    );
  await expect.poll(current).toBe(company);
}

const COMPANIES: readonly (readonly [id: string, name: string])[] = [
  ["1", HUAAN],
  ["2", CHENGNAN],
];

for (const [id, name] of COMPANIES) {
  test(`In ${name} every account and every role, alone and together, sees the entries of its menus and exactly the buttons of its rights on every page`, async ({
    people,
    server,
  }) => {
    // each page of each role is opened
    test.setTimeout(900_000);
    await addRows(server.url, id);
    const company = companyOf(id, await callerOf(server.url, "admin"));
    await makeRoles(company);
    const roles = await rolesOf(company);
    const called = (...names: readonly string[]): Role[] =>
      roles.filter((role) => names.includes(role.name) || names.includes(role.code));
    const admin = rightsOf(called("admin"));
    expect(admin.permissions).toEqual([ALL]);
    const pages = new Map<string, Page>();
    const pageOf = async (username: string): Promise<Page> => {
      const page = (await people.loggedIn(username, { path: "/dashboard" })).pages[0]!;
      const jobs = DEMO_PEOPLE.find((one) => one.username === username)?.jobs ?? [];
      if (jobs[0]?.company !== name) await switchCompany(page, id);
      pages.set(username, page);
      return page;
    };

    // The accounts of the demo, the administrator first: what is offered to who may do everything is compared with the others.
    const staff = DEMO_PEOPLE.flatMap(({ username, jobs }) =>
      jobs.flatMap(({ company: employer, role }) =>
        employer === name ? [{ username, held: role === null ? [] : called(role) }] : [],
      ),
    );
    const [first, ...others] = staff;
    expect(first?.held).toEqual(called("admin"));
    const offered = await offeredTo(await pageOf("admin"), "admin", admin, id === "1");
    for (const { username, held } of others) {
      await compare(await pageOf(username), username, rightsOf(held), offered);
    }

    // One of them gets each further role, and several at once.
    const page = pages.get("zhangwei")!;
    const person = await callerOf(server.url, "zhangwei");
    const { id: accountId } = answered(
      await person("GET", restCalls.account.path, undefined, id),
    ) as { id: string };
    let now = called("staff");
    const become = async (wanted: readonly Role[]): Promise<void> => {
      for (const role of wanted.filter((one) => !now.includes(one))) {
        await company.ask(restCalls.roleAssign, { roleId: role.id, accountIds: [accountId] });
      }
      for (const role of now.filter((one) => !wanted.includes(one))) {
        await company.ask(restCalls.roleTake, { roleId: role.id, accountIds: [accountId] });
      }
      now = [...wanted];
    };
    const compared: Rights[] = [admin, ...others.map(({ held }) => rightsOf(held))];
    for (const names of [
      ["ops"],
      ["只读"],
      ["只改"],
      ["仅菜单"],
      ["staff", "ops"],
      ["只读", "只改"],
    ]) {
      const wanted = called(...names);
      expect(wanted).toHaveLength(names.length);
      // an account of the demo was compared with this role
      if (
        others.some(({ held }) => held.length === 1 && wanted.every((one) => held.includes(one)))
      ) {
        continue;
      }
      await become(wanted);
      await compare(page, names.join("+"), rightsOf(wanted), offered);
      compared.push(rightsOf(wanted));
    }
    // Every role of the company was there.
    expect(
      roles.filter(
        ({ code, name: title }) =>
          !["admin", "staff", "ops"].includes(code) && MADE[title] === undefined,
      ),
    ).toEqual([]);
    // Every button was both shown and left out.
    const actions = [...offered].flatMap(([uri, calls]) => calls.map((call) => ({ uri, call })));
    expect(actions.filter(({ call }) => !isGuarded(call))).toEqual([]);
    const alike = actions.filter(
      ({ uri, call }) => new Set(compared.map((rights) => allows(uri, call, rights))).size < 2,
    );
    expect(alike).toEqual([]);
    expect(actions.length).toBeGreaterThan(25);

    // Without a role there is nothing, and of the roles of one company nothing in the other.
    await become([]);
    await beginWith(page, "nobody", rightsOf([]));
    await follow(page, "/system/role");
    await expect(page).toHaveURL(/\/(404|401|403)/);
    await become(called("只读", "只改"));
    await beginWith(page, "zhangwei", rightsOf(now));
    const [elsewhere] = COMPANIES.filter(([one]) => one !== id);
    const other = companyOf(elsewhere![0], await callerOf(server.url, "admin"));
    const there = (await rolesOf(other)).filter(({ code }) => code === "staff");
    await switchCompany(page, other.id);
    await beginWith(page, "zhangwei elsewhere", rightsOf(there));
    await follow(page, "/supplier/employees");
    await expect(page).toHaveURL(/\/(404|401|403)/);
    await become(called("staff"));
  });
}
