/** The whole frame follows the language, and narrow tables show that they continue. */
import { conversationRow } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { shoot } from "../support/look.ts";

// The titles of pages count unread messages, so none of other tests may be there.
test.use({ serverEnv: { TEST_SERVER: "language" } });

const CHINESE = /\p{Script=Han}/u;

test("In English, no Chinese is left in menus, breadcrumb, tags and window title", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = admin.pages[0]!;
  await expect(page).toHaveTitle("员工列表 - 城市综合安全服务平台");
  await page.goto("/monitor/runtime");
  await page.goto("/supplier/employees");
  await page.getByRole("button", { name: "切换语言" }).click();
  await expect(page).toHaveTitle("Employee list - City Comprehensive Safety Service Platform");
  for (const name of ["Main menu", "Breadcrumb", "Open pages"]) {
    const part = page.getByLabel(name, { exact: true }).first();
    await expect(part).toBeVisible();
    await expect.poll(() => part.innerText(), { message: name }).not.toMatch(CHINESE);
  }
  await expect(page.getByRole("link", { name: "People and messages" }).first()).toBeVisible();
  // The menu's English name survives a reload.
  await page.reload();
  await expect(page).toHaveTitle("Employee list - City Comprehensive Safety Service Platform");
  await shoot(page, "employees-english");
});

test("A narrow window shows that a table continues to the right until its end is reached", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = admin.pages[0]!;
  const list = page.getByRole("table");
  await expect(list).toBeVisible();
  await expect(list).not.toHaveAttribute("data-more-right");
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(list).toHaveAttribute("data-more-right");
  await expect(list).not.toHaveAttribute("data-more-left");
  await list.evaluate((box) => box.scrollTo({ left: box.scrollWidth }));
  await expect(list).toHaveAttribute("data-more-left");
  await expect(list).not.toHaveAttribute("data-more-right");
});

test("A person has the same avatar colour on every page", async ({ people }) => {
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = admin.pages[0]!;
  const toneIn = (row: string) =>
    page
      .getByRole(row === "list" ? "listitem" : "row")
      .filter({ hasText: "李娜" })
      .first()
      .locator(".avatar")
      .getAttribute("data-tone");
  const here = await toneIn("row");
  await page.goto("/im/people");
  await expect.poll(() => toneIn("list")).toBe(here);
  expect(here).toMatch(/^[0-5]$/);
});

test("A message of zero-width characters cannot be sent", async ({ people }) => {
  const zhang = await people.loggedIn("zhangwei", { path: "/im/people" });
  const page = zhang.pages[0]!;
  await conversationRow(page, "李娜").click();
  const box = page.getByRole("textbox").last();
  await box.fill("\u200b\u200d\ufeff");
  await expect(page.getByRole("button", { name: "发送", exact: true })).toBeDisabled();
  await box.fill("好\u200b");
  await expect(page.getByRole("button", { name: "发送", exact: true })).toBeEnabled();
});
