/** Marks that are stacked on a letter stay inside their message: the messages around it are as they were. */
import { openChat } from "../support/calls.ts";
import { sendText } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { shoot } from "../support/look.ts";

const STACKED = [..."消防"].map((letter) => letter + "\u0301\u0323".repeat(40)).join("");

test("A message with stacked marks covers neither the message above nor the one below", async ({
  people,
}) => {
  const [page] = (await people.loggedIn("zhangwei")).pages;
  await openChat(page!, "李娜");
  await sendText(page!, "上面的消息");
  const above = page!.locator(".message-bubble").filter({ hasText: "上面的消息" }).last();
  const message = page!.locator(".message").filter({ hasText: "上面的消息" }).last();
  await expect(message).toHaveAttribute("data-status", /sent|delivered|read|unread/);
  const picture = async () =>
    (await above.screenshot({ animations: "disabled" })).toString("base64");
  const before = await picture();
  await sendText(page!, STACKED);
  await expect(page!.locator(".message-bubble").last()).toContainText("\u0301");
  await expect.poll(picture).toBe(before);
  await shoot(page!, "stacked-marks");
});
