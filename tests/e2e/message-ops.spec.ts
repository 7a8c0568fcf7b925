/** What people do with their messages and conversations beside writing. */
import type { Page } from "@playwright/test";
import { openChat, conversationRow } from "../support/calls.ts";
import { composer, sendText } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

// The titles of pages count unread messages, so none of other tests may be there.
test.use({ serverEnv: { TEST_SERVER: "message ops" } });

const message = (page: Page, text: string) => page.locator("li.message").filter({ hasText: text });
async function act(page: Page, text: string, action: string): Promise<void> {
  const item = message(page, text).last();
  await item.hover();
  await item.getByRole("button", { name: "消息操作" }).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}

test("A message is answered, edited, reacted to, forwarded and taken back, and both sides see it", async ({
  people,
}) => {
  const a = (await people.loggedIn("zhangwei")).pages[0]!;
  const b = (await people.loggedIn("lina")).pages[0]!;
  const c = (await people.loggedIn("admin")).pages[0]!;
  await openChat(a, "李娜");
  await openChat(b, "张伟");

  await sendText(a, "消防演练几点开始？");
  await act(b, "消防演练几点开始？", "回复");
  await expect(composer(b)).toBeFocused();
  await sendText(b, "下午三点，在一号楼门口集合");
  const quote = message(a, "下午三点").getByRole("button", { name: /^查看 我 的原消息/ });
  await expect(quote).toContainText("消防演练几点开始？");
  await quote.click();
  await expect(message(a, "消防演练几点开始？").first()).toBeFocused();

  await composer(b).press("ArrowUp");
  await expect(composer(b)).toHaveValue("下午三点，在一号楼门口集合");
  await composer(b).fill("下午四点，在一号楼门口集合");
  await b.getByRole("button", { name: "保存" }).click();
  for (const page of [a, b]) await expect(message(page, "下午四点")).toContainText("已编辑");
  await expect(composer(b)).toHaveValue("");

  await act(a, "下午四点", "用 👍 回应");
  const thumb = (page: Page) => message(page, "下午四点").getByRole("button", { name: /^👍/ });
  await expect(thumb(b)).toHaveAccessibleName("👍 1 人：张伟");
  await thumb(b).click();
  await expect(thumb(a)).toHaveAccessibleName("👍 2 人：我、李娜");
  await expect(thumb(b)).toHaveAttribute("aria-pressed", "true");

  await act(a, "下午四点", "转发");
  const dialog = a.getByRole("dialog", { name: "转发给" });
  await dialog.getByRole("button", { name: "转发" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("请选择联系人或群聊");
  await dialog.getByRole("textbox").fill("管理员");
  await dialog.locator("label").filter({ hasText: "管理员" }).click();
  await shoot(a, "chat-forward");
  await dialog.getByRole("button", { name: "转发" }).click();
  await expect(dialog).toBeHidden();
  await openChat(c, "张伟");
  await expect(message(c, "下午四点，在一号楼门口集合")).toBeVisible();

  await sendText(a, "发错了");
  await expect(message(b, "发错了")).toBeVisible();
  await message(a, "发错了").locator(".message-bubble").click({ button: "right" });
  await a.getByRole("menuitem", { name: "撤回" }).click();
  await expect(b.getByText("对方撤回了一条消息").last()).toBeVisible();
  await expect(message(b, "发错了")).toHaveCount(0);

  await a.getByRole("button", { name: "发送名片" }).click();
  const choice = a.getByRole("dialog", { name: "发送名片" });
  await shoot(a, "chat-card-choice");
  await choice.getByRole("button", { name: /管理员/ }).click();
  const card = b.getByRole("link", { name: "打开与 管理员 的会话" });
  await expect(card).toContainText("个人名片");
  await expect(message(a, "个人名片")).toHaveAttribute("data-kind", "card");
  const map = message(b, "人民路 1 号").getByRole("link", { name: "在地图上查看" });
  await expect
    .poll(async () => {
      // what the core makes of a place from another client (sdk-contents.test.ts), until the core tells of the card again
      await b.evaluate(() => {
        const { messages } = globalThis.consoleCore.state.chat.conversations["zhangwei"]!;
        const place = { address: "人民路 1 号", at: { latitude: 31.2, longitude: 121.5 } };
        const found = Object.values(messages).find(({ type }) => type === "card");
        if (found !== undefined) Object.assign(found, { type: "location", place });
      });
      const [href] = await map.evaluateAll((links) =>
        links.map((link) => link.getAttribute("href")),
      );
      return href;
    })
    .toMatch(/^https:\/\/www\.openstreetmap\.org\/.*mlat=31\.2&mlon=121\.5/);
  await expect(map).toHaveAttribute("rel", "noopener noreferrer");
  await shoot(b, "chat-place");

  await message(a, "下午四点").hover();
  await message(a, "下午四点").getByRole("button", { name: "回复" }).click();
  await shoot(a, "chat-answering");
  await expectAccessible(a, "message tools");
});

test("The menu of a message gains its entries when the server confirms the message", async ({
  people,
  server,
}) => {
  const a = (await people.loggedIn("zhangwei")).pages[0]!;
  await openChat(a, "李娜");
  process.kill(server.pid(), "SIGSTOP");
  await sendText(a, "还没有确认");
  const item = message(a, "还没有确认").last();
  await expect(item).toHaveAttribute("data-row", /./);
  await item.locator(".message-bubble").click({ button: "right" });
  await expect(a.getByRole("menuitem", { name: "复制" })).toBeFocused();
  await expect(a.getByRole("menuitem", { name: "多选" })).toHaveCount(0);
  process.kill(server.pid(), "SIGCONT");
  await expect(a.getByRole("menuitem", { name: "多选" })).toBeVisible();
  await expect(a.getByRole("menuitem", { name: "复制" }), "keeps the focus").toBeFocused();
});

test("Conversations are pinned, silenced, filtered and searched in all tabs, and drafts follow from tab to tab", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 2 });
  const [a, other] = [zhang.pages[0]!, zhang.pages[1]!];
  const b = (await people.loggedIn("lina")).pages[0]!;
  const row = conversationRow;
  const choose = async (name: string, action: string): Promise<void> => {
    await row(a, name).click({ button: "right" });
    await a.getByRole("menuitem", { name: action }).click();
  };
  for (const page of [a, other]) await openChat(page, "李娜");
  await openChat(b, "张伟");

  await composer(a).fill("写到一半");
  await composer(other).blur();
  await composer(a).fill("写到一半的话");
  await expect(composer(other)).toHaveValue("写到一半的话");
  for (const page of [a, other]) await openChat(page, "管理员");
  await expect(row(other, "李娜")).toContainText("[草稿] 写到一半的话");

  await choose("运维值班", "置顶会话");
  for (const page of [a, other]) {
    await expect(page.locator(".contact-row").first()).toContainText("运维值班");
  }
  await choose("李娜", "消息免打扰");
  await expect(row(other, "李娜").getByLabel("已开启免打扰")).toBeVisible();
  await sendText(b, "静音时的话");
  await expect(row(a, "李娜").getByRole("img", { name: "1 条未读" })).toBeVisible();
  await expect(a).not.toHaveTitle(/^\(/);
  await choose("李娜", "取消免打扰");
  for (const page of [a, other]) await expect(page).toHaveTitle(/^\(1\) /);

  await a.getByText("未读", { exact: true }).click();
  await expect(row(a, "李娜")).toBeVisible();
  await expect(row(a, "运维值班")).toHaveCount(0);
  await a.getByText("群聊", { exact: true }).click();
  await expect(row(a, "李娜")).toHaveCount(0);
  await a.getByText("全部", { exact: true }).click();
  await shoot(a, "chat-list");

  await a.getByRole("textbox", { name: "搜索姓名" }).fill("静音时");
  await a.getByRole("region", { name: "聊天记录" }).getByRole("button").click();
  await expect(message(a, "静音时的话").last()).toBeFocused();
  await expect(a).not.toHaveTitle(/^\(/);
  await shoot(a, "chat-search");
  await expectAccessible(a, "conversation list");
  await a.getByRole("textbox", { name: "搜索姓名" }).fill("");
  await choose("运维值班", "取消置顶");
});

test("On a phone each conversation has a button with its menu, which no long press is needed for", async ({
  people,
}) => {
  const a = (await people.loggedIn("zhangwei")).pages[0]!;
  const rows = a.locator(".contact-row");
  const actions = (name: string) =>
    conversationRow(a, name).getByRole("button", { name: `${name} 的会话操作` });
  await expect(rows.first()).toBeVisible();
  await expect(a.getByRole("button", { name: /的会话操作$/ }), "with a mouse").toHaveCount(0);
  await a.setViewportSize({ width: 390, height: 844 });
  await expect(a.getByRole("button", { name: /的会话操作$/ })).toHaveCount(await rows.count());
  const { width, height } = (await actions("李娜").boundingBox())!;
  expect(Math.min(width, height), "as large as a finger").toBeGreaterThanOrEqual(40);
  await actions("李娜").click();
  await expect(a.getByRole("menu", { name: "李娜 的会话操作" })).toBeVisible();
  await shoot(a, "chat-menu-phone", ["narrow"]);
  await a.setViewportSize({ width: 390, height: 844 });
  await actions("李娜").click();
  await a.getByRole("menuitem", { name: "置顶会话" }).click();
  await expect(rows.first()).toContainText("李娜");
  await expect(conversationRow(a, "李娜").getByLabel("已置顶")).toBeVisible();
  // By keyboard, which gets the focus back.
  await actions("李娜").press("Enter");
  await expect(a.getByRole("menuitem", { name: "取消置顶" })).toBeFocused();
  await a.keyboard.press("Escape");
  await expect(actions("李娜")).toBeFocused();
  await expectAccessible(a, "conversations on a phone");
  await actions("李娜").click();
  await a.getByRole("menuitem", { name: "取消置顶" }).click();
  await expect(conversationRow(a, "李娜").getByLabel("已置顶")).toHaveCount(0);
});
