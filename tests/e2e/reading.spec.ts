/** When a message counts as read: seen by somebody, not merely drawn in some window. */
import type { Page } from "@playwright/test";
import { answerButton, hangUpButton, openChat, timer } from "../support/calls.ts";
import { composer, sendText } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";

test.use({ serverEnv: { TEST_SERVER: "reading" } });

const message = (page: Page, text: string) => page.locator("li.message").filter({ hasText: text });
const unread = (page: Page) =>
  page.evaluate(() => globalThis.consoleCore.state.chat.conversations["zhangwei"]?.unread ?? 0);
/** Playwright gives every page the focus, so the page is made to lose it. */
const setFocus = (page: Page, focused: boolean) =>
  page.evaluate((has) => {
    document.hasFocus = () => has;
    dispatchEvent(new Event(has ? "focus" : "blur"));
  }, focused);
/** Two rendered frames after the message was drawn: a reading would have begun. */
const frames = (page: Page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
async function isUnread(sender: Page, reader: Page, text: string): Promise<void> {
  await expect(message(reader, text).last()).toBeAttached();
  await expect.poll(() => unread(reader)).toBe(1);
  await expect(message(sender, text).last()).toContainText("已送达");
  await frames(reader);
  expect(await unread(reader), "nothing changes it now").toBe(1);
}
const isRead = async (sender: Page, reader: Page, text: string): Promise<void> => {
  await expect(message(sender, text).last()).toContainText("已读");
  await expect.poll(() => unread(reader)).toBe(0);
};

test("A message is read in a window with focus, once it is in sight, with nothing over it", async ({
  people,
}) => {
  const a = (await people.loggedIn("zhangwei")).pages[0]!;
  const b = (await people.loggedIn("lina")).pages[0]!;
  await openChat(a, "李娜");
  await openChat(b, "张伟");
  await sendText(a, "看得到");
  await isRead(a, b, "看得到");

  await setFocus(b, false);
  await sendText(a, "窗口没有焦点");
  await isUnread(a, b, "窗口没有焦点");
  await expect(b.getByText("新消息", { exact: true })).toBeVisible();
  await setFocus(b, true);
  await isRead(a, b, "窗口没有焦点");

  // anything over the messages: here a dialog with its mask
  await b.getByRole("button", { name: "发送名片" }).click();
  const dialog = b.getByRole("dialog", { name: "发送名片" });
  await expect(dialog).toBeVisible();
  await sendText(a, "被窗口挡住");
  await isUnread(a, b, "被窗口挡住");
  await b.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await isRead(a, b, "被窗口挡住");

  // the window of a call, until it is small
  await a.getByRole("button", { name: "语音通话" }).click();
  await answerButton(b).click();
  await expect(timer(b).first()).toBeVisible();
  await a.getByRole("button", { name: "最小化" }).click();
  await sendText(a, "被通话挡住");
  await isUnread(a, b, "被通话挡住");
  await b.getByRole("button", { name: "最小化" }).click();
  await isRead(a, b, "被通话挡住");
  await hangUpButton(a).click();
  await expect(timer(b)).toHaveCount(0);

  // scrolled up
  for (let n = 1; n <= 25; n += 1) await sendText(a, `第 ${n} 条`);
  await isRead(a, b, "第 25 条");
  await b.getByRole("log").evaluate((box) => box.scrollTo(0, 0));
  await expect(b.getByRole("button", { name: "回到最新消息" })).toBeVisible();
  await sendText(a, "在下面");
  await isUnread(a, b, "在下面");
  await b.locator(".messages-newest").click();
  await isRead(a, b, "在下面");
  await expect(composer(b)).toBeVisible();
});
