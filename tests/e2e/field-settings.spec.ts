/** Which fields a company uses: set by the keyboard in one page, followed by every other page of everybody. */
import { readFileSync } from "node:fs";
import { read, utils } from "@e965/xlsx";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { IMPORT_PAGE, importPageOf } from "../support/import-page.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

// The test changes the company's settings, so it has a server of its own.
test.use({ serverEnv: { TEST_SERVER: "field settings" } });

const switchOf = (page: Page, name: string) => page.getByRole("switch", { name, exact: true });
const labels = (page: Page) => page.locator(".field-settings-row strong");
const save = (page: Page) => page.getByRole("button", { name: "保存" });
const header = (page: Page, name: string) => page.getByRole("columnheader", { name });

test("A field that is switched off and one that becomes required, by the keyboard, hold in every page of everybody", async ({
  people,
  server,
}) => {
  test.slow();
  // In a browser of its own, which has another core.
  const elsewhere = await people.loggedIn("admin", { path: "/supplier/employees" });
  const other = elsewhere.pages[0]!;
  await expect(header(other, "岗位")).toBeVisible();
  const admin = await people.loggedIn("admin", { path: "/employeeSetfield" });
  const page = admin.pages[0]!;
  const desk = await admin.open("/supplier/employees");
  await expect(header(desk, "岗位")).toBeVisible();
  // A form that is open follows too.
  await desk.getByRole("button", { name: "新增" }).click();
  const form = desk.getByRole("dialog", { name: "新增员工" });
  await expect(form.getByLabel("岗位")).toBeVisible();

  await page.bringToFront();
  await expect(labels(page).nth(1)).toHaveText("姓名");
  await expect(switchOf(page, "使用 姓名")).toBeDisabled();
  await expect(page.getByText("系统以姓名识别员工")).toBeVisible();
  await expect(save(page)).toBeDisabled();
  await shoot(page, "field-settings");
  await expectAccessible(page, "fields of employees");
  await tabTo(page, switchOf(page, "电子邮箱 必填"));
  await page.keyboard.press("Space");
  await tabTo(page, switchOf(page, "使用 岗位"));
  await page.keyboard.press("Space");
  await expect(switchOf(page, "使用 岗位")).not.toBeChecked();
  // It goes up by one, and keeps the focus.
  await page.keyboard.press("Alt+ArrowUp");
  await expect(page.getByText("岗位 现为第 8 个", { exact: false })).toBeVisible();
  await expect(switchOf(page, "使用 岗位")).toBeFocused();
  await expect(page.getByText("有未保存的更改")).toBeVisible();
  await shoot(page, "field-settings-changed");

  // The menu does not lead away without a question.
  await page
    .getByRole("navigation", { name: "主菜单" })
    .getByRole("link", { name: "企业资料" })
    .click();
  await expect(page.getByText("字段设置有未保存的更改，确定要离开吗？")).toBeVisible();
  await page.getByRole("button", { name: "继续编辑" }).click();
  await expect(page).toHaveURL(/employeeSetfield$/);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await tabTo(page, save(page));
  await page.keyboard.press("Enter");
  await expect(save(page)).toBeDisabled();
  await expect(page.getByText("有未保存的更改")).toHaveCount(0);
  await expect(labels(page).nth(7)).toHaveText("岗位");

  // Everybody's open pages follow.
  await expect(header(other, "岗位")).toHaveCount(0);
  await expect(header(other, "部门")).toBeVisible();
  await desk.bringToFront();
  await expect(form.getByLabel("岗位")).toHaveCount(0);
  await form.getByLabel("姓名").fill("孙新规");
  await form.getByRole("button", { name: "保存" }).click();
  await expect(form.locator('[data-field="email"]')).toContainText("请填写电子邮箱");
  await shoot(desk, "field-settings-form");
  await form.getByLabel("电子邮箱").fill("sun@example.com");
  await form.getByRole("button", { name: "保存" }).click();
  await expect(form).toHaveCount(0);
  await expect(header(desk, "岗位")).toHaveCount(0);
  await desk.getByRole("button", { name: "孙新规", exact: true }).click();
  const details = desk.getByRole("dialog", { name: "员工详情" });
  await expect(details.getByText("sun@example.com")).toBeVisible();
  await expect(details.getByText("岗位", { exact: true })).toHaveCount(0);
  await desk.keyboard.press("Escape");
  await desk.getByRole("button", { name: "高级筛选" }).click();
  const filter = desk.getByRole("dialog", { name: "高级筛选" });
  await filter.getByLabel("字段").first().click();
  await expect(desk.getByRole("option", { name: "电子邮箱" })).toBeVisible();
  await expect(desk.getByRole("option", { name: "岗位" })).toHaveCount(0);
  await desk.keyboard.press("Escape");
  await desk.keyboard.press("Escape");
  await expect(filter).toHaveCount(0);
  const [file] = await Promise.all([
    desk.waitForEvent("download"),
    desk.getByRole("button", { name: "导出" }).click(),
  ]);
  const book = read(readFileSync(await file.path()));
  const [titles] = utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1 });
  expect(titles).toContain("部门");
  expect(titles).not.toContain("岗位");

  // An import leaves the column out, and finds the row without a value.
  const importing = importPageOf(await admin.open(IMPORT_PAGE), server.url);
  await importing.page.bringToFront();
  await importing.chooseCsv("姓名,岗位,电子邮箱", "周甲,保安,zhou@example.com", "周乙,保安,");
  await expect(importing.page.getByText("企业未使用该字段，不导入")).toBeVisible();
  await shoot(importing.page, "field-settings-import");
  await importing.check();
  await expect(importing.chips.filter({ hasText: "电子邮箱不能为空" })).toHaveCount(1);

  // In English, and back to what every company has.
  await page.bringToFront();
  await page.getByRole("button", { name: "切换语言" }).click();
  await expect(page.getByRole("switch", { name: "Use Position" })).not.toBeChecked();
  await shoot(page, "field-settings-en");
  await expectAccessible(page, "fields of employees in English");
  await page.getByRole("button", { name: "Restore defaults" }).click();
  await page.getByRole("button", { name: "OK", exact: true }).click();
  await expect(page.getByRole("switch", { name: "Use Position" })).toBeChecked();
  await expect(page.getByRole("switch", { name: "Email is required" })).not.toBeChecked();
  await expect(header(other, "岗位")).toBeVisible();
});

