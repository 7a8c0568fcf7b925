/** Fields of forms that hold more than a text: repeated groups, a tree, a switch, a number and pictures (docs/session.md#forms). */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

// The new employee must stand on the first page.
test.use({ serverEnv: { TEST_SERVER: "form fields" } });

test("People are invited for several posts: groups are added, moved, checked and removed by keyboard", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = admin.pages[0]!;
  await page.getByRole("button", { name: "邀请员工" }).click();
  const dialog = page.getByRole("dialog", { name: "邀请员工" });
  const post = (n: number) => dialog.getByRole("group", { name: `邀请岗位 ${n}`, exact: true });
  await expect(post(1).getByRole("button", { name: "删除 邀请岗位 1" })).toBeDisabled();
  await post(1).getByRole("textbox", { name: "岗位" }).fill("保安");
  await tabTo(page, dialog.getByRole("button", { name: "添加一项" }));
  await page.keyboard.press("Enter");
  const department = (n: number) =>
    post(n).locator('[data-field$="departmentId"]').getByRole("combobox");
  // The select gives the focus to the input inside.
  await expect(post(2).locator('[data-field$="departmentId"] :focus')).toHaveCount(1);
  await page.keyboard.type("客户服务部");
  await page.keyboard.press("Enter");
  await expect(department(2)).toContainText("客户服务部");
  await tabTo(page, post(2).getByRole("textbox", { name: "岗位" }));
  await page.keyboard.type("电工");
  await tabTo(page, post(2).getByLabel("链接数量"));
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("99");
  await page.keyboard.press("Enter");
  await expect(post(2).getByText("应为 1 到 50 的整数")).toBeVisible();
  await expect(post(2).getByLabel("链接数量")).toBeFocused();
  await shoot(page, "form-groups");
  await expectAccessible(page, "groups of fields");
  await post(2).getByLabel("链接数量").fill("2");

  // The second comes before the first, and the focus stays with it.
  await tabTo(page, post(2).getByRole("button", { name: "上移 邀请岗位 2" }));
  await page.keyboard.press("Enter");
  await expect(post(1).getByRole("textbox", { name: "岗位" })).toHaveValue("电工");
  await expect(post(2).getByRole("textbox", { name: "岗位" })).toHaveValue("保安");
  await expect(post(1).getByRole("button", { name: "下移 邀请岗位 1" })).toBeFocused();
  await dialog.getByRole("button", { name: "添加一项" }).click();
  await post(3).getByRole("button", { name: "删除 邀请岗位 3" }).press("Enter");
  await expect(post(3)).toHaveCount(0);
  await expect(post(2).locator(`[data-field$="departmentId"] :focus`)).toHaveCount(1);
  await dialog.getByRole("button", { name: "生成链接" }).click();
  const links = await dialog.getByLabel("邀请链接").inputValue();
  expect(links.split("\n").map((line) => line.replace(/http.*/, ""))).toEqual([
    "客户服务部 电工 ",
    "客户服务部 电工 ",
    "保安 ",
  ]);
});

test("A department is chosen from the tree by a search of its path, and a stale choice is said by its name", async ({
  people,
}) => {
  people.expectComplaints(/409/);
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = admin.pages[0]!;
  const made = await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const add = (name: string, parentId: string | null) =>
      rest.call({ call: "departments.create", body: { name, parentId } });
    const top = await add("树总部", null);
    const [one, two] = [await add("甲班", top.id), await add("乙班", top.id)];
    await rest.call({ call: "employees.create", body: { name: "树形", departmentId: one.id } });
    return two.id;
  });
  await page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" }).fill("树形");
  await page.getByRole("button", { name: "编辑 树形" }).click();
  const form = page.getByRole("dialog", { name: "编辑员工" });
  const field = form.locator('[data-field="departmentId"]').getByRole("combobox");
  await expect(field).toContainText("树总部 / 甲班");
  await field.click();
  await expect(page.getByRole("option", { name: "树总部 / 乙班" })).toBeVisible();
  await shoot(page, "form-tree");
  await page.keyboard.type("树总部");
  await expect(page.getByRole("option")).toHaveCount(3);
  await page.getByRole("option", { name: "树总部", exact: true }).click();
  await expect(field).toContainText("树总部");
  await page.evaluate(async (departmentId) => {
    const { rest } = globalThis.consoleCore.commands;
    const { records } = await rest.call({ call: "employees.list", query: { keyword: "树形" } });
    const { id } = records[0]!;
    const { version } = await rest.call({ call: "employees.get", params: { id } });
    await rest.call({ call: "employees.update", body: { id, version, departmentId } });
  }, made);
  await form.getByRole("button", { name: "保存" }).click();
  const choice = form.getByRole("radiogroup", { name: "部门" });
  await expect(choice).toContainText("原来：甲班");
  await choice.getByText("采用对方").click();
  await expect(choice.getByRole("radio", { name: "采用对方 乙班" })).toBeChecked();
  await expect(field).toContainText("树总部 / 乙班");
  await expectAccessible(page, "form with a tree");
  await form.getByRole("button", { name: "保存" }).click();
  await expect(form).toHaveCount(0);
  await expect(page.getByRole("row").filter({ hasText: "树形" })).toContainText("乙班");
});
