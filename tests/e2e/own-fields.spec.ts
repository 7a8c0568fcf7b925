/** The company's own fields of employees: made in a screen, used in the form, the list, the details, the filter and the export. */
import { readFileSync } from "node:fs";
import { read, utils } from "@e965/xlsx";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import type { Page } from "@playwright/test";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { callerOf } from "../support/rest-caller.ts";

// The new employee must stand on the first page.
test.use({ serverEnv: { TEST_SERVER: "own fields" } });

test("A new field is in the form, the list, the details, the filter and the export of employees, at once in every tab", async ({
  people,
}) => {
  people.expectComplaints(/409/);
  const admin = await people.loggedIn("admin", { path: "/employeeSetfield" });
  const page = admin.pages[0]!;
  await expect(page.getByRole("row").filter({ hasText: "学历" })).toContainText("字典");
  const desk: Page = await admin.open("/supplier/employees");
  await expect(desk.getByRole("row").nth(1)).toBeVisible();

  // By keyboard.
  await page.bringToFront();
  await tabTo(page, page.getByRole("button", { name: "新增" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "新增字段" });
  await dialog.getByLabel("字段名称").fill("姓名");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("该值已被使用")).toBeVisible();
  await dialog.getByLabel("字段名称").fill("鞋码");
  await dialog.getByLabel("类型").click();
  await page.getByRole("option", { name: "数字" }).click();
  await shoot(page, "own-field-form");
  await expectAccessible(page, "form of an own field");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(page.getByRole("row").filter({ hasText: "鞋码" })).toContainText("数字");
  await shoot(page, "own-fields");
  await expectAccessible(page, "own fields");

  await desk.bringToFront();
  await expect(desk.getByRole("columnheader", { name: "鞋码" })).toBeVisible();
  await desk.getByRole("button", { name: "新增" }).click();
  const form = desk.getByRole("dialog", { name: "新增员工" });
  await form.getByLabel("姓名").fill("孙鞋");
  await form.getByLabel("鞋码").fill("41.5");
  await form.getByRole("button", { name: "保存" }).click();
  const row = desk.getByRole("row").filter({ hasText: "孙鞋" });
  await expect(row).toContainText("41.5");
  await shoot(desk, "employees-own-field");
  await row.getByRole("button", { name: "孙鞋", exact: true }).click();
  const details = desk.getByRole("dialog", { name: "员工详情" });
  await expect(details.locator("div").filter({ hasText: /^鞋码41\.5$/ })).toBeVisible();
  await desk.keyboard.press("Escape");

  const [file] = await Promise.all([
    desk.waitForEvent("download"),
    desk.getByRole("button", { name: "导出" }).click(),
  ]);
  const book = read(readFileSync(await file.path()));
  const rows = utils.sheet_to_json<Record<string, unknown>>(book.Sheets[book.SheetNames[0]!]!);
  expect(rows.find((one) => one["姓名"] === "孙鞋")?.["鞋码"]).toBe("41.5");

  // The filter finds the one person.
  await desk.getByRole("button", { name: "高级筛选" }).click();
  const filter = desk.getByRole("dialog", { name: "高级筛选" });
  await filter.getByLabel("字段").first().click();
  await desk.getByRole("option", { name: "鞋码" }).click();
  await filter.getByLabel("值").first().fill("41.5");
  await filter.getByRole("button", { name: /^(确定|筛选|应用)$/ }).click();
  await expect(desk.getByTestId("list-total")).toHaveText("共 1 人");

  // Removed, it is gone everywhere, with its values.
  await page.bringToFront();
  await page
    .getByRole("row")
    .filter({ hasText: "鞋码" })
    .getByRole("button", { name: /^删除/ })
    .click();
  await page.getByRole("button", { name: "确定" }).click();
  await expect(page.getByRole("row").filter({ hasText: "鞋码" })).toHaveCount(0);
  await expect(desk.getByRole("columnheader", { name: "鞋码" })).toHaveCount(0);

  // The page is there for everybody (docs/session.md#static-routes); staff reads it and can change nothing.
  const staff = (await people.loggedIn("lina", { path: "/employeeSetfield" })).pages[0]!;
  await expect(staff.getByRole("heading", { name: "员工字段" })).toBeVisible();
  for (const one of await staff.getByRole("switch").all()) await expect(one).toBeDisabled();
  await expect(staff.getByRole("button", { name: "新增" })).toHaveCount(0);
});

test("An own field of the kind dictionary shows its entry as a tag with its colours, in the list and in the details, and its label in the export", async ({
  people,
  server,
}) => {
  const ask = await callerOf(server.url, "admin");
  const entry = {
    dictType: "safety_post",
    dictLabel: "塔吊",
    dictValue: "crane",
    listClass: "danger",
    cssClass: "bold round",
  };
  expect((await ask("POST", restCalls.dictCreate.path, entry)).status).toBe(200);
  const field = { label: "岗哨", type: "dict", dictType: "safety_post", required: false, sort: 1 };
  const made = await ask("POST", restCalls.ownFieldCreate.path, field);
  const { key } = made.data as { key: string };
  const employee = { name: "周塔", custom: { [key]: "crane" } };
  expect((await ask("POST", restCalls.employeeCreate.path, employee)).status).toBe(200);

  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = admin.pages[0]!;
  await page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" }).fill("周塔");
  const row = page.getByRole("row").filter({ hasText: "周塔" });
  const tag = row.locator(".dict-tag");
  await expect(tag).toHaveText("塔吊");
  await expect(tag).toHaveAttribute("data-kind", "danger");
  await expect(tag).toHaveClass("dict-tag bold round");
  await shoot(page, "employees-own-dictionary");
  await expectAccessible(page, "a list with a dictionary of the company's own");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "导出" }).click(),
  ]);
  const book = read(readFileSync(await file.path()));
  const rows = utils.sheet_to_json<Record<string, unknown>>(book.Sheets[book.SheetNames[0]!]!);
  expect(rows.find((one) => one["姓名"] === "周塔")?.["岗哨"]).toBe("塔吊");
  await row.getByRole("button", { name: "周塔", exact: true }).click();
  const shown = page.getByRole("dialog", { name: "员工详情" }).locator(".dict-tag.bold.round");
  await expect(shown).toHaveText("塔吊");
  await expect(shown).toHaveAttribute("data-kind", "danger");
  await shoot(page, "employee-own-dictionary");
});
