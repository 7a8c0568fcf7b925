/** A person with groups, requests and friends, and every dialog of groups and of the contact book, for e2e/chat-dialogs.spec.ts and chat-lists.spec.ts. */
import type { Locator, Page } from "@playwright/test";
import { expect, test as base } from "./fixtures.ts";
import { startGateway } from "./gateway.ts";
import { createGroup, expectConnected } from "./groups.ts";
import { loggedIn } from "./people.ts";
import type { Console } from "./people-console.ts";
import { type PeopleDialog, type Step, topmost, type Words } from "./people-dialogs.ts";
import { createServerTexts } from "./screen-words.ts";

/** Names of what is made. */
export const MADE = {
  own: "夜班值守",
  about: "夜间值守与交接班，遇到紧急情况请先电话通知值班主管，再在群里说明处理经过。",
  inviting: "设备维修交流群",
  open: "消防演练筹备",
  application: "本月起调到夜班，需要看交接记录",
  friendNote: "下周联合检查，先加个好友",
} as const;

export interface ChatConsole extends Console {
  /** Of the group that this person owns. */
  readonly groupId: string;
}

/** Lina's groups and friendship, and what Zhang Wei asks for. */
async function addRows(owner: Page, li: Page, zhang: Page): Promise<string> {
  await expectConnected([owner, li, zhang]);
  const groupId = await createGroup(owner, MADE.own, ["lina"]);
  const [inviting, open] = [
    await createGroup(li, MADE.inviting, ["zhangwei"]),
    await createGroup(zhang, MADE.open, ["lina"]),
  ];
  await owner.evaluate(
    ([id, description]) =>
      globalThis.consoleCore.commands.group.settings({ groupId: id, description, approval: true }),
    [groupId, MADE.about] as const,
  );
  await li.evaluate(async (id) => {
    const { group, friend } = globalThis.consoleCore.commands;
    await group.settings({ groupId: id, inviteConfirm: true });
    await group.invite({ groupId: id, members: ["admin"] });
    await friend.add({ userName: "admin", message: "" });
  }, inviting);
  await zhang.evaluate(
    async ([id, asked, message, note]) => {
      const { group, friend } = globalThis.consoleCore.commands;
      await group.settings({ groupId: id, approval: true });
      await group.join({ groupId: asked, message });
      await friend.add({ userName: "admin", message: note });
    },
    [open, groupId, MADE.application, MADE.friendNote] as const,
  );
  await owner.evaluate(() => globalThis.consoleCore.commands.friend.accept({ userName: "lina" }));
  return groupId;
}

export const test = base.extend<object, { chat: ChatConsole }>({
  chat: [
    async ({ browser, server }, use) => {
      const texts = createServerTexts();
      texts.add("made", Object.values(MADE));
      const gateway = await startGateway(server.url, { onJson: texts.add });
      const [admin, ...others] = await Promise.all(
        ["admin", "lina", "zhangwei"].map((name) => loggedIn(browser, gateway.url, name)),
      );
      const [li, zhang] = others.map((who) => who.pages[0]!);
      const groupId = await addRows(admin!.pages[0]!, li!, zhang!);
      for (const other of others) await other.close();
      await use({ texts, gateway, admin: admin!, groupId });
      await admin!.close();
      await gateway.close();
    },
    { scope: "worker" },
  ],
});

