/**
 * Files of the kinds that staff bring, through the page to the database: what is certain is stored in one writing and the clerk sees
 * it, missing departments are created on request, and corrections outlive the tab (docs/import.md).
 */
import { crash } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { IMPORT_PAGE, importPageOf, openImport } from "../support/import-page.ts";
import { expectAccessible, shoot } from "../support/look.ts";

test("Radicals, dots, blanks and telephone numbers are stored in one writing, and the clerk sees each change", async ({
  people,
  server,
}) => {
  const at = await openImport({ people, server });
  const { page, chips, grid } = at;
  await at.chooseCase("c04-kangxi.xlsx");
  await expect(page.getByText(/3 个列名.*U\+2F2F 已改为“工”/)).toBeVisible();
  await at.check();
  await expect(page.getByText("有提醒 2 行")).toBeVisible();
  await expect(chips).toContainText("U+2F45 已改为“方”");
  await page.getByText("只看有提醒的").click();
  await expect(grid.getByRole("rowheader")).toHaveText(["2", "4"]);
  await expect(grid.locator("[data-wrong='true']")).toHaveCount(0);
  await shoot(page, "import-warnings");
  await expectAccessible(page, "warnings of an import");
  await at.send(3);
  await expect
    .poll(() => at.read("K7-", ({ name, department }) => [name, department]))
    .toEqual([
      ["方芳", "临时人员"],
      ["方芳", "临时人员"],
      ["高山", "安全管理部"],
    ]);

  await at.another();
  await at.chooseCase("c05-dots.xlsx");
  await at.check();
  await at.send(9);
  const nine = Array.from({ length: 9 }, () => "阿卜来提·如则");
  await expect.poll(() => at.read("M7-", ({ name }) => name)).toEqual(nine);
  expect(await at.employees("来提•如则")).toHaveLength(9);

  await at.another();
  await at.chooseCase("o03-phones.xlsx");
  await at.check();
  await expect(page.getByText("有问题 5 行")).toBeVisible();
  const two = grid.locator("[data-warn='true']").filter({ hasText: "13900139006" });
  await page.getByText("全部行", { exact: true }).click();
  await two.click();
  await expect(page.locator(".import-issue")).toContainText("没有导入 13900139006");
  await at.send(11, true);
  await expect
    .poll(() => at.read("OP-", ({ phone }) => phone))
    .toEqual([
      ..."13800138901 13800138902 13800138903 13800138904 13800138905 13800138906".split(" "),
      ..."13800138907 13800138908 010-12345678 13800138910 13800138912".split(" "),
    ]);

  await at.another();
  await at.chooseCase("o05-spaces.xlsx");
  await at.check();
  await expect(page.getByText("有问题 1 行")).toBeVisible();
  await expect(chips).toContainText("请核对是否属于姓名");
  await at.send(9, true);
  const names = [
    "张三",
    "李四",
    "王五",
    "赵六",
    "张三",
    "John Smith",
    "钱七",
    "周九(离职)",
    "吴十*",
  ];
  await expect.poll(() => at.read("OS-", ({ name }) => name)).toEqual(names);
});

