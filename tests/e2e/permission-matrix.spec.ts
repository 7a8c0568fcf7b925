/**
 * The permission matrix: every role, every page of the menus, every button that needs a right. What must be shown comes from the tables of
 * roles and menus and from the calls' `access`; each button names its call in `data-call` (docs/adding.md#list-page). So a new page is
 * part of it without a line here. What the server answers is in tests/server/permissions.test.ts and authorisation.test.ts.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import {
  CALL_PERMISSIONS,
  type GuardedCall,
} from "../../src/shared/protocol/rest/call-permissions.generated.ts";
import { holdsPermission } from "../../src/ui/state/held.ts";
import { expect, test } from "../support/fixtures.ts";
import { leavesOf } from "../support/menus.ts";
import { PATIENCE } from "../support/time-limits.ts";

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
/** The call of the page's list; null: the page is no list. */
const listOf = (uri: string): string | null =>
  /^ +call="([\w.]+)"$/m.exec(sourceOf(uri))?.[1] ?? null;
/** Whether the page offers something that needs a right. */
const offers = (uri: string): boolean =>
  [...sourceOf(uri).matchAll(/(?:call|create|edit): "([\w.]+)"|data-call="([\w.]+)"/g)].some(
    ([, declared, own]) => isGuarded(declared ?? own ?? ""),
  );

/** These are there without an entry, and say themselves what the person may not (docs/session.md#static-routes). */
const STATIC = ["/DataBatchImport/index", "/DataBatchImport2/index", "/ai"];

interface Role {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly uris: readonly string[];
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

/** Every role of the administrator's company, with its rights and the pages that its entries lead to. */
async function rolesOf(admin: Page): Promise<Role[]> {
  const { tree, roles } = await admin.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const { records } = await rest.call({ call: "roles.list" });
    const granted = records.map(async ({ id, name, permissions }) => {
      const pairs = await rest.call({ call: "menus.roleMenus", query: { roleId: id } });
      return { id, name, permissions, menuIds: pairs.map(({ menuId }) => menuId) };
    });
    return { tree: await rest.call({ call: "menus.tree" }), roles: await Promise.all(granted) };
  });
  return roles.map(({ menuIds, ...role }) => ({
    ...role,
    permissions: role.permissions.toSorted(),
    uris: leavesOf(tree)
      .filter(({ id }) => menuIds.includes(id))
      .map(({ uri }) => uri)
      .toSorted(),
  }));
}

/** Makes a role that reads everything and changes nothing. */
const addReader = (admin: Page): Promise<void> =>
  admin.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const tree = await rest.call({ call: "menus.tree" });
    const idsOf = (entries: typeof tree): string[] =>
      entries.flatMap(({ id, childMenu }) => [id, ...idsOf(childMenu)]);
    const names = await rest.call({ call: "roles.permissions" });
    const permissions = names.map(({ name }) => name).filter((name) => /:(list|query)$/.test(name));
    const { id, version } = await rest.call({ call: "roles.create", body: { name: "只读" } });
    await rest.call({ call: "roles.update", body: { id, version, permissions } });
    const body = idsOf(tree).map((menuId) => ({ menuId }));
    await rest.call({ call: "menus.saveRoleMenus", query: { roleId: id }, body });
  });

/** Gives 张伟 this role alone. @param wanted null: none */
const become = (admin: Page, roles: readonly Role[], wanted: Role | null): Promise<void> =>
  admin.evaluate(
    async ([ids, own]) => {
      const { rest } = globalThis.consoleCore.commands;
      const holders = async (roleId: string, assigned: "true" | "false"): Promise<string[]> => {
        const query = { roleId, assigned, keyword: "张伟" };
        const { records } = await rest.call({ call: "roles.people", query });
        return records.filter(({ name }) => name === "张伟").map(({ accountId }) => accountId);
      };
      const missing = own === null ? [] : await holders(own, "false");
      if (own !== null && missing.length > 0) {
        await rest.call({ call: "roles.assign", body: { roleId: own, accountIds: missing } });
      }
      for (const roleId of ids.filter((id) => id !== own)) {
        const accountIds = await holders(roleId, "true");
        if (accountIds.length > 0) {
          await rest.call({ call: "roles.take", body: { roleId, accountIds } });
        }
      }
    },
    [roles.map(({ id }) => id), wanted?.id ?? null] as const,
  );

