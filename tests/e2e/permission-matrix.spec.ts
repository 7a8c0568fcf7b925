/**
 * The permission matrix: what each role sees is computed from the tables of menus and roles and compared with what the browser
 * shows. What the server answers is in tests/server/permissions.test.ts and authorisation.test.ts.
 */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { PATIENCE } from "../support/time-limits.ts";

// Another environment means another server: here each person has one login, and no other test meets the changed roles.
test.use({ serverEnv: { TEST_SERVER: "permission matrix" } });

/** Buttons of the screens with the permission that each needs. */
const SCREENS: readonly (readonly [
  path: string,
  buttons: readonly (readonly [string, string])[],
])[] = [
  [
    "/supplier/employees",
    [
      ["新增", "supplier:employee:edit"],
      ["邀请员工", "supplier:employee:edit"],
      ["批量导入员工", "supplier:employee:edit"],
      ["编辑 李娜", "supplier:employee:edit"],
      ["离职 李娜", "supplier:employee:edit"],
    ],
  ],
  [
    "/system/role",
    [
      ["新增", "system:role:edit"],
      ["权限 员工", "system:role:edit"],
      ["删除 员工", "system:role:edit"],
    ],
  ],
  ["/system/dept", [["新增", "system:dept:edit"]]],
  ["/system/dict", [["新增", "system:dict:edit"]]],
  ["/employeeSetfield", [["新增", "system:field:edit"]]],
  ["/system/documents", [["新增", "system:document:edit"]]],
  ["/system/company", [["编辑", "system:company:edit"]]],
  [
    "/system/config",
    [
      ["新增", "system:config:edit"],
      ["刷新缓存", "system:config:edit"],
      ["编辑 值班电话", "system:config:edit"],
    ],
  ],
  ["/monitor/online", [["强退 李娜", "monitor:online:forceLogout"]]],
];

/** The entries that the browser shows to the person: the shortcuts of the first page hold all of them. */
const shownEntries = (page: Page): Promise<string[]> =>
  page
    .locator(".entries a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? "").toSorted());

const permissionsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...globalThis.consoleCore.state.session.permissions]);

test("Each role sees the menus and buttons of its rights alone, and in another company nothing by them", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/dashboard" });
  const page = admin.pages[0]!;
  // A role that reads everything and changes nothing, and the table of what each role may see.
  const table = await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    type Entry = Awaited<ReturnType<typeof readTree>>[number];
    const readTree = () => rest.call({ call: "menus.tree" });
    const tree = await readTree();
    const every = (entries: readonly Entry[]): Entry[] =>
      entries.flatMap((entry) => [entry, ...every(entry.childMenu)]);
    const names = await rest.call({ call: "roles.permissions" });
    const reading = names.map(({ name }) => name).filter((name) => /:(list|query)$/.test(name));
    const made = await rest.call({ call: "roles.create", body: { name: "只读" } });
    await rest.call({
      call: "roles.update",
      body: { id: made.id, version: made.version, permissions: reading },
    });
    await rest.call({
      call: "menus.saveRoleMenus",
      query: { roleId: made.id },
      body: every(tree).map(({ id }) => ({ menuId: id })),
    });
    const { records } = await rest.call({ call: "roles.list" });
    const staff = records.find(({ code }) => code === "staff")!;
    const held = await rest.call({
      call: "roles.people",
      query: { roleId: staff.id, assigned: "true", keyword: "张伟" },
    });
    const accountIds = held.records.map(({ accountId }) => accountId);
    await rest.call({ call: "roles.assign", body: { roleId: made.id, accountIds } });
    const rows: Record<string, string[]> = {};
    for (const { id, code, name } of records) {
      const pairs = await rest.call({ call: "menus.roleMenus", query: { roleId: id } });
      const granted = new Set(pairs.map(({ menuId }) => menuId));
      const leaves = (entries: readonly Entry[]): string[] =>
        entries.flatMap((entry) => {
          if (!granted.has(entry.id) || entry.hidden) return [];
          return entry.childMenu.length === 0 ? [entry.uri] : leaves(entry.childMenu);
        });
      rows[name === "只读" ? "reader" : code] = leaves(tree).toSorted();
    }
    return { rows, reading: reading.toSorted() };
  });
  const { rows, reading } = table;
  expect(rows["reader"]?.length).toBeGreaterThan((rows["ops"]?.length ?? 0) + 5);

  const opened = {
    admin: page,
    reader: (await people.loggedIn("zhangwei", { path: "/dashboard" })).pages[0]!,
    ops: (await people.loggedIn("ops", { path: "/dashboard" })).pages[0]!,
    staff: (await people.loggedIn("lina", { path: "/dashboard" })).pages[0]!,
  };
  for (const [role, their] of Object.entries(opened)) {
    await expect.poll(() => shownEntries(their), role).toEqual(rows[role]);
  }
  await expect.poll(() => permissionsOf(opened.admin)).toEqual(["*:*:*"]);
  await expect.poll(async () => (await permissionsOf(opened.reader)).toSorted()).toEqual(reading);
  await expect.poll(() => permissionsOf(opened.staff)).toEqual([]);

  for (const [role, their] of [
    ["admin", opened.admin],
    ["reader", opened.reader],
  ] as const) {
    for (const [path, buttons] of SCREENS) {
      expect(rows[role]).toContain(path);
      await their.goto(path);
      const shown = their.locator(`[data-page="${path}"]`);
      await expect(
        shown.getByText(/李娜|员工|综合管理部|gender|值班电话|华安物业|入职登记表/).first(),
      ).toBeVisible();
      for (const [name, permission] of buttons) {
        const may = role === "admin" || reading.includes(permission);
        const found = shown.getByRole("button", { name, exact: true });
        await expect(found, `${role} ${path} ${name}`).toHaveCount(may ? 1 : 0);
      }
    }
  }
  // Who is staff does not open a screen by its address.
  await opened.staff.goto("/system/role");
  await expect(opened.staff).toHaveURL(/\/(404|401|403)/);

  // In the other company the reader is staff.
  await opened.reader.goto("/dashboard");
  await opened.reader
    .getByRole("button", { name: /^切换 / })
    .first()
    .click();
  // The switch starts the page again; the menus may change before it does.
  const started = opened.reader.waitForEvent("load");
  await opened.reader.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await started;
  await expect(async () => {
    expect(await shownEntries(opened.reader)).toEqual(rows["staff"]);
  }).toPass({ timeout: PATIENCE });
  await expect.poll(() => permissionsOf(opened.reader)).toEqual([]);
  await opened.reader.goto("/supplier/employees");
  await expect(opened.reader).toHaveURL(/\/(404|401|403)/);
});
