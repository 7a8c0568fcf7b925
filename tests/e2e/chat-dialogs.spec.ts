/**
 * The dialogs of groups and of the contact book as everybody meets them: opened by the keyboard, in Chinese on a wide window and in English on
 * a phone, light and dark, closed by Escape.
 */
import {
  BOOK_DIALOGS,
  button,
  LIST_DIALOGS,
  MADE,
  PANEL_DIALOGS,
  press,
  test,
} from "../support/chat-dialogs.ts";
import {
  bookEntry,
  lookAt,
  openList,
  openPanel,
  pressFromStart,
  WAYS,
} from "../support/chat-look.ts";
import { visit } from "../support/dialog-visit.ts";
import { expect } from "../support/fixtures.ts";
import { expectAccessible, tabTo } from "../support/look.ts";
import { topmost, type Words } from "../support/people-dialogs.ts";

// Nobody else's groups.
test.use({ serverEnv: { TEST_SERVER: "chat dialogs" } });

for (const [language, how] of WAYS) {
  test(`The dialogs of the conversation list and of a group can be used ${how}`, async ({
    chat,
  }) => {
    test.setTimeout(240_000);
    const before = chat.admin.complaints.length;
    const at = await openList(chat, language);
    for (const row of LIST_DIALOGS) {
      await test.step(row.name, () => visit(at, row, language, chat.texts));
    }
    const panel = await openPanel(at);
    await expect(panel.getByRole("listitem")).toHaveCount(2);
    await lookAt(at, chat, "chat-panel", language, ".group-panel");
    for (const row of PANEL_DIALOGS) {
      await test.step(row.name, () => visit(at, row, language, chat.texts));
    }
    expect(chat.admin.complaints.slice(before), "the browser's console").toEqual([]);
  });

  test(`The contact book, its dialogs and the menu of a conversation can be used ${how}`, async ({
    chat,
  }) => {
    test.setTimeout(180_000);
    const at = await openList(chat, language);
    const { page, area, say } = at;
    const contact = area.locator(".contact", { hasText: MADE.own });
    const actions = say([`${MADE.own} 的会话操作`, `Actions on the conversation with ${MADE.own}`]);
    const menu = page.getByRole("menu", { name: actions });
    const opener = language === "zh" ? contact : area.getByRole("button", { name: actions });
    await press(page, opener, language === "zh" ? "ContextMenu" : "Enter");
    await expect(menu.getByRole("menuitem").first()).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(menu.getByRole("menuitem").nth(1)).toBeFocused();
    await expectAccessible(page, `menu of a conversation ${language}`);
    await page.keyboard.press("Escape");
    await expect(menu).toBeHidden();
    await expect(opener).toBeFocused();

    const waiting = say(["1 条好友申请待处理", "1 friend request waiting"]);
    await expect(bookEntry(at).getByLabel(waiting)).toBeVisible();
    await pressFromStart(at, bookEntry(at));
    await expect(area.getByText(MADE.friendNote)).toBeVisible();
    await lookAt(at, chat, "chat-book", language, ".book");
    for (const row of BOOK_DIALOGS) {
      await test.step(row.name, () => visit(at, row, language, chat.texts));
    }
  });

  test(`A group is made by the keyboard alone ${how}`, async ({ chat }) => {
    const at = await openList(chat, language);
    const { page, area, say } = at;
    const name = `${say(["键盘群", "Keyboard"])} ${language}`;
    await pressFromStart(at, button("发起群聊", "New group").target(at));
    const dialog = page.getByRole("dialog", { name: say(["发起群聊", "New group"]) });
    const field = (...words: Words) => dialog.getByRole("textbox", { name: say(words) });
    await expect(field("群名称", "Group name")).toBeFocused();
    await page.keyboard.type(name);
    await tabTo(page, field("群简介", "About the group"));
    await page.keyboard.type("Alpha");
    await tabTo(page, field("搜索姓名", "Search"));
    await page.keyboard.type("李娜");
    const choices = dialog.getByRole("checkbox");
    await expect(choices).toHaveCount(1);
    await press(page, choices, "Space");
    await expect(dialog.locator(".group-chosen")).toContainText("李娜");
    await press(page, dialog.getByRole("button", { name: say(["完成", "Done"]) }));
    await expect(dialog).toBeHidden();
    await expect(area.getByRole("heading", { name })).toBeVisible();
    const first = area.locator(".contact").first();
    const isFirst = () =>
      expect(first, "stands first before its first message").toContainText(name);
    if (language === "zh") await isFirst();
    const hasFocus = () => page.evaluate(() => document.activeElement !== document.body);
    await expect.poll(hasFocus, "the focus is somewhere").toBe(true);
    if (language === "en") {
      // The list and the conversation stand in the same place.
      await press(page, area.getByRole("button", { name: "Back" }));
      const conversation = area.locator(".contact", { hasText: name });
      await expect(conversation, "the row of what was open").toBeFocused();
      await isFirst();
      await page.keyboard.press("Enter");
      await expect(area.getByRole("button", { name: "Back" })).toBeFocused();
    }
    await pressFromStart(at, button("群成员", "Members").target(at));
    const panel = area.locator(".group-panel");
    await expect(panel.getByText("Alpha")).toBeVisible();
    await expect(panel.getByRole("listitem")).toHaveCount(2);
    await press(page, panel.getByRole("button", { name: say(["解散群聊", "Dissolve"]) }));
    await press(page, topmost(page).getByRole("button", { name: say(["确定", "OK"]) }));
    await expect(panel).toHaveCount(0);
  });
}
