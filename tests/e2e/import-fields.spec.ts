/** A file that is open keeps the company's fields of when it was opened, and the page says what changed (docs/import.md#field-settings). */
import { expect, test } from "../support/fixtures.ts";
import { IMPORT_PAGE, importPageOf } from "../support/import-page.ts";
import { expectAccessible, shoot } from "../support/look.ts";

// The company's fields change.
test.use({ serverEnv: { TEST_SERVER: "import fields" } });

test("Fields that the company changes while a file is open are said in words; nothing that was mapped or corrected is lost", async ({
  people,
  server,
}) => {
  const admin = await people.loggedIn("admin", { path: IMPORT_PAGE });
  const page = admin.pages[0]!;
  const file = importPageOf(page, server.url);
  const settings = await admin.open("/employeeSetfield");
  await page.bringToFront();
  await file.chooseCsv("姓名,手机号码,备注", "孙字段,12345,第一批", "李字段,13912340002,第一批");
  await page.getByRole("button", { name: "开始检查" }).click();
  await expect(page.getByText("有问题 1 行")).toBeVisible();
  const wrong = file.grid.locator("[data-wrong='true']").filter({ hasText: "12345" });
  await wrong.click();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("13912340001");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "导入 2 行" })).toBeVisible();
  const note = page.getByTestId("import-fields");
  await expect(note).toHaveCount(0);

  await settings.bringToFront();
  const use = settings.getByRole("switch", { name: "使用 备注", exact: true });
  await use.click();
  await settings.getByRole("button", { name: "保存" }).click();
  await page.bringToFront();
  await expect(note).toContainText("采用新设置后才能导入");
  await expect(note).toContainText("不再使用：备注");
  await expectAccessible(page, "an import whose fields changed");
  await shoot(page, "import-fields-changed");
  // it is not sent with a field that the server would refuse
  await page.getByRole("button", { name: "导入 2 行" }).click();
  await expect(page.getByRole("button", { name: "导入 2 行" })).toBeEnabled();
  await expect(note).toBeVisible();

  await note.getByRole("button", { name: "采用新设置" }).click();
  await expect(note).toHaveCount(0);
  const column = page.getByRole("row").filter({ hasText: "备注" });
  await expect(column).toContainText("备注（企业已不再使用）");
  await expect(page.getByTestId("import-left-out")).toContainText("备注（2 个值）");
  await shoot(page, "import-fields-adopted");

  // used again: the column counts again
  await settings.bringToFront();
  await use.click();
  await settings.getByRole("button", { name: "保存" }).click();
  await page.bringToFront();
  await expect(note).toContainText("新增：备注");
  await note.getByRole("button", { name: "采用新设置" }).click();
  await expect(page.getByTestId("import-left-out")).toHaveCount(0);
  await page.getByRole("button", { name: "开始检查" }).click();
  await expect(page.getByRole("button", { name: "导入 2 行" })).toBeVisible();
  await file.send(2);
  expect(await file.read("字段", ({ phone, remark }) => [phone, remark])).toEqual([
    ["13912340001", "第一批"],
    ["13912340002", "第一批"],
  ]);
});
