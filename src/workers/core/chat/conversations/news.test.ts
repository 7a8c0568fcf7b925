import { expect, test } from "vitest";
import { groupChatId } from "../../../../shared/domain/group-chat.ts";
import { createHarness, settle, type Harness, type Stored } from "../chat.harness.ts";

const context = { tabId: "t", id: "c" };
const GROUP = { id: "1001", name: "值班群", members: ["alice", "bob", "carol"] };
const CHAT = groupChatId(GROUP.id);
const tab = (tabId: string, visible: boolean) => ({ tabId, visible, focusedAt: 1, connectedAt: 1 });

const started = async (): Promise<Harness> => {
  const h = createHarness();
  h.server.groups.push(structuredClone(GROUP));
  h.tabs = [tab("last", false), tab("other", false)];
  await settle();
  return h;
};
const hear = async (h: Harness, message: Stored): Promise<void> => {
  h.conn().events.message(message);
  await settle();
};
const news = (h: Harness) => h.store.get("news");
const shown = (h: Harness) => Object.values(news(h).messages).map((m) => [m.chatId, m.text]);

test("While no tab is visible, the tab used last shows the newest unread message of each conversation, with names", async () => {
  const h = await started();
  await hear(h, h.server.put("bob", "alice", "在吗"));
  await hear(h, h.server.put("carol", CHAT, "到了"));
  expect(news(h)).toEqual({
    unread: 2,
    messages: {
      bob: {
        chatId: "bob",
        mid: expect.any(String) as string,
        name: "名字-bob",
        sender: null,
        type: "text",
        text: "在吗",
        tabId: "last",
      },
      [CHAT]: expect.objectContaining({
        name: "值班群",
        sender: "名字-carol",
        tabId: "last",
      }) as object,
    },
  });
  // the tab that was chosen for a message stays
  h.tabs = [tab("other", false)];
  await hear(h, h.server.put("carol", "alice", "你好"));
  expect(Object.values(news(h).messages).map((m) => m.tabId)).toEqual(["last", "last", "other"]);
});

test("A remark on a friend stands in place of the name in what the system shows", async () => {
  const h = createHarness();
  h.server.groups.push(structuredClone(GROUP));
  h.server.friends.push({ userName: "bob", name: "名字-bob", avatar: "" });
  h.server.remarks.set("bob", "老鲍");
  h.tabs = [tab("last", false)];
  await settle();
  await hear(h, h.server.put("bob", "alice", "在吗"));
  await hear(h, h.server.put("bob", CHAT, "到了"));
  expect(Object.values(news(h).messages)).toMatchObject([
    { name: "老鲍", sender: null },
    { name: "值班群", sender: "老鲍" },
  ]);
  expect(h.chat.commands.nameOf("bob"), "what others may read has the own name").toBe("名字-bob");
});

test("A message that comes while a tab is visible is shown by none, and a read or old one is no news", async () => {
  const h = await started();
  h.tabs = [tab("other", true), tab("last", false)];
  await hear(h, h.server.put("bob", "alice", "看得见"));
  expect(news(h).messages["bob"]?.tabId).toBeNull();
  await h.chat.handlers.markRead({ chatId: "bob" }, context);
  expect(news(h)).toEqual({ unread: 0, messages: {} });
  const old = h.server.put("bob", "alice", "旧");
  await hear(h, { ...old, time: h.env.clock.now() - 61_000 });
  expect(news(h)).toEqual({ unread: 1, messages: {} });
});

test("A silent conversation shows only what names the person and counts nothing; do not disturb shows nothing", async () => {
  const h = await started();
  h.server.keeping = { pinned: {}, muted: { bob: true, [CHAT]: true }, quiet: false };
  h.conn().events.kept();
  await settle();
  await hear(h, h.server.put("bob", "alice", "一"));
  await hear(h, { ...h.server.put("carol", CHAT, "@所有人 开会"), mentions: "ALL" });
  await hear(h, h.server.put("carol", "alice", "二"));
  expect(shown(h)).toEqual([
    [CHAT, "@所有人 开会"],
    ["carol", "二"],
  ]);
  expect(news(h).unread).toBe(1);
  await h.chat.handlers.mute({ chatId: null, on: true }, context);
  expect(shown(h)).toEqual([]);
  await h.chat.handlers.mute({ chatId: "bob", on: false }, context);
  expect(news(h).unread).toBe(2);
});

test("A message that was taken back is no news, and the next person learns nothing of it", async () => {
  const h = await started();
  const message = h.server.put("bob", "alice", "错了");
  await hear(h, message);
  h.conn().events.recalled({ mid: message.mid, from: "bob", to: "alice", time: message.time });
  await settle();
  expect(news(h)).toEqual({ unread: 0, messages: {} });
  await hear(h, h.server.put("bob", "alice", "x".repeat(300)));
  expect(news(h).messages["bob"]?.text).toHaveLength(200);
  h.user(null);
  expect(news(h)).toEqual({ unread: 0, messages: {} });
});

test("The messages of 20 conversations are kept", async () => {
  const h = await started();
  for (let i = 0; i < 22; i += 1) await hear(h, h.server.put(`bob${i}`, "alice", `${i}`));
  expect(shown(h).map(([, text]) => text)).toEqual(
    Array.from({ length: 20 }, (_, i) => String(i + 2)),
  );
  expect(news(h).unread).toBe(22);
});
