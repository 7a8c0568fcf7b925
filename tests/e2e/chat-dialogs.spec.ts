/**
 * The dialogs of groups and of the contact book as everybody meets them: opened by the keyboard, in Chinese on a wide window and in English on
 * a phone, light and dark, closed by Escape. What their lists say when they are empty and when they cannot be read.
 */
import type { Locator } from "@playwright/test";
import {
  BOOK_DIALOGS,
  button,
  type ChatConsole,
  LIST_DIALOGS,
  MADE,
  PANEL_DIALOGS,
  press,
  reach,
  test,
} from "../support/chat-dialogs.ts";
import { visit } from "../support/dialog-visit.ts";
import { expect } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { loggedIn } from "../support/people.ts";
import { type Language, openPage, PHONE } from "../support/people-console.ts";
import { type At, topmost, type Words } from "../support/people-dialogs.ts";
import { wordsOf } from "../support/screen-words.ts";

// Nobody else's groups.
test.use({ serverEnv: { TEST_SERVER: "chat dialogs" } });

const WAYS = [
  ["zh", "in Chinese on a wide window"],
  ["en", "in English on a phone"],
] as const;

/** Opens the list of conversations, with none of them open. */
async function open(chat: ChatConsole, language: Language): Promise<At> {
  await chat.admin.pages[0]!.goto("/im/people");
  return openPage(chat, "/im/people", language);
}
/** Presses a control of the page, from its start. */
async function pressed(at: At, target: Locator): Promise<void> {
  await at.page.locator("#main").evaluate((main) => {
    main.tabIndex = -1;
    main.focus();
  });
  await press(at.page, target);
}
const bookEntry = ({ area }: At): Locator =>
  area.getByRole("button", { name: /^(通讯录|Contacts)/ });
const section = ({ area, say }: At, words: Words): Locator =>
  area.locator(".book-section h3 button").filter({ hasText: say(words) });
async function openPanel(at: At): Promise<Locator> {
  const conversation = at.area.locator(".contact", { hasText: MADE.own });
  await tabTo(at.page, conversation);
  await at.page.keyboard.press("Enter");
  await expect(at.area.getByRole("heading", { name: MADE.own })).toBeVisible();
  await pressed(at, button("群成员", "Members").target(at));
  return at.area.locator(".group-panel");
}
/** Looks at this state of the page, or of a part of it. */
async function look(at: At, chat: ChatConsole, name: string, language: Language, part: string) {
  const { page } = at;
  if (language === "en") {
    const foreign = chat.texts.foreign(await wordsOf(page.locator(part).last()));
    expect.soft(foreign, `${name}: in English`).toEqual([]);
  }
  await shoot(page, `${name}-${language}`);
  if (language === "en") await page.setViewportSize(PHONE);
  await expectAccessible(page, `${name} ${language}`, part);
}

