/**
 * Files of the kinds that staff bring, through the page to the database: what is certain is stored in one writing and the clerk sees
 * it, missing departments are created on request, and corrections outlive the tab (docs/import.md).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { EmployeeDetail } from "../../src/shared/protocol/rest/employee-schemas.ts";
import { crash } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { PASSWORD } from "../support/people.ts";
import { restLogin } from "../support/rest-login.ts";

const PAGE = "/DataBatchImport2/index";
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const grid = (page: Page) => page.getByRole("grid", { name: "检查结果" });
const done = (page: Page) => page.locator("[data-import-state='done']").first();

/** Employees whose number begins with the prefix, by number. */
async function stored(page: Page, url: string, prefix: string): Promise<EmployeeDetail[]> {
  const known = await page.waitForFunction(() => globalThis.consoleCore.state.session.supplierId);
  const supplierId = (await known.jsonValue()) ?? "";
  const { grant } = await restLogin(url, "admin", PASSWORD);
  const answer = await page.request.post(`${url}/scm-supplier/api/sec/querySupplierEmployees`, {
    headers: { authorization: `Bearer ${grant.access_token}`, "supplier-id": supplierId },
    data: { cursor: 1, limit: 1000, keyword: prefix },
  });
  const { data } = (await answer.json()) as { data: { records: EmployeeDetail[] } };
  return data.records.sort((a, b) =>
    (a.employeeNo ?? "").localeCompare(b.employeeNo ?? "", "en", { numeric: true }),
  );
}
/** What they have of a field, in the same order. */
const reading =
  (page: Page, url: string) =>
  <T>(prefix: string, of: (one: EmployeeDetail) => T): Promise<T[]> =>
    stored(page, url, prefix).then((all) => all.map(of));
const pick = async (page: Page, name: string, buffer: Buffer): Promise<void> => {
  await page
    .getByTestId("import-file")
    .setInputFiles({ name, mimeType: "application/octet-stream", buffer });
};
const file = (page: Page, name: string) =>
  pick(page, name, readFileSync(join(import.meta.dirname, "../fixtures/import-cases", name)));
const csv = (page: Page, ...lines: string[]) =>
  pick(page, "名单.csv", Buffer.from(lines.join("\n")));
async function check(page: Page): Promise<void> {
  await button(page, "开始检查").click();
  await expect(grid(page)).toBeVisible();
}
const chips = (page: Page) => page.getByRole("list", { name: "问题分类" });

test("Radicals, dots, blanks and telephone numbers are stored in one writing, and the clerk sees each change", async ({
  people,
  server,
}) => {
  const admin = await people.loggedIn("admin", { path: PAGE });
  const page = admin.pages[0]!;
  const read = reading(page, server.url);
  await file(page, "c04-kangxi.xlsx");
  await expect(page.getByText(/3 个列名.*U\+2F2F 已改为“工”/)).toBeVisible();
  await check(page);
  await expect(page.getByText("有提醒 2 行")).toBeVisible();
  await expect(chips(page)).toContainText("U+2F45 已改为“方”");
  await page.getByText("只看有提醒的").click();
  await expect(grid(page).getByRole("rowheader")).toHaveText(["2", "4"]);
  await expect(grid(page).locator("[data-wrong='true']")).toHaveCount(0);
  await shoot(page, "import-warnings");
  await expectAccessible(page, "warnings of an import");
  await button(page, "导入 3 行").click();
  await expect(done(page)).toBeVisible();
  await expect
    .poll(() => read("K7-", ({ name, department }) => [name, department]))
    .toEqual([
      ["方芳", "临时人员"],
      ["方芳", "临时人员"],
      ["高山", "安全管理部"],
    ]);

  await button(page, "导入另一个文件").click();
  await file(page, "c05-dots.xlsx");
  await check(page);
  await button(page, "导入 9 行").click();
  await expect(done(page)).toBeVisible();
  const nine = Array.from({ length: 9 }, () => "阿卜来提·如则");
  await expect.poll(() => read("M7-", ({ name }) => name)).toEqual(nine);
  expect(await stored(page, server.url, "来提•如则")).toHaveLength(9);

  await button(page, "导入另一个文件").click();
  await file(page, "o03-phones.xlsx");
  await check(page);
  await expect(page.getByText("有问题 5 行")).toBeVisible();
  const two = grid(page).locator("[data-warn='true']").filter({ hasText: "13900139006" });
  await page.getByText("全部行", { exact: true }).click();
  await two.click();
  await expect(page.locator(".import-issue")).toContainText("没有导入 13900139006");
  await button(page, "导入 11 行").click();
  await button(page, "确定").click();
  await expect(done(page)).toBeVisible();
  await expect
    .poll(() => read("OP-", ({ phone }) => phone))
    .toEqual([
      ..."13800138901 13800138902 13800138903 13800138904 13800138905 13800138906".split(" "),
      ..."13800138907 13800138908 010-12345678 13800138910 13800138912".split(" "),
    ]);

  await button(page, "导入另一个文件").click();
  await csv(page, "姓名,工号", "张 三,ZS-1", "周九(离职),ZS-2");
  await check(page);
  await expect(chips(page)).toContainText("请核对是否属于姓名");
  await button(page, "导入 2 行").click();
  await expect(done(page)).toBeVisible();
  await expect.poll(() => read("ZS-", ({ name }) => name)).toEqual(["张三", "周九(离职)"]);
});

