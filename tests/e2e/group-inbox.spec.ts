/**
 * What waits in the group inbox, answered with the mouse, with what the other side sees of it; the filter @我; and a group with a description.
 */
import type { Page } from "@playwright/test";
import { conversationRow } from "../support/calls.ts";
import { composer, sendText } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import {
  createGroup,
  expectConnected,
  membersPanel,
  openGroup,
  openMembers,
} from "../support/groups.ts";
import { expectAccessible, shoot } from "../support/look.ts";

// Counts of unread messages, so none of other tests may be there.
test.use({ serverEnv: { TEST_SERVER: "group inbox" } });

const GROUP = "检修协作";

/** Opens the inbox, in which one request waits. @returns its dialog */
async function openInbox(page: Page) {
  await page.getByRole("button", { name: "群通知，1 条待处理" }).click();
  return page.getByRole("dialog", { name: "群通知" });
}
const isMember = (page: Page, groupId: string): Promise<boolean> =>
  page.evaluate((id) => globalThis.consoleCore.state.chat.groups[id] !== undefined, groupId);

test("An invitation is declined and accepted and an application is declined in the inbox, and the other side learns of each", async ({
  people,
}) => {
  const all = await Promise.all(["zhangwei", "lina", "admin"].map((name) => people.loggedIn(name)));
  const [owner, li, admin] = all.map((who) => who.pages[0]!) as [Page, Page, Page];
  await expectConnected([owner, li, admin]);
  const groupId = await createGroup(owner, GROUP, ["admin"]);
  await owner.evaluate(
    (id) =>
      globalThis.consoleCore.commands.group.settings({
        groupId: id,
        inviteConfirm: true,
        approval: true,
      }),
    groupId,
  );
  await openGroup(owner, groupId);
  const panel = await openMembers(owner);
  await expect(panel.getByRole("listitem")).toHaveCount(2);
  const invite = (): Promise<unknown> =>
    owner.evaluate(
      (id) => globalThis.consoleCore.commands.group.invite({ groupId: id, members: ["lina"] }),
      groupId,
    );

  await invite();
  let inbox = await openInbox(li);
  await expect(inbox.getByText(`张伟邀请您加入“${GROUP}”`)).toBeVisible();
  await inbox.getByRole("button", { name: `拒绝 张伟 ${GROUP}` }).click();
  await expect(inbox.getByText("没有待处理的邀请和申请")).toBeVisible();
  await expect(li.getByText("已拒绝加入群组")).toBeVisible();
  await expect(owner.getByText(`李娜拒绝了加入群组“${GROUP}”的邀请`)).toBeVisible();
  await inbox.getByRole("button", { name: "关闭" }).last().click();
  expect(await isMember(li, groupId)).toBe(false);
  await expect(panel.getByRole("listitem")).toHaveCount(2);

  await invite();
  inbox = await openInbox(li);
  await inbox.getByRole("button", { name: `同意 张伟 ${GROUP}` }).click();
  await expect(inbox).toBeHidden();
  await expect(li.getByRole("heading", { name: GROUP })).toBeVisible();
  await expect(composer(li)).toBeVisible();
  await expect(panel.getByRole("listitem")).toHaveCount(3);
  await sendText(li, "已进群");
  await expect(owner.locator(".message-bubble").last()).toHaveText("已进群");

  // Who left applies, and is turned down.
  await admin.evaluate(async (id) => {
    const { group } = globalThis.consoleCore.commands;
    await group.leave({ groupId: id });
    await group.join({ groupId: id, message: "想看检修安排" });
  }, groupId);
  await expect(panel.getByRole("listitem")).toHaveCount(2);
  const requests = await openInbox(owner);
  await expect(requests.getByText("申请理由：想看检修安排")).toBeVisible();
  await requests.getByRole("button", { name: `拒绝 管理员 ${GROUP}` }).click();
  await expect(requests.getByText("没有待处理的邀请和申请")).toBeVisible();
  await expect(owner.getByRole("button", { name: "群通知", exact: true })).toBeVisible();
  await expect(admin.getByText(`您加入群组“${GROUP}”的申请被拒绝`)).toBeVisible();
  expect(await isMember(admin, groupId)).toBe(false);
  await expect(panel.getByRole("listitem")).toHaveCount(2);
  await admin.getByRole("button", { name: "加入群聊" }).click();
  const search = admin.getByRole("dialog", { name: "加入群聊" });
  await search.getByRole("textbox").fill(GROUP);
  await expect(search.getByRole("button", { name: `申请加入 ${GROUP}` })).toBeVisible();
});

test("A group made with the mouse shows its description to a member, and the filter @我 leaves the conversation in which one is named", async ({
  people,
}) => {
  const name = "设备巡检小组";
  const about = "每周一上午九点汇总各楼层的巡检结果，异常情况请附照片。";
  const [owner, li] = (
    await Promise.all(["zhangwei", "lina"].map((who) => people.loggedIn(who)))
  ).map((who) => who.pages[0]!) as [Page, Page];
  await expectConnected([owner, li]);

  // Nobody has written the name of this person yet.
  await li.getByText("@我", { exact: true }).click();
  await expect(li.getByText("没有符合条件的会话")).toBeVisible();
  await shoot(li, "chat-filter-none");
  await expectAccessible(li, "chat-filter-none");
  await li.getByRole("button", { name: "清除搜索和筛选" }).click();
  await expect(li.getByText("没有符合条件的会话")).toHaveCount(0);
  await expect(li.locator(".contact-row").first()).toBeVisible();

  await owner.getByRole("button", { name: "发起群聊" }).click();
  const dialog = owner.getByRole("dialog", { name: "发起群聊" });
  await dialog.getByRole("textbox", { name: "群名称" }).fill(name);
  await dialog.getByRole("textbox", { name: "群简介" }).fill(about);
  await dialog.getByRole("textbox", { name: "搜索姓名" }).fill("李娜");
  await dialog.locator("label").filter({ hasText: "李娜" }).click();
  await dialog.getByRole("button", { name: "完成" }).click();
  await expect(dialog).toBeHidden();
  await conversationRow(li, name).getByRole("button").click();
  for (const page of [owner, li]) {
    await openMembers(page);
    await expect(membersPanel(page).getByRole("group", { name: "群简介" })).toHaveText(about);
  }
  await shoot(li, "group-panel-about");
  await expectAccessible(li, "group-panel-about");

  // The open conversation stays in each filtered list, so another one is opened.
  await conversationRow(li, "管理员").click();
  await sendText(owner, "大家早上好");
  await expect(conversationRow(li, name).getByRole("img", { name: "1 条未读" })).toBeVisible();
  await li.getByText("@我", { exact: true }).click();
  await expect(conversationRow(li, name)).toHaveCount(0);
  await composer(owner).pressSequentially("请@李");
  await owner.keyboard.press("Enter");
  await composer(owner).pressSequentially("处理");
  await composer(owner).press("Enter");
  await expect(conversationRow(li, name)).toContainText("[有人@我]");
  await shoot(li, "chat-filter-mention");
  await conversationRow(li, name).getByRole("button").click();
  await expect(li.locator(".message-bubble").last()).toContainText("请@李娜");
  // Read now, the conversation leaves the list once another is open.
  await openGroup(li, "0");
  await li.getByText("@我", { exact: true }).click();
  await expect(li.getByText("没有符合条件的会话")).toBeVisible();
});
