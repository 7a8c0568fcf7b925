/** Roles as administrators keep them, and what the people of a role see at once (docs/server.md#roles). */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

// Another environment means another server: one where nobody has called, or imported thousands of employees.
test.use({ serverEnv: { TEST_SERVER: "few rows" } });

test("A role is made by keyboard, gets a menu and a person, and the person's open console shows the menu", async ({
  people,
}) => {
  people.expectComplaints(/40[39]/);
  const admin = await people.loggedIn("admin", { path: "/system/role" });
  const lina = await people.loggedIn("lina", { path: "/dashboard" });
  const page = admin.pages[0]!;
  const theirs = lina.pages[0]!;
  const menus = theirs.getByRole("navigation", { name: "主菜单" });
  await expect(menus.getByRole("link", { name: "人员与消息" })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "企业管理员" })).toBeVisible();
  await shoot(page, "roles");

  // By keyboard: the role, and a menu below a container.
  const create = page.getByRole("button", { name: "新增" });
  await tabTo(page, create);
  await page.keyboard.press("Enter");
  const form = page.getByRole("dialog", { name: "新增角色" });
  await expect(form.getByLabel("角色名称")).toBeFocused();
  // The dialog is moved by its title, and stays in the window.
  const title = form.getByRole("heading", { name: "新增角色" });
  await title.focus();
  for (let n = 0; n < 40; n += 1) await page.keyboard.press("Shift+ArrowRight");
  await expect(form).toBeInViewport({ ratio: 1 });
  await title.hover();
  await page.mouse.down();
  await page.mouse.move(0, 0);
  await page.mouse.up();
  await expect(form).toBeInViewport({ ratio: 1 });
  await expect.poll(async () => (await form.boundingBox())?.x).toBe(0);
  await form.getByLabel("角色名称").focus();
  await page.keyboard.type("值班监控");
  await page.keyboard.press("Enter");
  const row = page.getByRole("row").filter({ hasText: "值班监控" });
  await expect(row).toContainText("0 人");
  await expect(form).toHaveCount(0);
  await expect(create).toBeFocused();
  await tabTo(page, row.getByRole("button", { name: "权限 值班监控" }));
  await page.keyboard.press("Enter");
  const rights = page.getByRole("dialog", { name: "权限：值班监控" });
  await tabTo(page, rights.getByRole("textbox", { name: "搜索名称" }));
  await page.keyboard.type("运行监控");
  await expect(rights.getByRole("checkbox")).toHaveCount(2);
  await tabTo(page, rights.getByRole("button", { name: "全不选" }));
  // The library's own checkbox is hidden behind its mark, so it is reached step by step: the tree, what folds it, the container.
  for (let n = 0; n < 4; n += 1) await page.keyboard.press("Tab");
  const chosen = rights.getByRole("checkbox", { name: "运行监控" });
  await expect(chosen).toBeFocused();
  await page.keyboard.press("Space");
  await expect(chosen).toBeChecked();
  // One of the container's entries is chosen. The search hides the others, which are not.
  const container = rights.getByRole("checkbox", { name: "系统监控" });
  await expect(container).toBeChecked({ indeterminate: true });
  await page.keyboard.press("Shift+Tab");
  await expect(container).toBeFocused();
  await page.keyboard.press("Space");
  await expect(chosen).not.toBeChecked();
  await expect(container).toBeChecked({ checked: false });
  await page.keyboard.press("Space");
  await expect(chosen).toBeChecked();
  // Permissions stand below their page. The page is chosen with one of them, and stays without.
  const word = rights.getByRole("textbox", { name: "搜索名称" });
  await tabTo(page, word);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("在线用户");
  await expect(rights.getByRole("checkbox")).toHaveCount(4);
  await tabTo(page, rights.getByRole("button", { name: "全不选" }));
  const view = rights.getByRole("checkbox", { name: "查看" });
  const online = rights.getByRole("checkbox", { name: "在线用户" });
  for (let n = 0; n < 7; n += 1) await page.keyboard.press("Tab");
  await expect(view).toBeFocused();
  await page.keyboard.press("Space");
  await expect(view).toBeChecked();
  await expect(online).toBeChecked({ indeterminate: true });
  await expect(rights.getByText("操作 1/2")).toBeVisible();
  await page.keyboard.press("Space");
  await expect(view).not.toBeChecked();
  await expect(online).toBeChecked({ indeterminate: true });
  await expect(rights.getByText("操作 0/2")).toBeVisible();
  for (let n = 0; n < 2; n += 1) await page.keyboard.press("Shift+Tab");
  await expect(online).toBeFocused();
  await page.keyboard.press("Space");
  await expect(view).toBeChecked();
  await expect(online).toBeChecked();
  await page.keyboard.press("Space");
  await expect(view).not.toBeChecked();
  await expect(online).toBeChecked({ checked: false });
  await tabTo(page, word);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await expect(container).toBeChecked({ indeterminate: true });
  await expect(online).not.toBeChecked();
  // The pages are folded at first.
  await expect(view).toHaveCount(0);
  await expect(rights.getByText("操作 0/2").first()).toBeVisible();
  await shoot(page, "role-rights");
  await tabTo(page, rights.getByRole("button", { name: "全部展开" }));
  await page.keyboard.press("Enter");
  await expect(rights.getByRole("list", { name: "在线用户" }).getByRole("checkbox")).toHaveCount(2);
  await expect(
    rights.getByRole("list", { name: "其他权限" }).getByRole("checkbox", { name: "演示数据" }),
  ).toHaveCount(1);
  await rights.getByText("在线用户", { exact: true }).scrollIntoViewIfNeeded();
  await shoot(page, "role-rights-open");
  await expectAccessible(page, "rights of a role");
  await tabTo(page, rights.getByRole("button", { name: "全部折叠" }));
  await page.keyboard.press("Enter");
  await expect(online).toHaveCount(0);
  await tabTo(page, rights.getByRole("button", { name: "保存" }));
  await page.keyboard.press("Enter");
  await expect(rights).toHaveCount(0);

  // A person gets the role. Nobody logs in again.
  await row.getByRole("button", { name: "人员：值班监控" }).click();
  const dialog = page.getByRole("dialog", { name: "人员：值班监控" });
  await expect(dialog.getByText("没有符合的人员")).toBeVisible();
  await dialog.getByRole("button", { name: "未分配" }).click();
  await dialog.getByRole("textbox", { name: "搜索姓名、电话" }).fill("李娜");
  await expect(dialog.getByRole("row")).toHaveCount(2);
  await shoot(page, "role-people");
  await expectAccessible(page, "people of a role");
  await expect(menus.getByRole("link", { name: "运行监控" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "分配 李娜" }).click();
  await expect(menus.getByRole("link", { name: "运行监控" })).toBeVisible();
  await menus.getByRole("link", { name: "运行监控" }).click();
  await expect(theirs.locator('[data-page="/monitor/runtime"]')).toBeVisible();

  // The role is in use, so it stays. Taken away, it is gone from the other console too.
  await dialog.getByRole("button", { name: "已分配" }).click();
  await expect(dialog.getByRole("row").filter({ hasText: "李娜" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(row).toContainText("1 人");
  await row.getByRole("button", { name: "删除 值班监控" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await expect(page.getByText("“值班监控”还有 1 人，请先移除人员再删除")).toBeVisible();
  await row.getByRole("button", { name: "人员：值班监控" }).click();
  await dialog.getByRole("button", { name: "移除 李娜" }).click();
  const question = page.getByRole("dialog").filter({ hasText: "将立即失去该角色的权限" });
  await question.getByRole("button", { name: "确定" }).click();
  await expect(menus.getByRole("link", { name: "运行监控" })).toHaveCount(0);
});

test("A role is copied, given from the employee's side, and the last administrator keeps theirs", async ({
  people,
}) => {
  people.expectComplaints(/409/);
  const admin = await people.loggedIn("admin", { path: "/system/role" });
  const page = admin.pages[0]!;
  const rightsOf = (name: string) =>
    page.evaluate(async (wanted) => {
      const { rest } = globalThis.consoleCore.commands;
      const { records } = await rest.call({ call: "roles.list", query: { limit: 100 } });
      const role = records.find((one) => one.name === wanted);
      if (role === undefined) return null;
      const pairs = await rest.call({ call: "menus.roleMenus", query: { roleId: role.id } });
      return [role.permissions, pairs.map(({ menuId }) => menuId).toSorted()];
    }, name);
  await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const { id } = await rest.call({ call: "roles.create", body: { name: "门岗" } });
    const permissions = ["system:dept:query"];
    await rest.call({ call: "roles.update", body: { id, version: 1, permissions } });
    const tree = await rest.call({ call: "menus.tree" });
    const body = [{ menuId: tree[0]!.id }];
    await rest.call({ call: "menus.saveRoleMenus", query: { roleId: id }, body });
  });

  // It holds a permission without its page, and the dialog says so.
  const row = page.getByRole("row").filter({ hasText: "门岗" });
  await row.getByRole("button", { name: "权限 门岗" }).click();
  const rights = page.getByRole("dialog", { name: "权限：门岗" });
  await expect(rights.getByText("菜单未勾选")).toHaveCount(1);
  await expect(rights.getByText("操作 1/2")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(rights).toHaveCount(0);

  // The copy has the rights of its source and a name of its own.
  await row.getByRole("button", { name: "复制 门岗" }).click();
  const form = page.getByRole("dialog", { name: "复制角色：门岗" });
  await expect(form.getByLabel("角色名称")).toHaveValue("门岗 副本");
  await shoot(page, "role-copy");
  await expectAccessible(page, "copy of a role");
  await form.getByRole("button", { name: "保存" }).click();
  await expect(page.getByRole("row").filter({ hasText: "门岗 副本" })).toContainText("0 人");
  const source = await rightsOf("门岗");
  expect(source?.[0]).toEqual(["system:dept:query"]);
  expect(await rightsOf("门岗 副本")).toEqual(source);

  // From the employee's side: given and taken, by keys.
  await page.goto("/supplier/employees");
  await page.getByRole("row").getByRole("button", { name: "李娜", exact: true }).click();
  const person = page.getByRole("dialog", { name: "员工详情" });
  await person.getByRole("tab", { name: "角色" }).click();
  const copy = person.getByRole("checkbox", { name: "门岗 副本" });
  await expect(person.getByRole("checkbox", { name: "员工", exact: true })).toBeChecked();
  await expect(copy).not.toBeChecked();
  await shoot(page, "employee-roles");
  await expectAccessible(page, "roles of an employee");
  await copy.focus();
  await page.keyboard.press("Space");
  await expect(copy).toBeChecked();
  const holders = () =>
    page.evaluate(async () => {
      const { records } = await globalThis.consoleCore.commands.rest.call({ call: "roles.list" });
      return records.find(({ name }) => name === "门岗 副本")?.people;
    });
  await expect.poll(holders).toBe(1);
  await copy.focus();
  await page.keyboard.press("Space");
  await expect(copy).not.toBeChecked();
  await expect.poll(holders).toBe(0);
  await page.keyboard.press("Escape");

  // The last administrator keeps the role: refused in words on both sides.
  const refusal = "企业至少要有一名管理员";
  await page.getByRole("row").getByRole("button", { name: "管理员", exact: true }).click();
  await person.getByRole("tab", { name: "角色" }).click();
  const own = person.getByRole("checkbox", { name: "企业管理员" });
  await own.focus();
  await page.keyboard.press("Space");
  await expect(person.getByRole("alert")).toHaveText(refusal);
  await expect(own).toBeChecked();
  await page.keyboard.press("Escape");
  await page.goto("/system/role");
  await page.getByRole("button", { name: "人员：企业管理员" }).click();
  const dialog = page.getByRole("dialog", { name: "人员：企业管理员" });
  await dialog.getByRole("button", { name: "移除 管理员" }).click();
  const question = page.getByRole("dialog").filter({ hasText: "将立即失去该角色的权限" });
  await question.getByRole("button", { name: "确定" }).click();
  await expect(page.getByText(refusal)).toBeVisible();
  await expect(dialog.getByRole("row").filter({ hasText: "管理员" })).toBeVisible();
});
