/** Two administrators change one role, and nobody loses what they did (docs/server.md#versions). */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

test.use({ serverEnv: { TEST_SERVER: "few rows" } });

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
