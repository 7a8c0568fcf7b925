/** Chosen employees are exported by the server: POST getExcelByJson2 (docs/session.md#lists). */
import { readFile } from "node:fs/promises";
import { readXlsx, unzip } from "../../src/server/base/xlsx/xlsx.harness.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { callerOf } from "../support/rest-caller.ts";

test("Two of three employees are chosen and exported by keyboard: all their fields, formulas and long digits as texts, the name of the list and the time", async ({
  people,
  server,
}) => {
  const ask = await callerOf(server.url, "admin");
  const path = "/scm-supplier/api/sec/employee";
  for (const [name, position] of [
    ["导出甲", "=1+1"],
    ["导出乙", "@SUM(1)"],
    ["导出丙", "保安"],
  ]) {
    const certificateNo = "12345678901234567890";
    const { status } = await ask("POST", path, { name, position, gender: "1", certificateNo });
    expect(status).toBe(200);
  }
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = admin.pages[0]!;
  await tabTo(page, page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" }));
  await page.keyboard.type("导出");
  await expect(page.getByTestId("list-total")).toHaveText("共 3 人");
  await page.getByRole("row").filter({ hasText: "导出甲" }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  const chosen = page.getByRole("status").filter({ hasText: "已选 2 条" });
  await expect(chosen).toBeVisible();
  await shoot(page, "export-chosen");
  await expectAccessible(page, "chosen employees");
  await chosen.getByRole("button", { name: "导出所选" }).focus();
  const requested = await server.metric("http_requests_total", { method: "POST", status: "200" });
  const download = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^员工列表-\d{8}-\d{6}\.xlsx$/);
  expect(
    await server.metric("http_requests_total", { method: "POST", status: "200" }),
  ).toBeGreaterThan(requested);
  const bytes = await readFile(await file.path());
  const [head = [], ...rows] = readXlsx(bytes);
  const cell = (row: string[] | undefined, title: string) => row?.[head.indexOf(title)];
  expect(rows.map((row) => cell(row, "姓名"))).toEqual(["导出甲", "导出乙"]);
  expect(rows.map((row) => cell(row, "岗位"))).toEqual(["=1+1", "@SUM(1)"]);
  expect(cell(rows[0], "证件号码")).toBe("12345678901234567890");
  expect(cell(rows[0], "性别")).toBe("男");
  const sheet = unzip(bytes).get("xl/worksheets/sheet1.xml")?.toString() ?? "";
  expect(sheet).not.toContain("<f>");
  expect(sheet).toContain('t="inlineStr"><is><t xml:space="preserve">12345678901234567890</t>');

  // Still chosen, and in English with English heads.
  await expect(chosen).toBeVisible();
  await page.getByRole("button", { name: "切换语言" }).click();
  await page.reload();
  await page.getByRole("checkbox", { name: "Select this page" }).focus();
  await page.keyboard.press("Space");
  const english = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export selected" }).click();
  const saved = await english;
  expect(saved.suggestedFilename()).toMatch(/^Employees-\d{8}-\d{6}\.xlsx$/);
  const [titles, ...all] = readXlsx(await readFile(await saved.path()));
  expect(titles?.slice(0, 3)).toEqual(["Employee no.", "Name", "Gender"]);
  expect(all).toHaveLength(3);
});

test("Who may not read employees has no export of them", async ({ people }) => {
  people.expectComplaints(/403/);
  const lina = await people.loggedIn("lina", { path: "/dashboard" });
  const page = lina.pages[0]!;
  await page.evaluate(() =>
    globalThis.consoleCore.commands.downloads.start({
      key: "refused",
      name: "x.xlsx",
      source: {
        kind: "call",
        call: "employees.export",
        params: { a: "employed", b: "x" },
        query: { dataIds: "1" },
        body: {},
      },
    }),
  );
  const outcome = () =>
    page.evaluate(() => globalThis.consoleCore.state.downloads.byKey["refused"]?.error?.code);
  await expect.poll(outcome).toBe("auth.forbidden");
});
