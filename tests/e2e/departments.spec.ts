/** Departments as a person arranges them by the form and the tree (docs/server.md#departments). */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

test.use({ serverEnv: { TEST_SERVER: "few rows" } });

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