test("Missing departments are created after a question, with the corrections that were made", async ({
  people,
  server,
}) => {
  const admin = await people.loggedIn("admin", { path: PAGE });
  const page = admin.pages[0]!;
  const read = reading(page, server.url);
  await file(page, "o04-deptpath.xlsx");
  await check(page);
  await expect(page.getByText("有问题 3 行")).toBeVisible();
  const missing = page.getByTestId("import-missing");
  await expect(missing).toContainText("信息技术部/一组（2 行）");
  await expect(missing).toContainText("信息部（1 行）");
  // A correction before the departments are created stays.
  await grid(page).getByRole("gridcell", { name: "信息部", exact: true }).dblclick();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("信息技术部");
  await page.keyboard.press("Enter");
  await expect(page.getByText("有问题 2 行")).toBeVisible();
  await button(page, "新建部门…").click();
  const dialog = page.getByRole("dialog", { name: "新建部门" });
  await expect(dialog.getByRole("checkbox")).toHaveCount(1);
  await shoot(page, "import-missing-departments");
  await expectAccessible(page, "missing departments");
  await dialog.getByRole("button", { name: "新建 1 个部门" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(/有问题 \d+ 行/)).toHaveCount(0);
  await expect(missing).toHaveCount(0);
  await button(page, "导入 6 行").click();
  await expect(done(page)).toBeVisible();
  await expect
    .poll(() => read("OD-", ({ department }) => department))
    .toEqual(["一组", "信息技术部", "一组", "信息技术部", "信息技术部", "信息技术部"]);
});

test("Contradictions, doubtful days, sign-off lines and columns that are left out are shown before anything is sent", async ({
  people,
  server,
}) => {
  const admin = await people.loggedIn("admin", { path: PAGE });
  const page = admin.pages[0]!;
  const read = reading(page, server.url);
  await file(page, "o12-birthmis.xlsx");
  await check(page);
  await expect(page.getByText("有问题 2 行")).toBeVisible();
  await grid(page).getByRole("gridcell", { name: "女", exact: true }).click();
  await expect(page.locator(".import-issue")).toContainText("身份证号中的性别是男");
  await button(page, "采用").click();
  await grid(page).getByRole("gridcell", { name: "1990-05-05", exact: true }).click();
  await button(page, "采用").click();
  await expect(page.getByText("有问题 1 行")).toBeVisible();
  await button(page, "导入 1 行").click();
  await button(page, "确定").click();
  await expect(done(page)).toBeVisible();
  await expect
    .poll(() => read("OB-", ({ gender, birthday }) => [gender, birthday]))
    .toEqual([["1", "1985-01-01"]]);

  await button(page, "导入另一个文件").click();
  await file(page, "o15-totals.xlsx");
  await check(page);
  const total = page.getByTestId("import-total");
  await expect(total).toContainText("第 4 行（制表人：李娜）、第 5 行（合计）像是合计行或落款行");
  await button(page, "不导入这些行").click();
  await expect(total).toContainText("不会导入");
  await button(page, "导入 2 行").click();
  await expect(done(page)).toBeVisible();
  await expect.poll(() => read("OT-", ({ name }) => name)).toEqual(["甲总一", "甲总二"]);

  await button(page, "导入另一个文件").click();
  await file(page, "landline-and-mobile.xlsx");
  await expect(page.getByTestId("import-left-out")).toContainText(
    "序号（3 个值）、编号（3 个值）、电话（3 个值）",
  );
  await check(page);
  await expect(page.getByTestId("import-left-out")).toContainText("电话（3 个值）");
  await button(page, "导入 3 行").click();
  await expect(done(page)).toBeVisible();
  await expect
    .poll(() => read("OQ-", ({ phone }) => phone))
    .toEqual(["13800138001", "13800138002", "13800138003"]);

  await button(page, "导入另一个文件").click();
  await csv(page, "姓名,工号,出生日期", "甲一,DD-1,2085-01-01", "甲二,DD-2,1985-01-01");
  await check(page);
  await expect(page.getByText("有提醒 1 行")).toBeVisible();
  await expect(chips(page)).toContainText("在今天之后");
  await expect(button(page, "导入 2 行")).toBeEnabled();
});

test("Corrections outlive the tab: they are offered with the same file, and nobody loses them without a question", async ({
  people,
}) => {
  people.expectComplaints(/WebSocket connection|ERR_CONNECTION|Failed to load resource/);
  const admin = await people.loggedIn("admin", { path: PAGE, tabs: 2 });
  const [page, other] = [admin.pages[0]!, admin.pages[1]!];
  await file(page, "edits-60.csv");
  await check(page);
  await expect(page.getByText("有问题 20 行")).toBeVisible();
  const correct = async (at: Page, left: number): Promise<void> => {
    await grid(at).locator("[data-wrong='true']").first().dblclick();
    await at.keyboard.press("ControlOrMeta+a");
    await at.keyboard.type(`139000000${left}`);
    await at.keyboard.press("Enter");
    await expect(at.getByText(`有问题 ${left} 行`)).toBeVisible();
  };
  await correct(page, 19);
  await correct(page, 18);

  // Back to the columns: they are there, and the check makes them again.
  await button(page, "返回核对列").click();
  await expect(page.getByTestId("import-kept")).toContainText("2 处修改");
  await check(page);
  await expect(page.getByText("有问题 18 行")).toBeVisible();

  // Another file, another page: a question first.
  await button(page, "返回核对列").click();
  await button(page, "换一个文件").click();
  await expect(page.getByText("有 2 处修改尚未导入")).toBeVisible();
  await button(page, "取消").click();
  await page.getByRole("navigation").getByRole("link", { name: "首页" }).first().click();
  await expect(page.getByText("确定离开吗")).toBeVisible();
  await shoot(page, "import-leave");
  await button(page, "留在本页").click();
  await expect(page).toHaveURL(new RegExp(PAGE));
  await check(page);
  await correct(page, 17);

  // The tab crashes. Another one offers them with the same file.
  await crash(page);
  await other.goto(PAGE);
  await file(other, "edits-60.csv");
  await expect(other.getByTestId("import-kept")).toContainText("3 处修改，尚未导入");
  await check(other);
  await expect(other.getByText("有问题 17 行")).toBeVisible();
  await button(other, "撤销").click();
  await expect(other.getByText("有问题 18 行")).toBeVisible();

  // Dropped on request, after a question.
  await button(other, "返回核对列").click();
  await button(other, "放弃这些修改").click();
  await button(other, "确定").click();
  await expect(other.getByTestId("import-kept")).toHaveCount(0);
  await check(other);
  await expect(other.getByText("有问题 20 行")).toBeVisible();
});

test("Three clicks on 保存 in one task make one employee", async ({ people, server }) => {
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = admin.pages[0]!;
  await button(page, "新增").click();
  const dialog = page.getByRole("dialog", { name: "新增员工" });
  await dialog.getByLabel("姓名").fill("三 击");
  await dialog.getByLabel("岗位").fill("三击岗");
  await dialog.getByRole("button", { name: "保存" }).evaluate((save: HTMLElement) => {
    for (let i = 0; i < 3; i += 1) save.click();
  });
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => stored(page, server.url, "三击岗")).toHaveLength(1);
  // The form's text is read as a file's.
  expect(await stored(page, server.url, "三击岗")).toMatchObject([{ name: "三击" }]);
});
