/** Days are chosen in the console's language, whatever the browser speaks. */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

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

test("A day is typed from its first character on, also while the calendar's code loads; what is no day goes when the field is left, and sends no form", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/dashboard" });
  const page = admin.pages[0]!;
  // The calendar comes when the first field was typed into.
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/DayPicker-[^/]*\.js/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/monitor/operlog");
  const filters = page.getByRole("search", { name: "筛选" });
  const [from, to] = [filters.getByLabel("从"), filters.getByLabel("到")];
  await tabTo(page, from);
  await page.keyboard.type("2025-0");
  await expect(from).toHaveValue("2025-0");
  release();
  await expect(filters.locator(".day-field svg").first()).toBeAttached();
  await expect(from).toBeFocused();
  await page.keyboard.type("1-02");
  await expect(from).toHaveValue("2025-01-02");
  await page.keyboard.press("Tab");
  await expect(to).toBeFocused();
  await page.keyboard.type("2025-02-03");
  await expect(to).toHaveValue("2025-02-03");
  await expect(page.locator(".arco-picker-container")).toHaveCount(0);

  // What is no day goes with the focus, and the day is there again; so it is after the calendar was open.
  await page.keyboard.press("Backspace");
  await expect(to).toHaveValue("2025-02-0");
  await page.keyboard.press("Shift+Tab");
  await expect(from).toBeFocused();
  await expect(to).toHaveValue("2025-02-03");
  await to.click();
  const calendar = page.locator(".arco-picker-container");
  await expect(calendar).toBeVisible();
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Tab");
  await expect(calendar).toHaveCount(0);
  await expect(to).toHaveValue("2025-02-03");
  // A click in the calendar leaves the focus in the field.
  await to.click();
  await calendar.locator(".arco-picker-cell-in-view").getByText("15").click();
  await expect(to).toHaveValue("2025-02-15");
  await expect(to).toBeFocused();
  await filters.getByRole("button", { name: "重置" }).click();
  await expect(from).toHaveValue("");
  await expect(to).toHaveValue("");

  // Enter sends no form that would be without what its field shows.
  await page.goto("/supplier/employees");
  await page.getByRole("button", { name: "新增" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("姓名").fill("打字入职");
  await tabTo(page, dialog.getByLabel("入职日期"));
  await page.keyboard.type("2025-3");
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("入职日期")).toHaveValue("2025-3");
  await expect(dialog).toBeVisible();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("2025-03-04");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  const search = page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" });
  await search.fill("打字入职");
  await page.getByRole("button", { name: "编辑 打字入职" }).click();
  await expect(dialog.getByLabel("入职日期")).toHaveValue("2025-03-04");
});
