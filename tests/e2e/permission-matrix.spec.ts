/**
 * The permission matrix: in each company of the demo every role and every account, every page of the menus, every button that needs a
 * right. What must be shown comes from the tables of roles and menus and from the calls' `access`; each button names its call in
 * `data-call` (docs/adding.md#list-page). So a new page, role or account is part of it without a line here. What the server answers is in
 * tests/server/permissions.test.ts and authorisation.test.ts.
 */
import type { Page } from "@playwright/test";
import { CHENGNAN, DEMO_PEOPLE, HUAAN } from "../../src/server/base/database/seed-people.ts";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import {
  ALL,
  answered,
  companyOf,
  MADE,
  makeRoles,
  type Rights,
  rightsOf,
  type Role,
  rolesOf,
} from "../support/company-roles.ts";
import { expect, test } from "../support/fixtures.ts";
import { callerOf } from "../support/rest-caller.ts";
import { addRows } from "../support/screen-rows.ts";
import {
  allows,
  beginWith,
  compare,
  follow,
  isGuarded,
  offeredTo,
  switchCompany,
} from "../support/shown-buttons.ts";

// Another environment means another server: here each person has one login, and no other test meets the changed roles.
test.use({ serverEnv: { TEST_SERVER: "permission matrix" } });

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