/** Opens a page, chooses a row where rows can be chosen, and reads which calls its buttons name. */
async function shownCalls(page: Page, uri: string) {
  await page.goto(uri);
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

test("Every role sees the entries of its menus and exactly the buttons of its rights on every page, and in another company nothing by them", async ({
  people,
}) => {
  // each page of each role is opened
  test.setTimeout(900_000);
  const admin = (await people.loggedIn("admin", { path: "/dashboard" })).pages[0]!;
  await addReader(admin);
  // a second person is logged in, so that 在线用户 has a row with buttons
  await people.loggedIn("lina", { path: "/dashboard" });
  const page = (await people.loggedIn("zhangwei", { path: "/dashboard" })).pages[0]!;
  const roles = await rolesOf(admin);
  const [all] = roles.filter(({ permissions }) => permissions.includes("*:*:*"));
  if (all === undefined) throw new Error("no role holds everything");
  expect(roles.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["员工", "运维人员", "只读"]),
  );
  /** What each page offers to the role that may do everything. */
  const offered = new Map<string, readonly string[]>();
  for (const role of [all, ...roles.filter((one) => one !== all)]) {
    await become(admin, roles, role);
    await page.goto("/dashboard");
    await expect.poll(() => permissionsOf(page), role.name).toEqual(role.permissions);
    await expect.poll(() => shownEntries(page), role.name).toEqual(role.uris);
    for (const uri of role.uris) {
      const { read, filled } = await shownCalls(page, uri);
      const list = listOf(uri);
      if (role === all) {
        if (offers(uri) && filled) {
          await expect.poll(async () => (await read()).length, uri).toBeGreaterThan(0);
        }
        offered.set(uri, await read());
        continue;
      }
      const denied = list !== null && isGuarded(list) && !may(list, role.permissions);
      const allowed = (offered.get(uri) ?? []).filter(
        (call) => !denied && isGuarded(call) && may(call, role.permissions),
      );
      await expect.poll(read, `${role.name} ${uri}`).toEqual(allowed);
      await expect(page.locator(`[data-page="${uri}"] .taken`)).toHaveCount(denied ? 1 : 0);
    }
    // A page without an entry does not open by its address.
    const closed = all.uris.filter((uri) => !role.uris.includes(uri) && !STATIC.includes(uri));
    for (const uri of closed.slice(0, 3)) {
      await page.goto(uri);
      await expect(page, `${role.name} ${uri}`).toHaveURL(/\/(404|401|403)/);
    }
  }
  const calls = [...offered.values()].flat();
  expect(calls.length).toBeGreaterThan(25);
  expect(calls.filter((call) => !isGuarded(call))).toEqual([]);

  // Without a role there is nothing.
  await become(admin, roles, null);
  await page.goto("/dashboard");
  await expect.poll(() => permissionsOf(page)).toEqual([]);
  await expect.poll(() => shownEntries(page)).toEqual([]);
  await page.goto("/system/role");
  await expect(page).toHaveURL(/\/(404|401|403)/);

  // In the other company the reader is staff.
  const reader = roles.find(({ name }) => name === "只读")!;
  await become(admin, roles, reader);
  await page.goto("/dashboard");
  await expect.poll(() => shownEntries(page)).toEqual(reader.uris);
  await page
    .getByRole("button", { name: /^切换 / })
    .first()
    .click();
  // The switch starts the page again; the menus may change before it does.
  const started = page.waitForEvent("load");
  await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await started;
  const staff = roles.find(({ name }) => name === "员工")!;
  await expect(async () => {
    expect(await shownEntries(page)).toEqual(staff.uris);
  }).toPass({ timeout: PATIENCE });
  await expect.poll(() => permissionsOf(page)).toEqual([]);
  await page.goto("/supplier/employees");
  await expect(page).toHaveURL(/\/(404|401|403)/);
});