for (const [language, how] of WAYS) {
  test(`The dialogs of the conversation list and of a group can be used ${how}`, async ({
    chat,
  }) => {
    test.setTimeout(240_000);
    const before = chat.admin.complaints.length;
    const at = await open(chat, language);
    for (const row of LIST_DIALOGS) {
      await test.step(row.name, () => visit(at, row, language, chat.texts));
    }
    const panel = await openPanel(at);
    await expect(panel.getByRole("listitem")).toHaveCount(2);
    await look(at, chat, "chat-panel", language, ".group-panel");
    for (const row of PANEL_DIALOGS) {
      await test.step(row.name, () => visit(at, row, language, chat.texts));
    }
    expect(chat.admin.complaints.slice(before), "the browser's console").toEqual([]);
  });

  test(`The contact book, its dialogs and the menu of a conversation can be used ${how}`, async ({
    chat,
  }) => {
    test.setTimeout(180_000);
    const at = await open(chat, language);
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
    await pressed(at, bookEntry(at));
    await expect(area.getByText(MADE.friendNote)).toBeVisible();
    await look(at, chat, "chat-book", language, ".book");
    for (const row of BOOK_DIALOGS) {
      await test.step(row.name, () => visit(at, row, language, chat.texts));
    }
  });

  test(`A group is made by the keyboard alone ${how}`, async ({ chat }) => {
    const at = await open(chat, language);
    const { page, area, say } = at;
    const name = `${say(["键盘群", "Keyboard"])} ${language}`;
    await pressed(at, button("发起群聊", "New group").target(at));
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
    await expect(
      area.locator(".contact").first(),
      "stands first before its first message",
    ).toContainText(name);
    const hasFocus = () => page.evaluate(() => document.activeElement !== document.body);
    await expect.poll(hasFocus, "the focus is somewhere").toBe(true);
    if (language === "en") {
      // The list and the conversation stand in the same place.
      await press(page, area.getByRole("button", { name: "Back" }));
      const conversation = area.locator(".contact", { hasText: name });
      await expect(conversation, "the row of what was open").toBeFocused();
      await page.keyboard.press("Enter");
      await expect(area.getByRole("button", { name: "Back" })).toBeFocused();
    }
    await pressed(at, button("群成员", "Members").target(at));
    const panel = area.locator(".group-panel");
    await expect(panel.getByText("Alpha")).toBeVisible();
    await expect(panel.getByRole("listitem")).toHaveCount(2);
    await press(page, panel.getByRole("button", { name: say(["解散群聊", "Dissolve"]) }));
    await press(page, topmost(page).getByRole("button", { name: say(["确定", "OK"]) }));
    await expect(panel).toHaveCount(0);
  });

  test(`Lists that are empty say so ${how}`, async ({ chat, browser }) => {
    chat.gateway.treat((path) =>
      path.includes("/dc-im/api/departments") ? { change: withoutRecords } : "pass",
    );
    const who = await loggedIn(browser, chat.gateway.url, "ops");
    const mine = { ...chat, admin: who };
    const at = await open(mine, language);
    const { page, area, say } = at;
    const shows = async (name: string, where: Locator, ...texts: readonly Words[]) => {
      for (const words of texts) await expect(where.getByText(say(words))).toBeVisible();
      await look(
        at,
        mine,
        `chat-none-${name}`,
        language,
        name === "book" ? ".book" : ".arco-modal",
      );
    };
    const closes = async (opener: Locator): Promise<void> => {
      await page.keyboard.press("Escape");
      await expect(opener).toBeFocused();
    };
    const [create, find, inbox] = [
      button("发起群聊", "New group").target(at),
      button("加入群聊", "Join a group").target(at),
      button("群通知", "Group requests").target(at),
    ];
    await pressed(at, inbox);
    await shows("inbox", topmost(page), [
      "没有待处理的邀请和申请",
      "No invitation or application is waiting",
    ]);
    await closes(inbox);
    await pressed(at, find);
    await page.keyboard.type("zzz");
    await shows("find", topmost(page), ["没有找到公开的群聊", "No public group was found"]);
    await closes(find);
    await pressed(at, create);
    await tabTo(page, topmost(page).getByRole("textbox", { name: say(["搜索姓名", "Search"]) }));
    await page.keyboard.type("zzz");
    await shows("create", topmost(page), ["没有匹配的联系人", "No contact matches"]);
    await press(page, topmost(page).getByRole("button", { name: /^(清除|Clear search and)/ }));
    await expect(topmost(page).getByRole("checkbox").first()).toBeAttached();
    await closes(create);
    await pressed(at, bookEntry(at));
    for (const words of [
      ["新的朋友", "New friends"],
      ["黑名单", "Block list"],
      ["部门", "Departments"],
    ] as const) {
      await press(page, section(at, words));
    }
    await shows(
      "book",
      area.locator(".book"),
      ["没有待处理的好友申请", "No friend request is waiting"],
      ["还没有好友，点击右上角添加", "No friends yet. Add one above"],
      ["黑名单中没有人", "No one is blocked"],
      ["没有部门", "There are no departments"],
    );
    chat.gateway.treat(null);
    await who.close();
  });

  test(`Lists that cannot be read say so and are read again by the keyboard ${how}`, async ({
    chat,
    browser,
  }) => {
    const departments = "/dc-im/api/departments";
    /** The departments, which are read when the page opens, fail until the end. */
    const fails = (...paths: readonly string[]): void =>
      chat.gateway.treat((path) =>
        [departments, ...paths].some((one) => path.includes(one))
          ? { status: 500, body: {} }
          : "pass",
      );
    fails();
    const who = await loggedIn(browser, chat.gateway.url, "lina");
    const mine = { ...chat, admin: who };
    const at = await open(mine, language);
    const { page, area, say } = at;
    /** The part says what failed; its button reads again. */
    const recovers = async (
      name: string,
      part: string,
      words: Words,
      then: Locator,
      mend: () => void = fails,
    ) => {
      const alert = page
        .locator(part)
        .getByRole("alert")
        .filter({ hasText: say(words) });
      await expect(alert).toBeVisible();
      await look(at, mine, `chat-failed-${name}`, language, part);
      await reach(page, alert.getByRole("button", { name: say(["重试", "Retry"]) }));
      mend();
      await page.keyboard.press("Enter");
      await expect(then).toBeAttached();
      await expect(alert).toHaveCount(0);
    };
    const inDialog = (): Promise<boolean> =>
      topmost(page).evaluate((box) => box.contains(document.activeElement));

    fails("/publicGroups");
    await pressed(at, button("加入群聊", "Join a group").target(at));
    await recovers(
      "find",
      ".arco-modal",
      ["搜索群聊失败", "The groups could not be searched"],
      topmost(page).getByText(MADE.open),
    );
    await expect.poll(inDialog, "the dialog keeps the focus").toBe(true);
    await page.keyboard.press("Escape");

    fails("/friend/hx/page");
    await pressed(at, button("发起群聊", "New group").target(at));
    await recovers(
      "create",
      ".arco-modal",
      ["联系人加载失败", "The contacts could not be loaded"],
      topmost(page).getByRole("checkbox").first(),
    );
    await expect.poll(inDialog, "the dialog keeps the focus").toBe(true);
    await page.keyboard.press("Escape");

    fails("/groupUsers");
    const panel = await openPanel(at);
    await recovers(
      "members",
      ".group-panel",
      ["获取群组成员失败", "The members could not be loaded"],
      panel.getByText("管理员"),
    );
    const search = panel.getByRole("textbox", { name: say(["搜索群成员", "Search members"]) });
    await tabTo(page, search);
    await page.keyboard.type("zzz");
    await expect(panel.getByText(say(["没有匹配的成员", "No member matches"]))).toBeVisible();
    await look(at, mine, "chat-none-members", language, ".group-panel");
    await search.fill("");
    await expect(panel.getByText("管理员")).toBeAttached();

    fails("/share_files");
    await pressed(at, panel.getByRole("button", { name: say(["群文件", "Files"]) }));
    await recovers(
      "files",
      ".arco-modal",
      ["服务暂不可用", "The service is unavailable"],
      topmost(page).getByText(say(["还没有群文件", "No files are shared yet"])),
    );
    await expect.poll(inDialog, "the dialog keeps the focus").toBe(true);
    await page.keyboard.press("Escape");
    await pressed(at, panel.getByRole("button", { name: say(["关闭", "Close"]) }));
    if (language === "en") await pressed(at, area.getByRole("button", { name: "Back" }));

    fails("/dc-im/api/friends");
    await pressed(at, bookEntry(at));
    await page.evaluate(() => {
      globalThis.consoleCore.commands.friend.refresh({}).catch(() => undefined);
    });
    await press(page, section(at, ["部门", "Departments"]));
    await expect(area.locator(".book").getByRole("alert")).toHaveCount(2);
    await recovers(
      "book",
      ".book",
      ["好友列表加载失败", "The friends could not be loaded"],
      area.locator('.book [data-user="admin"]').first(),
    );
    await recovers(
      "departments",
      ".book",
      ["部门加载失败", "The departments could not be loaded"],
      area.locator(".book-department").first(),
      () =>
        chat.gateway.treat((path) =>
          path.includes("departmentId=") ? { change: withoutRecords } : "pass",
        ),
    );
    await press(page, area.locator(".book-department > button").first());
    const none = ["该部门没有可聊天的同事", "No one to chat with in this department"] as const;
    await expect(area.locator(".book").getByText(say(none))).toBeVisible();
    await look(at, mine, "chat-none-department", language, ".book");
    chat.gateway.treat(null);
    await who.close();
  });
}
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
/** The answer with an empty list, or an empty page, in it. */
function withoutRecords(answer: unknown): unknown {
  if (!isObject(answer) || !("data" in answer)) return answer;
  const { data } = answer;
  if (Array.isArray(data)) return { ...answer, data: [] };
  if (!isObject(data) || !("records" in data)) return answer;
  return { ...answer, data: { ...data, records: [], total: 0 } };
}
