/** Two people become friends in the contact book; one gives the other a name, blocks the other and takes it back. */
import { conversationRow } from "../support/calls.ts";
import { bubbles, composer, sendText } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

test("A friend request shows as a badge, makes friends of both when it is accepted, and a blocked friend's message is refused", async ({
  people,
}) => {
  const [zhang, li] = await Promise.all([
    people.loggedIn("zhangwei", { path: "/im/people" }),
    people.loggedIn("lina", { path: "/dc/easemob/index" }),
  ]);
  const [a, b] = [zhang.pages[0]!, li.pages[0]!];
  await expect(b).toHaveURL(/\/im\/people$/);
  const bookOf = (page: typeof a) => page.getByRole("complementary", { name: "通讯录" });
  const entryOf = (page: typeof a) => page.getByRole("button", { name: /^通讯录/ });
  const friendOf = (page: typeof a, name: string) =>
    bookOf(page)
      .getByRole("list", { name: "好友", exact: true })
      .getByRole("button", { name, exact: true });

  // By keyboard: the search finds the colleague by name.
  await tabTo(a, entryOf(a));
  await a.keyboard.press("Enter");
  await bookOf(a).getByRole("button", { name: "添加好友" }).press("Enter");
  const dialog = a.getByRole("dialog", { name: "添加好友" });
  await dialog.getByLabel("用户名").fill("李娜");
  await dialog
    .getByRole("list", { name: "搜索结果" })
    .getByRole("button", { name: /李娜/ })
    .click();
  await expect(dialog.getByLabel("用户名")).toHaveValue("lina");
  await dialog.getByLabel("附言").fill("下周联合检查");
  await shoot(a, "friend-add");
  await dialog.getByRole("button", { name: "发送申请" }).click();
  await expect(bookOf(a).getByText("等待对方验证")).toBeVisible();

  await expect(entryOf(b).getByLabel("1 条好友申请待处理")).toBeVisible();
  await entryOf(b).click();
  await expect(bookOf(b).getByText("附言：下周联合检查")).toBeVisible();
  await expectAccessible(b, "contact book");
  await shoot(b, "contact-book");
  await bookOf(b).getByRole("button", { name: "同意张伟的好友申请" }).click();
  await expect(friendOf(b, "张伟")).toBeVisible();
  await expect(friendOf(a, "李娜")).toBeVisible();
  await expect(bookOf(b).getByLabel(/好友申请待处理/)).toHaveCount(0);

  await friendOf(a, "李娜").click();
  await expect(composer(a)).toBeVisible();
  await bookOf(b).getByRole("button", { name: "张伟 的好友操作" }).click();
  await b.getByRole("menuitem", { name: "加入黑名单" }).click();
  await b.getByRole("dialog", { name: "加入黑名单" }).getByRole("button", { name: "确定" }).click();
  await expect(friendOf(b, "张伟")).toHaveCount(0);
  const before = (await bubbles(a)).length;
  await sendText(a, "还在吗");
  await expect(a.getByText("不能与对方聊天").first()).toBeVisible();
  await expect(a.locator('.message[data-status="failed"]')).toHaveCount(1);

  await bookOf(b)
    .getByRole("button", { name: /^黑名单/ })
    .click();
  await bookOf(b).getByRole("button", { name: "将张伟移出黑名单" }).click();
  await expect(friendOf(b, "张伟")).toBeVisible();
  await a.getByRole("button", { name: "重发" }).click();
  await friendOf(b, "张伟").click();
  await expect(b.locator(".message-bubble").last()).toHaveText("还在吗");
  await expect(a.locator('.message[data-status="failed"]')).toHaveCount(0);
  await expect.poll(async () => (await bubbles(a)).length).toBe(before + 1);

  // A remark stands wherever the name stood; the list finds the friend by it.
  await bookOf(b).getByRole("button", { name: "张伟 的好友操作" }).click();
  await b.getByRole("menuitem", { name: "设置备注" }).click();
  await b.getByRole("dialog").getByLabel("备注").fill("老张（三号楼）");
  await b.getByRole("dialog").getByRole("button", { name: "保存" }).click();
  await expect(b.getByRole("heading", { name: "老张（三号楼）" })).toBeVisible();
  await bookOf(b).getByRole("button", { name: "返回" }).click();
  const row = conversationRow(b, "老张（三号楼）");
  const search = b.getByRole("textbox", { name: "搜索姓名" });
  await search.fill("三号楼");
  await expect(row).toBeVisible();
  await search.fill("还在吗");
  await expect(b.getByRole("region", { name: "聊天记录" })).toContainText("老张（三号楼）");
  await search.fill("");
  await sendText(a, "改名之后");
  await expect(b.locator(".message-bubble").last()).toHaveText("改名之后");

  // The conversation's menu blocks, and the message that says so undoes it.
  const act = async (name: string): Promise<void> => {
    await row.click({ button: "right" });
    await b.getByRole("menuitem", { name }).click();
  };
  const note = b.getByText("您已将对方加入黑名单，移出黑名单后才能发送消息和呼叫");
  const block = async (): Promise<void> => {
    await act("加入黑名单");
    await b
      .getByRole("dialog", { name: "加入黑名单" })
      .getByRole("button", { name: "确定" })
      .click();
    await expect(note).toBeVisible();
    await expect(composer(b)).toHaveCount(0);
  };
  await block();
  await expect(b.getByRole("button", { name: "语音通话" })).toBeDisabled();
  await expectAccessible(b, "blocked conversation");
  await shoot(b, "chat-blocked");
  const undo = b.getByRole("button", { name: "撤销" });
  await act("移出黑名单");
  await expect(composer(b)).toBeVisible();
  await undo.last().click();
  await expect(note).toBeVisible();
  await b.locator(".conversation").getByRole("button", { name: "移出黑名单" }).click();
  await expect(composer(b)).toBeVisible();
  await expect(note).toHaveCount(0);

  await entryOf(b).click();
  await bookOf(b).getByRole("button", { name: "老张（三号楼） 的好友操作" }).click();
  await b.getByRole("menuitem", { name: "删除好友" }).click();
  await b.getByRole("dialog", { name: "删除好友" }).getByRole("button", { name: "确定" }).click();
  await expect(bookOf(b).getByText("还没有好友")).toBeVisible();
  await expect(bookOf(a).getByText("还没有好友")).toBeVisible();
  await bookOf(a).getByRole("button", { name: "返回" }).click();
  await expect(entryOf(a)).toBeFocused();
});