test("Missing departments are created after a question, with the corrections that were made", async ({
  people,
  server,
}) => {
  const at = await openImport({ people, server });
  const { page, button, grid } = at;
  await at.chooseCase("o04-deptpath.xlsx");
  await at.check();
  await expect(page.getByText("有问题 3 行")).toBeVisible();
  const missing = page.getByTestId("import-missing");
  await expect(missing).toContainText("信息技术部/一组（2 行）");
  await expect(missing).toContainText("信息部（1 行）");
  // A correction before the departments are created stays.
  await grid.getByRole("gridcell", { name: "信息部", exact: true }).dblclick();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("信息技术部");
  await page.keyboard.press("Enter");
  await expect(page.getByText("有问题 2 行")).toBeVisible();
  await button("新建部门…").click();
  const dialog = page.getByRole("dialog", { name: "新建部门" });
  await expect(dialog.getByRole("checkbox")).toHaveCount(1);
  await shoot(page, "import-missing-departments");
  await expectAccessible(page, "missing departments");
  await dialog.getByRole("button", { name: "新建 1 个部门" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(/有问题 \d+ 行/)).toHaveCount(0);
  await expect(missing).toHaveCount(0);
  await at.send(6);
  await expect
    .poll(() => at.read("OD-", ({ department }) => department))
    .toEqual(["一组", "信息技术部", "一组", "信息技术部", "信息技术部", "信息技术部"]);
});

test("Contradictions, doubtful days, sign-off lines and columns that are left out are shown before anything is sent", async ({
  people,
  server,
}) => {
  const at = await openImport({ people, server });
  const { page, button, chips, grid } = at;
  await at.chooseCase("o12-birthmis.xlsx");
  await at.check();
  await expect(page.getByText("有问题 2 行")).toBeVisible();
  await grid.getByRole("gridcell", { name: "女", exact: true }).click();
  await expect(page.locator(".import-issue")).toContainText("身份证号中的性别是男");
  await button("采用").click();
  await grid.getByRole("gridcell", { name: "1990-05-05", exact: true }).click();
  await button("采用").click();
  await expect(page.getByText("有问题 1 行")).toBeVisible();
  await at.send(1, true);
  await expect
    .poll(() => at.read("OB-", ({ gender, birthday }) => [gender, birthday]))
    .toEqual([["1", "1985-01-01"]]);

  await at.another();
  await at.chooseCase("o15-totals.xlsx");
  await at.check();
  const total = page.getByTestId("import-total");
  await expect(total).toContainText("第 4 行（制表人：李娜）、第 5 行（合计）像是合计行或落款行");
  await button("不导入这些行").click();
  await expect(total).toContainText("不会导入");
  await at.send(2);
  await expect.poll(() => at.read("OT-", ({ name }) => name)).toEqual(["甲总一", "甲总二"]);

  await at.another();
  await at.chooseCase("landline-and-mobile.xlsx");
  await expect(page.getByTestId("import-left-out")).toContainText(
    "序号（3 个值）、编号（3 个值）、电话（3 个值）",
  );
  await at.check();
  await expect(page.getByTestId("import-left-out")).toContainText("电话（3 个值）");
  await at.send(3);
  await expect
    .poll(() => at.read("OQ-", ({ phone }) => phone))
    .toEqual(["13800138001", "13800138002", "13800138003"]);

  await at.another();
  await at.chooseCsv(
    "姓名,工号,出生日期",
    "甲一,DD-1,2085-01-01",
    "甲二,DD-2,1985-01-01",
    "甲三,DD-3,1900-02-07",
  );
  await at.check();
  await expect(page.getByText("有提醒 2 行")).toBeVisible();
  await expect(chips).toContainText("在今天之后");
  await at.send(3);
  await expect
    .poll(() => at.read("DD-", ({ birthday }) => birthday))
    .toEqual(["2085-01-01", "1985-01-01", "1900-02-07"]);

  await at.another();
  await at.chooseCase("o13-future.xlsx");
  await at.check();
  await shoot(page, "import-doubtful-days");
  await expect(page.getByText("有问题 3 行")).toBeVisible();
  await at.send(1, true);
  await expect
    .poll(() =>
      at.read("OF-", ({ employeeNo, birthday, hireDate }) => [employeeNo, birthday, hireDate]),
    )
    .toEqual([["OF-4", "1985-01-01", "2024-01-06"]]);
});

test("Corrections outlive the tab: they are offered with the same file, and nobody loses them without a question", async ({
  people,
  server,
}) => {
  people.expectComplaints(/WebSocket connection|ERR_CONNECTION|Failed to load resource/);
  const admin = await people.loggedIn("admin", { path: IMPORT_PAGE, tabs: 2 });
  const at = importPageOf(admin.pages[0]!, server.url);
  const { page, button } = at;
  await at.chooseCase("edits-60.csv");
  await at.check();
  await expect(page.getByText("有问题 20 行")).toBeVisible();
  const correct = async (left: number): Promise<void> => {
    await at.grid.locator("[data-wrong='true']").first().dblclick();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(`139000000${left}`);
    await page.keyboard.press("Enter");
    await expect(page.getByText(`有问题 ${left} 行`)).toBeVisible();
  };
  await correct(19);
  await correct(18);

  // Back to the columns: they are there, and the check makes them again.
  await button("返回核对列").click();
  await expect(page.getByTestId("import-kept")).toContainText("2 处修改");
  await at.check();
  await expect(page.getByText("有问题 18 行")).toBeVisible();

  // Another file, another page: a question first.
  await button("返回核对列").click();
  await button("换一个文件").click();
  await expect(page.getByText("有 2 处修改尚未导入")).toBeVisible();
  await button("取消").click();
  await page.getByRole("navigation").getByRole("link", { name: "首页" }).first().click();
  await expect(page.getByText("确定离开吗")).toBeVisible();
  await shoot(page, "import-leave");
  await button("留在本页").click();
  await expect(page).toHaveURL(new RegExp(IMPORT_PAGE));
  await at.check();
  await correct(17);

  // The tab crashes. Another one offers them with the same file.
  await crash(page);
  const other = importPageOf(admin.pages[1]!, server.url);
  const kept = other.page.getByTestId("import-kept");
  await other.page.goto(IMPORT_PAGE);
  await other.chooseCase("edits-60.csv");
  await expect(kept).toContainText("3 处修改，尚未导入");
  await other.check();
  await expect(other.page.getByText("有问题 17 行")).toBeVisible();
  await other.button("撤销").click();
  await expect(other.page.getByText("有问题 18 行")).toBeVisible();

  // Dropped on request, after a question.
  await other.button("返回核对列").click();
  await other.button("放弃这些修改").click();
  await other.button("确定").click();
  await expect(kept).toHaveCount(0);
  await other.check();
  await expect(other.page.getByText("有问题 20 行")).toBeVisible();

  // What is corrected is stored as it was corrected, and the rows that are still wrong are left out.
  await other.grid.locator("[data-wrong='true']").first().dblclick();
  await other.page.keyboard.press("ControlOrMeta+a");
  await other.page.keyboard.type("13900000001");
  await other.page.keyboard.press("Enter");
  await expect(other.page.getByText("有问题 19 行")).toBeVisible();
  await other.send(41, true);
  const stored = await other.read("EDT-", ({ employeeNo, phone }) => [employeeNo, phone]);
  expect(stored).toHaveLength(41);
  expect(stored[0]).toEqual(["EDT-0", "13900000001"]);
  expect(stored[1]).toEqual(["EDT-1", "13800138001"]);
});

test("Three clicks on 保存 in one task make one employee", async ({ people, server }) => {
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const at = importPageOf(admin.pages[0]!, server.url);
  const { page, button } = at;
  await button("新增").click();
  const dialog = page.getByRole("dialog", { name: "新增员工" });
  await dialog.getByLabel("姓名").fill("三 击");
  await dialog.getByLabel("岗位").fill("三击岗");
  await dialog.getByRole("button", { name: "保存" }).evaluate((save: HTMLElement) => {
    for (let i = 0; i < 3; i += 1) save.click();
  });
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => at.employees("三击岗")).toHaveLength(1);
  // The form's text is read as a file's.
  expect(await at.employees("三击岗")).toMatchObject([{ name: "三击" }]);
});
