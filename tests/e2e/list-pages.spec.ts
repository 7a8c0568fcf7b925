/** A list by pages or by scrolling, and rows that stay chosen over them (docs/session.md#lists). */
import { readFileSync } from "node:fs";
import { read, utils } from "@e965/xlsx";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

// A server of its own, without the rows of other tests.
test.use({ actionTimeout: 10_000, serverEnv: { TEST_SERVER: "few rows" } });

test("A list is shown by pages of a chosen size, or by scrolling; chosen rows stay chosen, and are changed together", async ({
  people,
}) => {
  // the row that is gone
  people.expectComplaints(/404/);
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = admin.pages[0]!;
  await expect(page.getByTestId("list-total")).toHaveText(/共 [1-9]/);
  await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    for (let n = 10; n < 45; n += 1) {
      await rest.call({ call: "employees.create", body: { name: `翻页${n}` } });
    }
  });
  const search = page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" });
  await search.fill("翻页");
  await expect(page.getByTestId("list-total")).toHaveText("共 35 人");
  await page.getByRole("columnheader", { name: "姓名" }).getByRole("button").click();
  const pager = page.getByRole("navigation", { name: "分页" });
  const names = () =>
    page
      .locator(".list-page-row:not(.list-page-head) .list-page-link")
      .evaluateAll((all) => all.map((one) => Number((one.textContent ?? "").replace("翻页", ""))));
  const range = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => from + index);
  const rows = page.locator(".list-page-rows");
  const isCurrent = (n: number) =>
    expect(pager.getByRole("button", { name: `第 ${n} 页` })).toHaveAttribute(
      "aria-current",
      "page",
    );

  const mark = async (name: string) => {
    const box = page.getByRole("checkbox", { name });
    await box.focus();
    await page.keyboard.press("Space");
    await expect(box).toBeChecked();
  };

  // 20 to begin with; the second page begins at the top.
  await expect.poll(names).toEqual(range(10, 30));
  await expect(pager.getByText("共 35 条")).toBeVisible();
  await rows.evaluate((box) => box.scrollTo(0, 200));
  await pager.getByRole("button", { name: "下一页" }).click();
  await expect.poll(names).toEqual(range(30, 45));
  await expect.poll(() => rows.evaluate((box) => box.scrollTop)).toBe(0);
  await expect(pager.getByRole("button", { name: "下一页" })).toBeDisabled();
  await expect(page).toHaveURL(/\?page=2$/);
  await page.reload();
  await expect.poll(names).toEqual(range(30, 45));
  await isCurrent(2);

  // Another size keeps the first row in sight, and is the person's on every device.
  await pager.getByRole("combobox", { name: "每页条数" }).click();
  await expect(page.getByRole("option")).toHaveText(
    [10, 20, 30, 50, 100, 500, 1000].map((size) => `${size} 条/页`),
  );
  await page.getByRole("option", { name: "10 条/页", exact: true }).click();
  await expect.poll(names).toEqual(range(30, 40));
  await isCurrent(3);
  await shoot(page, "list-pages");
  await expectAccessible(page, "list by pages");
  const other = (await people.loggedIn("admin", { path: "/system/dict" })).pages[0]!;
  await expect(other.getByText("10 条/页")).toBeVisible();

  // The drawer of a row leads to the next page. The jumper takes the last page for one beyond it.
  await rows.getByRole("row").last().getByRole("cell").nth(2).click();
  const drawer = page.getByRole("dialog", { name: "详情" });
  await expect(drawer.getByRole("definition").first()).toContainText("翻页39");
  await page.keyboard.press("ArrowRight");
  await expect(drawer.getByRole("definition").first()).toContainText("翻页40");
  await page.keyboard.press("Escape");
  await expect(drawer).toHaveCount(0);
  await expect.poll(names).toEqual(range(40, 45));
  await pager.getByRole("textbox", { name: "跳至第几页" }).fill("1");
  await page.keyboard.press("Enter");
  await expect.poll(names).toEqual(range(10, 20));
  await pager.getByRole("textbox", { name: "跳至第几页" }).fill("99");
  await page.keyboard.press("Enter");
  await isCurrent(4);

  // Another keyword begins with the first page.
  await search.fill("翻页1");
  await expect.poll(names).toEqual(range(10, 20));
  await expect(page).toHaveURL(/employees$/);
  await search.fill("翻页");
  await expect(page.getByTestId("list-total")).toHaveText("共 35 人");

  // All rows by scrolling, also after a reload.
  await page.getByRole("button", { name: "连续滚动" }).click();
  await expect(pager).toHaveCount(0);
  await page.reload();
  await page.getByRole("table").focus();
  await page.keyboard.press("End");
  await expect(page.getByRole("row").filter({ hasText: "翻页44" })).toBeFocused();
  await page.getByRole("button", { name: "分页显示" }).click();
  await expect.poll(names).toEqual(range(10, 20));

  // Rows stay chosen while other pages are shown, and something is done with all of them; each refusal is named.
  const departments = await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const add = async (name: string, parentId: string | null) =>
      (await rest.call({ call: "departments.create", body: { parentId, name } })).id;
    const top = await add("翻页总部", null);
    return [await add("翻页部", top), top];
  });
  await mark("选择本页");
  await expect(page.getByText("已选 10 条")).toBeVisible();
  await pager.getByRole("button", { name: "下一页" }).click();
  await expect.poll(names).toEqual(range(20, 30));
  await mark("选择第 12 行");
  await expect(page.getByText("已选 11 条")).toBeVisible();
  await shoot(page, "list-chosen");
  await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const query = { keyword: "翻页10" };
    const { records } = await rest.call({ call: "employees.list", query });
    await rest.call({ call: "employees.delete", params: { id: records[0]?.id ?? "" } });
  });
  // The department is found in the tree by its path, with the keyboard alone.
  await page.getByRole("button", { name: "设置部门" }).press("Enter");
  const bulk = page.getByRole("dialog", { name: "设置部门" });
  await expect(bulk.getByText("为选中的 11 人设置部门。")).toBeVisible();
  const department = bulk.locator('[data-field="departmentId"]');
  await tabTo(page, department.locator("input").first());
  await page.keyboard.type("翻页总部 / ");
  await expect(page.getByRole("option")).toHaveText(["翻页部翻页总部 / 翻页部"]);
  await page.keyboard.press("Enter");
  await expect(department.getByRole("combobox", { name: "部门" })).toContainText(
    "翻页总部 / 翻页部",
  );
  await shoot(page, "list-bulk-tree");
  await expectAccessible(page, "bulk dialog with a tree");
  await tabTo(page, bulk.getByRole("button", { name: "设置部门" }));
  await page.keyboard.press("Enter");
  await expect(bulk.getByText("10 条成功，1 条失败。")).toBeVisible();
  await expect(bulk.getByRole("row").filter({ hasText: "翻页10" })).toContainText("不存在");
  await shoot(page, "list-bulk");
  await expectAccessible(page, "what became of chosen rows");
  await bulk.getByRole("button", { name: "确定" }).click();
  // What failed stays chosen.
  await expect(page.getByText("已选 1 条")).toBeVisible();
  await page.getByRole("button", { name: "取消选择" }).click();
  await search.fill("翻页部");
  await expect(page.getByTestId("list-total")).toHaveText("共 10 人");

  // The changes of one of them: who, when, from what to what.
  await page.getByRole("button", { name: "翻页21", exact: true }).click();
  const detail = page.getByRole("dialog", { name: "员工详情" });
  await detail.getByRole("tab", { name: "变更记录" }).click();
  const changes = detail.getByRole("list", { name: "变更记录" }).getByRole("listitem");
  await expect(changes).toHaveCount(2);
  await expect(changes.first()).toContainText(/管理员修改20\d\d-.*部门– →改为 翻页部$/);
  await expect(changes.last()).toContainText("姓名– →改为 翻页21");
  await shoot(page, "employee-history");
  await expectAccessible(page, "changes of an employee");
  await page.keyboard.press("Escape");
  await expect(detail).toHaveCount(0);

  // Groups joined by "or", kept over a reload together with a hidden column, which the export leaves out.
  await search.fill("");
  await page.getByRole("button", { name: "高级筛选" }).click();
  const advanced = page.getByRole("dialog", { name: "高级筛选" });
  const named = async (group: number, value: string) => {
    const part = advanced.getByRole("group", { name: "条件组" }).nth(group);
    await part.getByRole("combobox", { name: "字段" }).last().click();
    await page.getByRole("option", { name: "姓名", exact: true }).click();
    await part.getByRole("textbox", { name: "值", exact: true }).last().fill(value);
  };
  await named(0, "翻页33");
  await advanced.getByRole("combobox", { name: "组内关系" }).click();
  await page.getByRole("option", { name: "满足任一条件" }).click();
  await advanced.getByRole("button", { name: "添加条件组" }).click();
  await named(1, "翻页44");
  await advanced.getByRole("button", { name: "筛选", exact: true }).click();
  await expect.poll(names).toEqual([33, 44]);
  await page.getByRole("button", { name: "列设置" }).click();
  const columns = page.getByRole("dialog", { name: "列设置" });
  await columns.getByRole("button", { name: "隐藏 岗位" }).click();
  await columns.getByRole("button", { name: "确定" }).click();
  await page.reload();
  await expect.poll(names).toEqual([33, 44]);
  await expect(page.getByRole("button", { name: "高级筛选（2 个条件）" })).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "导出" }).click(),
  ]);
  const book = read(readFileSync(await file.path()));
  const [titles, ...exported] = utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0]!]!, {
    header: 1,
  });
  expect(titles).toEqual(
    (await page.getByRole("columnheader").allTextContents()).filter(
      (title) => title !== "操作" && title !== "",
    ),
  );
  expect(titles).not.toContain("岗位");
  expect(exported.map(([name]) => name)).toEqual(["翻页33", "翻页44"]);
  await page.getByRole("button", { name: "高级筛选（2 个条件）" }).click();
  await advanced.getByRole("button", { name: "清除条件" }).click();

  // Other files use the same server.
  await page.evaluate(async (ids) => {
    const { rest } = globalThis.consoleCore.commands;
    const query = { keyword: "翻页", limit: 100 };
    const { records } = await rest.call({ call: "employees.list", query });
    for (const one of records) {
      await rest.call({ call: "employees.delete", params: { id: one.id } });
    }
    for (const id of ids) await rest.call({ call: "departments.delete", params: { id } });
    for (const key of ["lists", "columns:employees.list"]) {
      await rest.call({ call: "preferences.set", body: { key, value: null } });
    }
  }, departments);
});