/** Comes to the control by Tab, also to one without a size. */
export async function reach(page: Page, target: Locator): Promise<void> {
  for (let n = 0; n < 80; n += 1) {
    if (await target.evaluate((one) => one === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(target, "reached by Tab").toBeFocused();
}
export async function press(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await reach(page, target);
  await page.keyboard.press(key);
}

const named = (root: Locator, name: string): Locator =>
  root.getByRole("button", { name, exact: true }).first();
/** A button of the page. */
export const button = (...words: Words): Step => ({
  target: ({ area, say }) => named(area, say(words)),
  key: "Enter",
  opens: true,
});
const inDialog = (...words: Words): Step => ({
  target: ({ page, say }) => named(topmost(page), say(words)),
  key: "Enter",
  opens: true,
});
const ACTIONS: Words = ["李娜 的好友操作", "Actions on 李娜"];
/** An entry of the menu of the friend. */
const ofFriend = (...words: Words): readonly Step[] => [
  { ...button(...ACTIONS), opens: false },
  {
    target: ({ page, say }) => page.getByRole("menuitem", { name: say(words), exact: true }),
    key: "Enter",
    opens: true,
    returns: ({ area, say }) => named(area, say(ACTIONS)),
  },
];

const row = (
  name: string,
  file: string,
  steps: readonly Step[],
  ...title: Words
): PeopleDialog => ({ name: `chat-${name}`, file: `features/people/${file}`, steps, title });
const FIND = button("加入群聊", "Join a group");

/** From the list of conversations. */
export const LIST_DIALOGS: readonly PeopleDialog[] = [
  row("create", "groups/GroupMenu.tsx", [button("发起群聊", "New group")], "发起群聊", "New group"),
  row("find", "groups/GroupSearch.tsx", [FIND], "加入群聊", "Join a group"),
  row(
    "apply",
    "groups/GroupSearch.tsx",
    [FIND, inDialog(`申请加入 ${MADE.open}`, `Ask to join ${MADE.open}`)],
    `申请加入${MADE.open}`,
    `Ask to join ${MADE.open}`,
  ),
  row(
    "inbox",
    "groups/GroupInbox.tsx",
    [button("群通知，2 条待处理", "Group requests, 2 waiting")],
    "群通知",
    "Group requests",
  ),
];

const ofGroup = (name: string, file: string, ...words: Words): PeopleDialog =>
  row(name, file, [button(...words)], ...words);

const INVITE = button("邀请成员", "Invite");

/** From the panel of the own group. */
export const PANEL_DIALOGS: readonly PeopleDialog[] = [
  {
    ...row(
      "invite",
      "groups/GroupDialog.tsx",
      [INVITE],
      `邀请加入${MADE.own}`,
      `Invite to ${MADE.own}`,
    ),
    // a search is no input that can be lost
    act: ({ page }) => page.keyboard.type("张"),
  },
  {
    ...row("invite-unsaved", "groups/GroupDialog.tsx", [INVITE], "提示", "Please confirm"),
    act: async ({ page }) => {
      await press(page, topmost(page).getByRole("checkbox").first(), "Space");
      await page.keyboard.press("Escape");
    },
    asksOfInput: true,
  },
  ofGroup("files", "groups/GroupFiles.tsx", "群文件", "Files"),
  ofGroup("announcement", "groups/GroupSettings.tsx", "群公告", "Announcement"),
  ofGroup("settings", "groups/GroupSettings.tsx", "群设置", "Settings"),
  ofGroup("blocked", "groups/GroupBlocked.tsx", "群黑名单", "Blocked"),
  ofGroup("card", "groups/GroupSettings.tsx", "我的群昵称", "My name here"),
  row(
    "mute",
    "groups/GroupMemberRow.tsx",
    [{ ...button("管理李娜", "Manage 李娜"), opens: false }, button("禁言", "Mute")],
    "禁言李娜",
    "Mute 李娜",
  ),
  ofGroup("transfer", "groups/GroupMemberRow.tsx", "转让群主", "Hand over"),
  ofGroup("member-block", "groups/GroupMemberRow.tsx", "移入黑名单", "Block"),
  row(
    "member-remove",
    "groups/GroupMemberRow.tsx",
    [button("移出群聊", "Remove")],
    "移除李娜",
    "Remove 李娜",
  ),
  ofGroup("dissolve", "groups/GroupPanel.tsx", "解散群聊", "Dissolve the group"),
];

/** From the contact book. */
export const BOOK_DIALOGS: readonly PeopleDialog[] = [
  ofGroup("friend-add", "book/AddFriendDialog.tsx", "添加好友", "Add a friend"),
  row(
    "friend-remark",
    "book/FriendRow.tsx",
    ofFriend("设置备注", "Set a remark"),
    "为李娜设置备注",
    "Remark for 李娜",
  ),
  row("friend-block", "book/FriendRow.tsx", ofFriend("加入黑名单", "Block"), "加入黑名单", "Block"),
  row(
    "friend-remove",
    "book/FriendRow.tsx",
    ofFriend("删除好友", "Remove friend"),
    "删除好友",
    "Remove friend",
  ),
];
