/** Days are chosen in the console's language, whatever the browser speaks. */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

test("A day is chosen from a calendar in the console's language or typed, and Escape closes the calendar alone", async ({
  people,
}) => {
  const [page] = (await people.loggedIn("admin", { path: "/monitor/operlog" })).pages;
  const from = page!.getByRole("search", { name: "筛选" }).getByLabel("从");
  await expect(page!.locator('input[type="date"]')).toHaveCount(0);
  await from.click();
  const calendar = page!.locator(".arco-picker-container");
  await expect(calendar.locator(".arco-picker-week-list")).toContainText("一");
  await expect(calendar).toContainText("今天");
  await expectAccessible(page!, "a calendar");
  await shoot(page!, "date-filter");
  await from.press("Escape");
  await expect(calendar).toHaveCount(0);
  await from.fill("2025-01-02");
  await expect(calendar).toHaveCount(0);
  await expect(from).toHaveValue("2025-01-02");

  await page!.goto("/supplier/employees");
  await page!.getByRole("button", { name: "新增" }).click();
  const dialog = page!.getByRole("dialog");
  const hired = dialog.getByLabel("入职日期");
  await hired.click();
  await page!.locator(".arco-picker-container .arco-picker-cell-in-view").getByText("15").click();
  await expect(hired).toHaveValue(/^\d{4}-\d{2}-15$/);
  await hired.click();
  await hired.press("Escape");
  await expect(page!.locator(".arco-picker-container")).toHaveCount(0);
  await expect(dialog).toBeVisible();
});
