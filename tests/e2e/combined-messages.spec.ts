/** Selecting messages, forwarding them one by one or combined, opening combined messages, and deleting. */
import type { Page } from "@playwright/test";
import { openChat } from "../support/calls.ts";
import { composer, sendText, unsent } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

// A conversation of other tests would change the number of messages.
test.use({ serverEnv: { TEST_SERVER: "combined messages" } });

const message = (page: Page, text: string) => page.locator("li.message").filter({ hasText: text });
const box = (page: Page, text: string) =>
  page.getByRole("checkbox", { name: new RegExp(`的消息：${text}`) });
const bar = (page: Page) => page.getByRole("toolbar", { name: "多选操作" });
const card = (page: Page) => page.getByRole("button", { name: /^打开聊天记录/ });
async function pastePicture(page: Page): Promise<void> {
  await composer(page).evaluate(async (area) => {
    const canvas = document.createElement("canvas");
    canvas.width = 320;
    canvas.height = 200;
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.fillStyle = "#1a7f37";
    context.fillRect(0, 0, 320, 200);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (blob === null) throw new Error("no picture");
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([blob], "image.png", { type: "image/png" }));
    area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  });
}
async function selectFrom(page: Page, text: string): Promise<void> {
  const item = message(page, text).last();
  await item.hover();
  await item.getByRole("button", { name: "消息操作" }).click();
  await page.getByRole("menuitem", { name: "多选", exact: true }).click();
  await expect(bar(page)).toBeVisible();
}
async function sendTo(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "转发给" });
  await dialog.getByRole("textbox").fill(name);
  await dialog.locator("label").filter({ hasText: name }).click();
  await dialog.getByRole("button", { name: "转发" }).click();
  await expect(dialog).toBeHidden();
  await expect(bar(page)).toBeHidden();
}

test("Messages are selected by mouse and keyboard, forwarded one by one and combined, read by the receiver, and deleted", async ({
  people,
}) => {
  const a = (await people.loggedIn("zhangwei")).pages[0]!;
  const b = (await people.loggedIn("lina")).pages[0]!;
  const c = (await people.loggedIn("admin")).pages[0]!;
  await openChat(a, "李娜");
  await openChat(b, "张伟");
  for (const text of ["巡检几点开始？", "带上记录表"]) {
    await sendText(a, text);
    await expect(message(b, text)).toBeVisible();
  }
  await sendText(b, "三点，在一号楼");
  await expect(message(a, "三点，在一号楼")).toBeVisible();
  await pastePicture(a);
  await a.getByRole("dialog").getByRole("button", { name: /^发送/ }).click();
  await expect(b.getByRole("button", { name: /^查看图片/ })).toBeVisible();
  await expect(a.locator('li.message[data-kind="img"][data-mid]')).toBeVisible();

  // by keyboard: arrows and space, Escape ends
  await selectFrom(a, "巡检几点开始？");
  await expect(composer(a)).toBeHidden();
  await expect(box(a, "巡检几点开始？")).toBeFocused();
  await expect(box(a, "巡检几点开始？")).toBeChecked();
  await a.keyboard.press("ArrowDown");
  await a.keyboard.press("Space");
  await expect(bar(a)).toContainText("已选 2 条");
  await a.keyboard.press("Escape");
  await expect(bar(a)).toBeHidden();
  await expect(composer(a)).toBeVisible();

  // by mouse: a click on the row, and a range with Shift
  await selectFrom(a, "巡检几点开始？");
  await message(a, "带上记录表").click();
  await message(a, "带上记录表").click();
  await expect(bar(a)).toContainText("已选 1 条");
  await a.locator('li.message[data-kind="img"]').click({ modifiers: ["Shift"] });
  await expect(bar(a)).toContainText("已选 4 条");
  await shoot(a, "chat-selecting");
  await expectAccessible(a, "selected messages");
  await bar(a).getByRole("button", { name: "合并转发" }).click();
  await shoot(a, "chat-forward-combined");
  await sendTo(a, "管理员");

  await openChat(c, "张伟");
  await expect(card(c)).toContainText("张伟和李娜的聊天记录");
  await expect(card(c)).toContainText("李娜：三点，在一号楼");
  await card(c).click();
  const viewer = c.getByRole("dialog", { name: "张伟和李娜的聊天记录" });
  const parts = viewer.getByRole("listitem");
  await expect(parts).toHaveCount(4);
  await expect(parts.nth(0)).toContainText("张伟");
  await expect(parts.nth(0)).toContainText("巡检几点开始？");
  await expect(parts.filter({ hasText: "三点，在一号楼" })).toContainText("李娜");
  await expect(viewer.getByRole("img", { name: /^图片/ })).toBeVisible();
  await shoot(c, "chat-combined");
  await expectAccessible(c, "combined message");
  await c.keyboard.press("Escape");
  await expect(viewer).toBeHidden();

  // a combined message in another one
  await sendText(c, "收到");
  await selectFrom(c, "收到");
  await box(c, "\\[聊天记录\\]").check();
  await bar(c).getByRole("button", { name: "合并转发" }).click();
  await sendTo(c, "李娜");
  await openChat(b, "管理员");
  await card(b).click();
  const nested = b.getByRole("dialog");
  await expect(nested.getByRole("listitem")).toHaveCount(2);
  await nested.getByRole("button", { name: /^打开聊天记录/ }).click();
  await expect(nested.getByRole("listitem")).toHaveCount(4);
  await nested.getByRole("button", { name: "返回上一层" }).click();
  await expect(nested.getByRole("listitem")).toHaveCount(2);
  await b.keyboard.press("Escape");
  await expect(nested).toBeHidden();

  // one by one, in their order
  await selectFrom(a, "巡检几点开始？");
  await box(a, "三点，在一号楼").check();
  await bar(a).getByRole("button", { name: "逐条转发" }).click();
  await sendTo(a, "管理员");
  await expect(c.locator("li.message").filter({ hasText: "巡检几点开始？" }).last()).toBeVisible();
  await expect(message(c, "三点，在一号楼").last()).toBeVisible();

  // deleted for oneself
  await selectFrom(a, "带上记录表");
  await bar(a).getByRole("button", { name: "删除" }).click();
  await a.getByRole("button", { name: "确定" }).click();
  await expect(message(a, "带上记录表")).toHaveCount(0);
  await openChat(b, "张伟");
  await expect(message(b, "带上记录表")).toBeVisible();
  await a.reload();
  await expect(message(a, "巡检几点开始？")).toBeVisible();
  await expect(message(a, "带上记录表")).toHaveCount(0);
});

test("In the dark and on a narrow screen the selection and the viewer keep their places", async ({
  people,
}) => {
  const a = (await people.loggedIn("zhangwei")).pages[0]!;
  await a.setViewportSize({ width: 390, height: 780 });
  await openChat(a, "李娜");
  await sendText(a, "窄屏消息");
  // Its row is drawn again when the server has it.
  await expect.poll(() => unsent(a)).toBe(0);
  await selectFrom(a, "窄屏消息");
  await shoot(a, "chat-selecting-narrow");
  const fits = () => a.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  expect(await fits()).toBe(true);
  await bar(a).getByRole("button", { name: "合并转发" }).click();
  await sendTo(a, "李娜");
  // as above: a press on the old row and a release on the new one are no click
  await expect.poll(() => unsent(a)).toBe(0);
  await card(a).last().click();
  await expect(a.getByRole("dialog").getByRole("listitem")).toHaveCount(1);
  await a.evaluate(() => document.body.setAttribute("arco-theme", "dark"));
  await shoot(a, "chat-combined-narrow");
  expect(await fits()).toBe(true);
});