test("The company uses and requires fields of its own record", async ({ people }) => {
  const admin = await people.loggedIn("admin", { path: "/setfield" });
  const page = admin.pages[0]!;
  const profile = await admin.open("/system/company");
  await expect(profile.getByText("法定代表人")).toBeVisible();
  await page.bringToFront();
  await expect(switchOf(page, "使用 统一社会信用代码")).toBeDisabled();
  await switchOf(page, "使用 法定代表人").click();
  await switchOf(page, "企业简称 必填").click();
  await shoot(page, "company-fields");
  await expectAccessible(page, "fields of the company");
  await save(page).click();
  await expect(save(page)).toBeDisabled();
  await profile.bringToFront();
  await expect(profile.getByText("法定代表人")).toHaveCount(0);
  await profile.getByRole("button", { name: "编辑" }).click();
  const form = profile.getByRole("dialog", { name: "编辑企业资料" });
  await expect(form.getByLabel("法定代表人")).toHaveCount(0);
  await form.getByLabel("企业简称").fill("");
  await form.getByRole("button", { name: "保存" }).click();
  await expect(form.locator('[data-field="shortName"]')).toContainText("请填写企业简称");
  await expect(form).toBeVisible();
});

test("Two people who set up fields keep what both of them changed", async ({ people }) => {
  const admin = await people.loggedIn("admin", { path: "/employeeSetfield", tabs: 2 });
  const [page, other] = [admin.pages[0]!, admin.pages[1]!];
  await page.bringToFront();
  await switchOf(page, "使用 备注").click();
  await other.bringToFront();
  await switchOf(other, "部门 必填").click();
  await save(other).click();
  await expect(save(other)).toBeDisabled();
  await page.bringToFront();
  await expect(page.getByText("字段设置刚有变化", { exact: false })).toBeVisible();
  await expect(switchOf(page, "部门 必填")).toBeChecked();
  await save(page).click();
  await expect(save(page)).toBeDisabled();
  for (const tab of [page, other]) {
    await expect(switchOf(tab, "使用 备注")).not.toBeChecked();
    await expect(switchOf(tab, "部门 必填")).toBeChecked();
  }
  // By dragging.
  await page.bringToFront();
  const handle = page.locator('[data-key="gender"] .field-settings-handle');
  const target = page.locator('[data-key="employeeNo"]');
  await handle.hover();
  await page.mouse.down();
  await expect(page.locator('[data-key="gender"]')).toHaveAttribute("data-dragged", "true");
  const to = await target.boundingBox();
  await page.mouse.move(to!.x + 20, to!.y + 10, { steps: 5 });
  await page.mouse.up();
  await expect(labels(page).first()).toHaveText("性别");
});

test("Both pages of fields have their address for everybody, and who may not change fields reads them", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei", { path: "/setfield" });
  const page = zhang.pages[0]!;
  await expect(page.getByRole("heading", { name: "企业字段" })).toBeVisible();
  await expect(switchOf(page, "使用 法定代表人")).toBeDisabled();
  await page.goto("/employeeSetfield");
  await expect(page.getByRole("heading", { name: "员工字段" })).toBeVisible();
  await expect(switchOf(page, "使用 岗位")).toBeDisabled();
  await expect(save(page)).toHaveCount(0);
});
