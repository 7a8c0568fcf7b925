/** The watermark: an administrator turns it on by a setting, and every tab of the company's people shows it at once. */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

test.use({ serverEnv: { TEST_SERVER: "watermark" } });

const mark = (page: Page) => page.locator("body > .watermark");
/** The texts of the picture. */
const texts = (page: Page): Promise<string> =>
  mark(page).evaluate((element) =>
    decodeURIComponent((element as HTMLElement).style.backgroundImage),
  );

test("A setting brings the watermark to every tab, who removes it gets it back, and the setting takes it away", async ({
  people,
}) => {
  const lina = await people.loggedIn("lina", { path: "/im/people", tabs: 2 });
  const admin = await people.loggedIn("admin", { path: "/system/config" });
  const page = admin.pages[0]!;
  const [first, second] = lina.pages as [Page, Page];
  await expect(page.getByRole("row").filter({ hasText: "sys.watermark" })).toContainText("off");
  await expect(mark(first)).toHaveCount(0);

  await page.getByRole("button", { name: "新增" }).click();
  const dialog = page.getByRole("dialog", { name: "新增参数" });
  await dialog.getByLabel("参数名称").fill("本企业水印");
  await dialog.getByLabel("参数键名").fill("sys.watermark");
  await dialog.getByLabel("参数键值").fill("on");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog).toHaveCount(0);
  for (const tab of [first, second, page]) await expect(mark(tab)).toHaveCount(1);
  const day = await first.evaluate(() => {
    const now = new Date();
    return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
      .map((part) => String(part).padStart(2, "0"))
      .join("-");
  });
  await expect.poll(() => texts(first)).toMatch(/>李娜 \S{4}</);
  await expect.poll(() => texts(first)).toContain(`>${day}<`);
  await shoot(page, "watermark");
  await expectAccessible(page, "watermark");
  await expect(first.getByRole("main").first()).toBeVisible();

  // It takes no clicks, is not read out, and comes back.
  await expect(mark(first)).toHaveAttribute("aria-hidden", "true");
  await first.getByRole("button", { name: "搜索", exact: true }).click();
  await first.keyboard.press("Escape");
  for (const attack of [
    (element: Element) => element.remove(),
    (element: Element) =>
      (element as HTMLElement).style.setProperty("display", "none", "important"),
    (element: Element) => element.setAttribute("hidden", ""),
    (element: Element) => element.classList.remove("watermark"),
  ]) {
    await mark(first).evaluate(attack);
    await expect(mark(first)).toHaveCount(1);
    await expect(mark(first)).toBeVisible();
    await expect.poll(() => texts(first)).toContain(`>${day}<`);
  }

  const own = page.getByRole("row").filter({ hasText: "本企业水印" });
  await own.getByRole("button", { name: "编辑 本企业水印" }).click();
  const edit = page.getByRole("dialog", { name: "修改参数" });
  await edit.getByLabel("参数键值").fill("off");
  await edit.getByRole("button", { name: "保存" }).click();
  for (const tab of [first, second, page]) await expect(mark(tab)).toHaveCount(0);
});
