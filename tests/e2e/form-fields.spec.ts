/** Fields of forms that hold more than a text: repeated groups, one or several of a tree, a time, a switch and a number (docs/session.md#forms). */
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
  // The list that closed took the focus along; the way back begins at the choice, and leaves it at once.
  await expect(page.getByRole("option")).toHaveCount(0);
  await page.keyboard.press("Shift+Tab");
  await expect(post(2).getByRole("button", { name: "删除 邀请岗位 2" })).toBeFocused();
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

test("Several departments and a time are chosen by keyboard; a time that ends before it begins is refused, and another person's choice is said by names", async ({
  people,
}) => {
  people.expectComplaints(/409/);
  const page = (await people.loggedIn("admin", { path: "/system/documents" })).pages[0]!;
  const ids = await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const add = async (name: string, parentId: string | null) =>
      (await rest.call({ call: "departments.create", body: { name, parentId } })).id;
    const top = await add("作业总部", null);
    return [await add("高空班", top), await add("地面班", top)];
  });
  await page.getByRole("button", { name: "新增" }).press("Enter");
  const created = page.getByRole("dialog", { name: "新增材料" });
  await expect(created.getByLabel("材料名称")).toBeFocused();
  await page.keyboard.type("登高证");
  const chosen = created.locator('[data-field="departmentIds"]');
  await tabTo(page, chosen.locator("input").first());
  await page.keyboard.press("Shift+Tab");
  await expect(created.getByRole("switch", { name: "有有效期" })).toBeFocused();
  await tabTo(page, chosen.locator("input").first());
  // Chosen in another order than that of the tree.
  for (const name of ["地面班", "高空班"]) {
    await page.keyboard.type(`作业总部 / ${name}`);
    await expect(page.getByRole("option")).toHaveCount(1);
    await page.keyboard.press("Enter");
    await expect(chosen).toContainText(`作业总部 / ${name}`);
  }
  await page.keyboard.press("Escape");
  const from = created.getByLabel("适用入职日期：开始");
  const to = created.getByLabel("适用入职日期：结束");
  await tabTo(page, from);
  await page.keyboard.type("2026-03-01");
  await expect(from).toHaveValue("2026-03-01");
  await tabTo(page, to);
  await page.keyboard.type("2026-02-01");
  await expect(to).toHaveValue("2026-02-01");
  await page.keyboard.press("Enter");
  await expect(created.getByText("结束日期不能早于开始日期")).toBeVisible();
  await expect(from).toBeFocused();
  await expectAccessible(page, "form with several of a tree and a time");
  await to.fill("2026-12-31");
  await created.getByRole("button", { name: "保存" }).click();
  await expect(created).toHaveCount(0);
  const row = page.getByRole("row").filter({ hasText: "登高证" });
  await expect(row).toContainText("作业总部 / 高空班、作业总部 / 地面班");
  await expect(row).toContainText("2026-03-01 至 2026-12-31");
  await expect(page.getByRole("row").filter({ hasText: "入职登记表" })).toContainText(
    "全体员工不限",
  );

  // The form begins with them; what another person chose meanwhile is said by names, and taken.
  await page.getByRole("button", { name: "编辑 登高证" }).click();
  const form = page.getByRole("dialog", { name: "修改材料" });
  await expect(form.locator('[data-field="departmentIds"]')).toContainText("作业总部 / 高空班");
  await expect(form.getByLabel("适用入职日期：结束")).toHaveValue("2026-12-31");
  await form.getByLabel("适用入职日期：结束").fill("");
  await page.evaluate(async ([high]) => {
    const { rest } = globalThis.consoleCore.commands;
    const { records } = await rest.call({ call: "documentKinds.list" });
    const { id, version } = records.find(({ title }) => title === "登高证")!;
    const departmentIds = [high ?? ""];
    await rest.call({
      call: "documentKinds.update",
      body: { id, version, departmentIds, hiredTo: "2027-01-31" },
    });
  }, ids);
  await form.getByRole("button", { name: "保存" }).click();
  const choice = form.getByRole("radiogroup", { name: "适用入职日期" });
  await expect(choice).toContainText("原来：2026-03-01 至 2026-12-31");
  await expect(
    choice.getByRole("radio", { name: "采用对方 2026-03-01 至 2027-01-31" }),
  ).toBeVisible();
  await choice.getByText("保留我的").click();
  await form.getByRole("button", { name: "保存" }).click();
  await expect(form).toHaveCount(0);
  await expect(row).toContainText("作业总部 / 高空班2026-03-01 起");
});
