/**
 * Three people in a group: one makes it, all write, one leaves, the owner dissolves it. Each step is seen by all within a second.
 * No text names a person, because later tests on this server look for people by their names.
 */
import type { Page } from "@playwright/test";
import { bubbles, composer, sendText } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { openMembers } from "../support/groups.ts";
import { timeLimit } from "../support/time-limits.ts";

/** Milliseconds within which everybody sees a step. */
const SOON = { timeout: timeLimit(1000), intervals: [20] };
const NAME = "一号楼值班";
const row = (page: Page, text = NAME) => page.getByRole("listitem").filter({ hasText: text });

test("Three people make a group, write in order, and see at once who leaves and that it ends", async ({
  people,
}) => {
  const all = await Promise.all(["zhangwei", "lina", "admin"].map((name) => people.loggedIn(name)));
  const [zhang, li, admin] = all.map((who) => who.pages[0]!) as [Page, Page, Page];
  const pages = [zhang, li, admin];
  for (const page of pages) {
    await expect
      .poll(() => page.evaluate(() => globalThis.consoleCore.state.chat.connection))
      .toBe("open");
  }

  // A name and people are needed.
  await zhang.getByRole("button", { name: "发起群聊" }).click();
  const dialog = zhang.getByRole("dialog", { name: "发起群聊" });
  await dialog.getByRole("button", { name: "完成" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("请填写群名称");
  await dialog.getByRole("textbox", { name: "群名称" }).fill(NAME);
  await dialog.getByRole("button", { name: "完成" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("请至少选择一人");
  const names = dialog.getByRole("textbox", { name: "搜索姓名" });
  for (const name of ["李娜", "管理员"]) {
    await names.fill(name);
    await dialog.locator("label").filter({ hasText: name }).click();
  }
  await dialog.getByRole("button", { name: "完成" }).click();
  await expect(dialog).toBeHidden();
  for (const page of pages) await expect.poll(() => row(page).count(), SOON).toBe(1);
  await expect(zhang.getByRole("heading", { name: NAME })).toBeVisible();
  for (const page of [li, admin]) {
    await row(page).getByRole("button").click();
    await expect(page.getByRole("heading", { name: NAME })).toBeVisible();
  }

  const said: string[] = [];
  for (const [i, page] of [zhang, li, admin, li, zhang].entries()) {
    said.push(`第${i + 1}句`);
    await sendText(page, `第${i + 1}句`);
    for (const other of pages) await expect.poll(() => bubbles(other), SOON).toEqual(said);
  }
  expect(await zhang.locator(".message-sender").allTextContents()).toEqual([
    "李娜",
    "管理员",
    "李娜",
  ]);
  for (const page of pages) {
    await expect.poll(() => page.locator('.message[data-status="failed"]').count()).toBe(0);
  }

  // The owner renames; an open panel shows who is in.
  const panel = await openMembers(zhang);
  await expect(panel.getByRole("listitem")).toHaveCount(3);
  await panel.getByRole("button", { name: "群设置" }).click();
  const rename = zhang.getByRole("dialog", { name: "群设置" });
  await rename.getByRole("textbox", { name: "群名称" }).fill("二号楼值班");
  await rename.getByRole("button", { name: "保存" }).click();
  await expect(rename).toBeHidden();
  for (const page of pages) {
    await expect
      .poll(() => page.getByRole("heading", { name: "二号楼值班" }).count(), SOON)
      .toBe(1);
  }

  await panel.getByRole("button", { name: "群公告" }).click();
  const announce = zhang.getByRole("dialog", { name: "群公告" });
  await announce.getByRole("textbox").fill("今晚八点联动测试");
  await announce.getByRole("button", { name: "保存" }).click();
  for (const page of pages) {
    const banner = page.getByRole("region", { name: "群公告" });
    await expect.poll(() => banner.textContent(), SOON).toBe("今晚八点联动测试");
  }
  // What a member is called in the group stands above the messages.
  await openMembers(li);
  await li.getByRole("button", { name: "我的群昵称" }).click();
  const card = li.getByRole("dialog", { name: "我的群昵称" });
  await card.getByRole("textbox").fill("值班电话8001");
  await card.getByRole("button", { name: "保存" }).click();
  await expect
    .poll(() => zhang.locator(".message-sender").first().textContent(), SOON)
    .toBe("值班电话8001");
  await li.keyboard.press("Escape");

  // A muted member cannot write until the owner ends it.
  await panel.getByRole("button", { name: "管理值班电话8001" }).click();
  await panel.getByRole("button", { name: "禁言" }).click();
  await zhang.getByRole("dialog").getByRole("button", { name: "禁言" }).click();
  await expect.poll(() => li.getByText("您已被禁言").count(), SOON).toBe(1);
  await panel.getByRole("button", { name: "解除禁言" }).click();
  await expect.poll(() => composer(li).count(), SOON).toBe(1);

  // While all are muted, whom the owner allows it writes.
  await panel.getByRole("button", { name: "群设置" }).click();
  const muteAll = async (choice: string): Promise<void> => {
    await rename.getByRole("combobox", { name: "谁可以发言" }).click();
    await zhang.getByRole("option", { name: choice }).click();
    await rename.getByRole("button", { name: "保存" }).click();
    await expect(rename).toBeHidden();
  };
  await muteAll("群主和管理员");
  await expect.poll(() => li.getByText("全员禁言中").count(), SOON).toBe(1);
  await panel.getByRole("button", { name: "允许发言", exact: true }).click();
  await expect.poll(() => composer(li).count(), SOON).toBe(1);
  expect(await composer(admin).count()).toBe(0);
  said.push("收到");
  await sendText(li, "收到");
  await expect.poll(async () => (await bubbles(admin)).at(-1), SOON).toBe("收到");
  await panel.getByRole("button", { name: "取消允许发言" }).click();
  await expect.poll(() => composer(li).count(), SOON).toBe(0);
  await panel.getByRole("button", { name: "群设置" }).click();
  await muteAll("所有成员");

  await openMembers(li);
  await li.getByRole("button", { name: "退出群聊" }).click();
  await li.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await expect(li.getByText("您已不在此群聊中").last()).toBeVisible();
  await expect.poll(() => panel.getByRole("listitem").count(), SOON).toBe(2);
  await expect.poll(() => admin.getByText("2 人", { exact: true }).count(), SOON).toBe(1);
  await expect(composer(li)).toHaveCount(0);
  await sendText(zhang, "少了一位");
  await expect.poll(async () => (await bubbles(admin)).at(-1), SOON).toBe("少了一位");
  await expect.poll(() => bubbles(li)).toEqual(said);

  // A former member finds the group and asks to enter, and the owner sees it at once.
  await panel.getByRole("button", { name: "群设置" }).click();
  await rename.getByRole("combobox", { name: "申请加入" }).click();
  await zhang.getByRole("option", { name: "需要审批" }).click();
  await rename.getByRole("button", { name: "保存" }).click();
  await expect(rename).toBeHidden();
  await li.getByRole("button", { name: "加入群聊" }).click();
  const search = li.getByRole("dialog", { name: "加入群聊" });
  await search.getByRole("textbox").fill("二号楼");
  await search.getByRole("button", { name: "申请加入 二号楼值班" }).click();
  const apply = li.getByRole("dialog", { name: "申请加入二号楼值班" });
  await apply.getByRole("textbox").fill("值夜班");
  await apply.getByRole("button", { name: "申请加入" }).click();
  await expect(search.getByText("等待审批")).toBeVisible();
  await search.getByRole("button", { name: "关闭" }).last().click();
  const inbox = zhang.getByRole("button", { name: "群通知，1 条待处理" });
  await expect(inbox).toBeVisible();
  await inbox.click();
  const requests = zhang.getByRole("dialog", { name: "群通知" });
  await expect(requests.getByText("申请理由：值夜班")).toBeVisible();
  await requests.getByRole("button", { name: "同意" }).click();
  await expect(requests.getByText("没有待处理的邀请和申请")).toBeVisible();
  await requests.getByRole("button", { name: "关闭" }).last().click();
  await expect.poll(() => composer(li).count(), SOON).toBe(1);
  await expect.poll(() => panel.getByRole("listitem").count(), SOON).toBe(3);

  await panel.getByRole("button", { name: "解散群聊" }).click();
  await zhang.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  for (const page of pages) await expect.poll(() => composer(page).count(), SOON).toBe(0);
});
