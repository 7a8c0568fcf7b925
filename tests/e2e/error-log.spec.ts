/** The error log: an error in one person's page reaches the list of the administrator, without what may name anybody. */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

test.use({ serverEnv: { TEST_SERVER: "error log" } });

test("An error that a page does not handle appears in the open error log, and its drawer shows the stack", async ({
  people,
}) => {
  people.expectComplaints(/^lina: (uncaught|error): .*(no such thing|not handled)/);
  const admin = await people.loggedIn("admin", { path: "/monitor/errors" });
  const page = admin.pages[0]!;
  await expect(page.getByText("暂无数据")).toBeVisible();

  const lina = await people.loggedIn("lina", { path: "/dashboard" });
  await lina.pages[0]!.evaluate(() => history.replaceState(null, "", "/dashboard?secret=1"));
  // The address stands for that of a script of the console.
  await lina.pages[0]!.evaluate(`
    setTimeout(function lateStep() {
      throw new TypeError('no such thing "typed by 张伟" 13800001234 (reading \\'owner\\')');
    }, 0);
    void Promise.reject(new RangeError("not handled"));
    //# sourceURL=http://host.example/assets/late.js?v=1`);

  const row = page.getByRole("row").filter({ hasText: "TypeError" });
  await expect(row).toContainText("TypeError: no such thing \"…\" # (reading 'owner')");
  await expect(row).toContainText("/dashboard");
  await expect(row).toContainText("李娜");
  await expect(row).not.toContainText("secret");
  await expect(page.getByRole("row").filter({ hasText: "RangeError: not handled" })).toBeVisible();
  await shoot(page, "error-log");
  await expectAccessible(page, "error-log");

  await row.click();
  const drawer = page.getByRole("dialog");
  await expect(drawer.locator("pre")).toContainText(/^lateStep \(\/assets\/late\.js:\d+:\d+\)/);
  await expect(drawer).not.toContainText("13800001234");
  await shoot(page, "error-log-details");
  await expectAccessible(page, "error-log-details");
  await page.keyboard.press("Escape");

  await page.getByPlaceholder("错误、页面或用户").fill("RangeError");
  await expect(row).toHaveCount(0);
  await expect(page.getByRole("row").filter({ hasText: "RangeError" })).toBeVisible();

  // Who may not see the log has no page of it.
  await lina.pages[0]!.goto("/monitor/errors");
  await expect(lina.pages[0]!).toHaveURL(/\/404$/);
});
