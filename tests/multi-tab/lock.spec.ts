/** The lock of the console: every tab hides its pages, calls go on, and the password brings everything back. */
import type { Page } from "@playwright/test";
import { answerButton, dial, expectMedia, openChat, waitForOwner } from "../support/calls.ts";
import { composer } from "../support/chat.ts";
import { coreId, killCore } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { PASSWORD } from "../support/people.ts";

const field = (page: Page) => page.getByLabel("登录密码");

async function expectLocked(page: Page): Promise<void> {
  await expect(field(page)).toBeVisible();
  await expect(page).toHaveTitle(/^已锁定/);
  await expect(page.locator(".app-frame, .layout, .page, .arco-modal, .arco-drawer")).toHaveCount(
    0,
  );
}

async function lock(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^用户菜单/ }).click();
  await page.getByRole("menuitem", { name: "锁定屏幕" }).click();
  await expectLocked(page);
}

test("A lock hides all tabs, survives a reload and the death of the core, and the password brings pages, input and dialogs back", async ({
  people,
}) => {
  people.expectComplaints(/status of 400/);
  const admin = await people.loggedIn("admin", {
    path: "/system/config",
    tabs: 2,
    killsCore: true,
  });
  const [page, other] = admin.pages as [Page, Page];
  const reloaded = await admin.open("/supplier/employees");
  await expect(reloaded.getByRole("row").nth(2)).toBeVisible();
  await other.getByRole("button", { name: "新增" }).click();
  const dialog = other.getByRole("dialog", { name: "新增参数" });
  await dialog.getByLabel("参数名称").fill("没写完");
  const filter = page.getByRole("search").getByRole("textbox", { name: "参数键名" });
  await filter.fill("sys");

  await lock(page);
  await expectLocked(other);
  await expectLocked(reloaded);
  expect(await other.content()).not.toContain("没写完");
  await shoot(page, "lock");
  await expectAccessible(page, "lock screen");
  // No key of the console opens anything.
  await other.keyboard.press("Control+k");
  await other.keyboard.press("?");
  await expectLocked(other);

  await reloaded.goto("/dashboard");
  await expectLocked(reloaded);
  const before = await coreId(page);
  await killCore(page);
  for (const tab of [page, other, reloaded]) {
    await expect.poll(() => coreId(tab)).not.toBe(before);
    await expectLocked(tab);
  }

  await field(page).fill("wrong-one");
  await page.keyboard.press("Enter");
  await expect(page.getByText("密码不正确")).toBeVisible();
  await expect(field(page)).toBeFocused();
  await expectLocked(other);
  await page.keyboard.type(PASSWORD);
  await tabTo(page, page.getByRole("button", { name: "解锁" }));
  await page.keyboard.press("Enter");
  await expect(filter).toHaveValue("sys");
  await expect(page).not.toHaveTitle(/已锁定/);
  await expect(dialog.getByLabel("参数名称")).toHaveValue("没写完");
  await expect(reloaded.getByRole("heading").first()).toBeVisible();
  // The dialog works as before.
  await dialog.getByRole("button", { name: "取消" }).click();
  await other
    .getByRole("dialog")
    .filter({ hasText: "有未保存的内容" })
    .getByRole("button", { name: "放弃" })
    .click();
  await expect(other.locator(".arco-modal")).toHaveCount(0);

  // A logout from the lock screen leads to the login, which is not locked.
  await lock(page);
  await page.getByRole("button", { name: "退出登录" }).click();
  for (const tab of [page, other, reloaded]) await expect(tab).toHaveURL(/\/login/);
  await expect(field(page)).toHaveCount(0);
});

test("A call is answered and hung up while the console is locked, and its sound and picture go on", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei");
  const li = await people.loggedIn("lina", { tabs: 2 });
  const [a, b] = [zhang.pages[0]!, li.pages[0]!];
  await openChat(a, "李娜");
  await openChat(b, "张伟");
  await composer(b).fill("秘密");
  await lock(b);
  await dial(a, "李娜");
  await answerButton(b).click();
  const ownPage = await waitForOwner(zhang.pages);
  const theirs = await waitForOwner(li.pages);
  await expectMedia(ownPage);
  await expectMedia(theirs);
  expect(await b.content()).not.toContain("秘密");
  await theirs.getByRole("button", { name: "挂断" }).click();
  await expectLocked(b);
  await expect(field(b)).toBeFocused();
  await b.keyboard.type(PASSWORD);
  await b.keyboard.press("Enter");
  await expect(composer(b)).toHaveValue("秘密");
});
