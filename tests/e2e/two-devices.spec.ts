/** One person at two browsers: a new device shows the conversations at once, and both agree on what is unread, pinned and gone. */
import type { Page } from "@playwright/test";
import { composer, sendText } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";

/** What the list says of a conversation. */
const row = (page: Page) => page.locator('.contact-row:has([data-user="zhangwei"])');
const unread = (page: Page) => row(page).locator(".count-badge");
const act = async (page: Page, name: string): Promise<void> => {
  await row(page).click({ button: "right" });
  await page.getByRole("menuitem", { name }).click();
};

test("A second device begins with the last messages and unread numbers, and follows reading, pinning and deletion", async ({
  people,
}) => {
  const zhang = (await people.loggedIn("zhangwei")).pages[0]!;
  await zhang.goto("/im/people?chat=lina");
  await expect(composer(zhang)).toBeVisible();
  const first = (await people.loggedIn("lina")).pages[0]!;
  // Whatever earlier tests left is read, and the server knows it.
  await sendText(zhang, "先前的话");
  await row(first).getByRole("button").first().click();
  await expect(zhang.locator('.message[data-status="read"]').last()).toContainText("先前的话");
  await expect(unread(first)).toHaveCount(0);
  await first.goto("/im/people");
  await sendText(zhang, "巡查计划发您了");
  await sendText(zhang, "请看一下");
  await expect(row(first)).toContainText("请看一下");
  await expect(unread(first)).toHaveText("2");

  const second = (await people.loggedIn("lina")).pages[0]!;
  await expect(row(second)).toContainText("请看一下");
  await expect(unread(second)).toHaveText("2");
  const title = await first.title();
  await expect(second).toHaveTitle(title);
  await sendText(zhang, "下午三点开会");
  for (const page of [first, second]) {
    await expect(row(page)).toContainText("下午三点开会");
    await expect(unread(page)).toHaveText("3");
  }

  // A message is read in a window with the focus.
  await first.bringToFront();
  await row(first).getByRole("button").first().click();
  await expect(first.locator(".message-bubble").last()).toHaveText("下午三点开会");
  for (const page of [first, second]) await expect(unread(page)).toHaveCount(0);
  await act(second, "置顶会话");
  for (const page of [first, second])
    await expect(row(page)).toHaveAttribute("data-pinned", "true");
  await act(first, "取消置顶");
  for (const page of [first, second])
    await expect(row(page)).toHaveAttribute("data-pinned", "false");

  await row(second).getByRole("button").first().click();
  await expect(composer(second)).toBeVisible();
  await act(first, "删除会话");
  for (const page of [first, second]) {
    await expect(row(page)).not.toContainText("下午三点开会");
    await expect(composer(page)).toHaveCount(0);
  }
  await sendText(zhang, "会议改到四点");
  for (const page of [first, second]) {
    await expect(row(page)).toContainText("会议改到四点");
    await expect(unread(page)).toHaveText("1");
  }
  // The history is still there.
  await row(second).getByRole("button").first().click();
  await expect(second.locator(".message-bubble").last()).toHaveText("会议改到四点");
  await expect(second.getByText("下午三点开会")).toBeVisible();
});
