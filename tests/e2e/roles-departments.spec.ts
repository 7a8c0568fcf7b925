/** Roles and departments as administrators keep them, and what the people of a role see at once. */
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

test("A form shows what another administrator changed meanwhile, and a second save stands", async ({
  people,
}) => {
  people.expectComplaints(/409/);
  const admin = await people.loggedIn("admin", { path: "/system/role" });
  const page = admin.pages[0]!;
  await page.getByRole("button", { name: "编辑 运维人员" }).click();
  const form = page.getByRole("dialog", { name: "修改角色" });
  await form.getByLabel("角色名称").fill("运维一组");
  await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const { records } = await rest.call({ call: "roles.list" });
    const { id, version } = records.find(({ name }) => name === "运维人员")!;
    await rest.call({ call: "roles.update", body: { id, version, remark: "七天二十四小时" } });
  });
  await form.getByRole("button", { name: "保存" }).click();
  const remark = form.getByRole("radiogroup", { name: "备注" });
  await expect(remark.getByRole("radio", { name: "采用对方 七天二十四小时" })).toBeChecked();
  await expect(form.getByRole("textbox", { name: "备注", exact: true })).toHaveValue(
    "七天二十四小时",
  );
  await expect(form.getByRole("alert")).toHaveText("尚未保存：其他人刚刚修改了这条记录");
  await expect(form.getByLabel("角色名称")).toHaveValue("运维一组");
  await shoot(page, "role-stale");
  await expectAccessible(page, "form of a role that somebody else changed");
  await form.getByRole("button", { name: "保存" }).click();
  const row = page.getByRole("row").filter({ hasText: "运维一组" });
  await expect(row).toContainText("七天二十四小时");

  /** Permissions, and the codes of the menu entries, of the role by its name. */
  const rightsOf = () =>
    page.evaluate(async () => {
      const { rest } = globalThis.consoleCore.commands;
      const { records } = await rest.call({ call: "roles.list" });
      const role = records.find(({ name }) => name === "运维一组")!;
      const pairs = await rest.call({ call: "menus.roleMenus", query: { roleId: role.id } });
      const tree = await rest.call({ call: "menus.tree" });
      const all = tree.flatMap((entry) => [entry, ...entry.childMenu]);
      const held = all.filter(({ id }) => pairs.some(({ menuId }) => menuId === id));
      return { permissions: role.permissions, codes: held.map(({ code }) => code).toSorted() };
    });
  const came = await rightsOf();
  expect(came.permissions).not.toEqual([]);
  // Rights: the other one gives entries and a permission, while a page with its permissions is chosen here.
  await row.getByRole("button", { name: "权限 运维一组" }).click();
  const rights = page.getByRole("dialog", { name: "权限：运维一组" });
  await rights.getByText("部门管理", { exact: true }).click();
  await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const { records } = await rest.call({ call: "roles.list" });
    const { id, version, permissions } = records.find(({ name }) => name === "运维一组")!;
    const pairs = await rest.call({ call: "menus.roleMenus", query: { roleId: id } });
    const tree = await rest.call({ call: "menus.tree" });
    const given = tree
      .flatMap((entry) => [entry, ...entry.childMenu])
      .filter(({ code }) => ["supplier", "system", "system-dict"].includes(code));
    const menuIds = [...pairs.map(({ menuId }) => menuId), ...given.map((one) => one.id)];
    const body = { id, version, menuIds, permissions: [...permissions, "system:dict:list"] };
    await rest.call({ call: "roles.update", body });
  });
  await rights.getByRole("button", { name: "保存" }).click();
  await expect(
    rights.getByText("对方新增：员工管理、系统管理、字典管理、字典管理 · 查看", { exact: true }),
  ).toBeVisible();
  await expect(rights.getByRole("checkbox", { name: "部门管理" })).toBeChecked();
  await expect(rights.getByRole("checkbox", { name: "字典管理" })).toBeChecked({
    indeterminate: true,
  });
  await shoot(page, "role-rights-stale");
  await expectAccessible(page, "rights of a role that somebody else changed");
  await rights.getByRole("button", { name: "保存" }).click();
  await expect(rights).toHaveCount(0);
  const ours = ["system:dept:edit", "system:dept:query"];
  expect(await rightsOf()).toEqual({
    permissions: [...came.permissions, ...ours, "system:dict:list"].toSorted(),
    codes: [...came.codes, "supplier", "system", "system-dept", "system-dict"].toSorted(),
  });
  // What the other one gave is not lost.
  await row.getByRole("button", { name: "权限 运维一组" }).click();
  await expect(rights.getByRole("checkbox", { name: "员工管理" })).toBeChecked({
    indeterminate: true,
  });
  await expect(rights.getByRole("button", { name: "保存" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(rights).toHaveCount(0);

  // The administrator's role has its menus alone, and keeps those that lead to the roles.
  await page.getByRole("button", { name: "权限 企业管理员" }).click();
  const own = page.getByRole("dialog", { name: "权限：企业管理员" });
  await expect(own.getByText("管理员角色拥有全部操作权限。")).toBeVisible();
  const kept = own.getByRole("checkbox", { name: "角色管理" });
  await expect(kept).toBeChecked();
  await expect(kept).toBeDisabled();
  await expect(own.getByRole("checkbox", { name: "参数配置" })).toBeEnabled();
  await own.getByRole("button", { name: "全部展开" }).click();
  await expect(own.getByRole("checkbox", { name: "查看" })).toHaveCount(0);
  await shoot(page, "role-rights-admin");
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

test("Departments are made, moved, ordered and merged, and the people follow", async ({
  people,
}) => {
  people.expectComplaints(/409/);
  const admin = await people.loggedIn("admin", { path: "/system/dept" });
  const page = admin.pages[0]!;
  const tree = page.getByRole("treegrid", { name: "部门管理" });
  const rowOf = (name: string) =>
    tree.locator("[aria-level]").filter({ has: page.getByText(name, { exact: true }) });
  await expect(rowOf("综合管理部")).toContainText("1 / 1");

  // By keyboard: a department at the top, and one below it.
  await tabTo(page, page.getByRole("button", { name: "新增", exact: true }));
  await page.keyboard.press("Enter");
  const form = page.getByRole("dialog", { name: "新增部门" });
  await expect(form.getByLabel("部门名称")).toBeFocused();
  await page.keyboard.type("总部");
  await page.keyboard.press("Enter");
  await expect(rowOf("总部")).toHaveAttribute("aria-level", "1");
  await expect(form).toHaveCount(0);
  await tabTo(page, tree.locator('[aria-level][tabindex="0"]'));
  const rows = await tree.locator("[aria-level]").count();
  for (let n = 1; n < rows; n += 1) await page.keyboard.press("ArrowDown");
  await expect(rowOf("总部")).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: "新增下级 总部" }));
  await page.keyboard.press("Enter");
  await expect(form.getByLabel("部门名称")).toBeFocused();
  await page.keyboard.type("综合一组");
  await page.keyboard.press("Enter");
  await expect(rowOf("综合一组")).toHaveAttribute("aria-level", "2");
  await expect(form).toHaveCount(0);
  await rowOf("总部").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(rowOf("综合一组")).toHaveCount(0);
  await page.keyboard.press("ArrowRight");
  await expect(rowOf("综合一组")).toBeVisible();
  await shoot(page, "departments");
  await expectAccessible(page, "departments");

  // Moved below another parent, renamed, and put in its place.
  await page.getByRole("button", { name: "编辑 综合管理部" }).click();
  const edit = page.getByRole("dialog", { name: "修改部门" });
  await edit.getByLabel("部门名称").fill("综合部");
  await edit.getByRole("combobox", { name: "上级部门" }).click();
  await page.getByRole("option", { name: "总部", exact: true }).click();
  await shoot(page, "department-form");
  await edit.getByRole("button", { name: "保存" }).click();
  await expect(rowOf("综合部")).toHaveAttribute("aria-level", "2");
  await expect(rowOf("总部")).toContainText("0 / 1");
  const names = () => tree.locator("[aria-level='2'] .dept-name").allInnerTexts();
  await expect.poll(() => names()).toEqual(["综合一组", "综合部"]);
  await page.getByRole("button", { name: "上移 综合部" }).click();
  await expect.poll(names).toEqual(["综合部", "综合一组"]);

  // Merged, after what follows was said. Who was in it is in the other one.
  await page.getByRole("button", { name: "合并 综合部" }).click();
  const merge = page.getByRole("dialog", { name: "合并部门：综合部" });
  await expect(merge.getByText("不能撤销")).toBeVisible();
  await merge.getByRole("combobox", { name: "合并到" }).click();
  await page.keyboard.type("一组");
  await page.getByRole("option", { name: "总部 / 综合一组" }).click();
  await merge.getByRole("button", { name: "合并", exact: true }).click();
  await expect(rowOf("综合部")).toHaveCount(0);
  await expect(rowOf("综合一组")).toContainText("1 / 1");
  await page.getByRole("button", { name: "删除 综合一组" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await expect(page.getByText("该部门还有 1 人，不能删除")).toBeVisible();
  await page.goto("/supplier/employees");
  await expect(page.getByRole("row").filter({ hasText: "综合一组" })).toContainText("管理员");

  // The form of an employee offers the departments by their whole path.
  await page.getByRole("button", { name: "编辑 李娜" }).click();
  const person = page.getByRole("dialog", { name: "编辑员工" });
  await expect(person.getByRole("combobox", { name: "部门" })).toContainText("客户服务部");
  await person.getByRole("combobox", { name: "部门" }).click();
  await page.getByRole("option", { name: "总部 / 综合一组" }).click();
  await person.getByRole("button", { name: "保存" }).click();
  await expect(page.getByRole("row").filter({ hasText: "李娜" })).toContainText("综合一组");
});
