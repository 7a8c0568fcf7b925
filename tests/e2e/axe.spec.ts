/** Accessibility: no serious or critical violation on any screen, light or dark, and a call with the keyboard alone. */
import type { Locator, Page } from "@playwright/test";
import { answerButton, callStatus, dial, hangUpButton, openChat } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible } from "../support/look.ts";
import { goTo } from "../support/outage.ts";
import { PASSWORD } from "../support/people.ts";

test("Login, dashboard, people and operations have no serious violation", async ({ people }) => {
  const anyone = await people.anonymous("lina");
  const login = await anyone.open("/login");
  await expect(login.getByRole("button", { name: "登录" })).toBeVisible();
  await expectAccessible(login, "login");

  const ops = await people.loggedIn("ops", { path: "/dashboard" });
  const page = ops.pages[0]!;
  await expect(page.getByRole("heading").first()).toBeVisible();
  await expectAccessible(page, "dashboard");
  await page.goto("/im/people");
  await openChat(page, "李娜");
  const box = page.getByRole("textbox").last();
  await box.fill("明天上午十点消防演练");
  await box.press("Enter");
  await expect(page.getByText("已发送").first()).toBeVisible();
  await expectAccessible(page, "people and chat");
  await page.getByRole("button", { name: /^用户菜单/ }).click();
  await expect(page.getByRole("menuitem", { name: "退出" })).toBeVisible();
  await expectAccessible(page, "user menu");
  await page.goto("/monitor/runtime");
  await expect(page.locator("canvas").first()).toBeVisible();
  await page
    .getByRole("navigation", { name: "已打开的页面" })
    .getByRole("link", { name: "运行监控" })
    .click({ button: "right" });
  await expect(page.getByRole("menu", { name: "页签操作" })).toBeVisible();
  await expectAccessible(page, "operations with a tag's menu");
});

test("A ringing call, a running call and its charts have no serious violation", async ({
  people,
}) => {
  const ops = await people.loggedIn("ops");
  const li = await people.loggedIn("lina");
  const [a, b] = [ops.pages[0]!, li.pages[0]!];
  await dial(a, "李娜");
  await expect(answerButton(b)).toBeVisible();
  await expectAccessible(b, "ringing");
  await answerButton(b).click();
  await expect.poll(() => callStatus(a)).toBe("chat");
  await expectAccessible(a, "in a call");
  await a.getByRole("button", { name: "最小化" }).click();
  await goTo(a, "运行监控", "系统监控");
  await expect(a.getByRole("region", { name: "发送 · 视频" }).locator("canvas")).toBeVisible({
    timeout: 40_000,
  });
  await expectAccessible(a, "minimised over operations");
});

/** Presses Tab until the element has focus. An element that cannot be reached this way cannot be used without a mouse. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((e) => e === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target, "reached by the Tab key").toBeFocused();
}

test("The keyboard alone suffices to log in, open a person, call and hang up", async ({
  people,
}) => {
  const zhang = await people.anonymous("zhangwei");
  const page = await zhang.open("/login");
  await tabTo(page, page.getByLabel("用户名"));
  await page.keyboard.type("zhangwei");
  await tabTo(page, page.getByLabel("密码"));
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);

  const menus = page.getByRole("navigation", { name: "主菜单" });
  await tabTo(page, menus.getByRole("link", { name: "人员与消息" }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/im\/people$/);
  await tabTo(page, page.locator('button[data-user="lina"]'));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "李娜" })).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "语音通话" }));
  await page.keyboard.press("Enter");
  await expect.poll(() => callStatus(page)).toMatch(/Ring$/);
  await tabTo(page, hangUpButton(page));
  await page.keyboard.press("Enter");
  await expect.poll(() => callStatus(page)).toBe("idle");
  // Focus returns to the button that started the call.
  await expect(page.getByRole("button", { name: "语音通话" })).toBeFocused();
});
