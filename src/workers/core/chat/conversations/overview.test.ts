import { expect, test } from "vitest";
import { groupChatId } from "../../../../shared/domain/group-chat.ts";
import { createHarness, settle, type Harness, type Stored } from "../chat.harness.ts";
import { ChatFailure, type ListedConversation } from "../provider/port.ts";

const context = { tabId: "t", id: "c" };
const GROUP = groupChatId("1001");
const row = (chatId: string, unread: number, last: Stored): ListedConversation => ({
  chatId,
  unread,
  last,
});
const shown = (h: Harness) =>
  Object.values(h.store.get("chat").conversations).map(({ chatId, name, unread, order }) => ({
    chatId,
    name,
    unread,
    messages: order.length,
  }));
const unread = (h: Harness, chatId = "bob") => h.store.get("chat").conversations[chatId]?.unread;
const hear = async (h: Harness, message: Stored): Promise<void> => {
  h.conn().events.message(message);
  await settle();
};

test("A new device shows the conversations of people and groups with their last messages and unread numbers", async () => {
  const h = createHarness();
  h.server.groups.push({ id: "1001", name: "值班群", members: ["alice", "bob"] });
  const first = h.server.put("bob", "alice", "在吗");
  const second = h.server.put("carol", GROUP, "到了");
  h.server.listAnswer = () => Promise.resolve([row(GROUP, 3, second), row("bob", 2, first)]);
  await settle();
  expect(shown(h)).toEqual([
    { chatId: GROUP, name: "值班群", unread: 3, messages: 1 },
    { chatId: "bob", name: "名字-bob", unread: 2, messages: 1 },
  ]);
  expect(h.store.get("news").unread).toBe(5);
  await h.chat.handlers.markRead({ chatId: "bob" }, context);
  expect(unread(h)).toBe(0);
});

test("What the list has counted is not counted again when it comes, and what is newer is", async () => {
  const h = createHarness();
  const all = ["1", "2", "3"].map((text) => h.server.put("bob", "alice", text));
  h.server.listAnswer = () => Promise.resolve([row("bob", 3, all[2]!)]);
  await settle();
  for (const message of all) await hear(h, message);
  expect(unread(h)).toBe(3);
  await hear(h, h.server.put("bob", "alice", "4"));
  expect(unread(h)).toBe(4);
  expect(h.conversation("bob").map(({ text }) => text)).toEqual(["1", "2", "3", "4"]);
});

test("A message that comes while the list is read is counted on top of the list's number", async () => {
  const h = createHarness();
  const last = h.server.put("bob", "alice", "1");
  let answer = (_rows: ListedConversation[]): void => undefined;
  h.server.listAnswer = () => new Promise((resolve) => (answer = resolve));
  await settle();
  await hear(h, last);
  await hear(h, h.server.put("bob", "alice", "2"));
  answer([row("bob", 5, last)]);
  await settle();
  expect(unread(h)).toBe(6);
});

test("What another device has read is read here; what is read here while the list is read stays so", async () => {
  const h = createHarness();
  let answer = (_rows: ListedConversation[]): void => undefined;
  h.server.listAnswer = () => new Promise((resolve) => (answer = resolve));
  await settle();
  const bob = h.server.put("bob", "alice", "1");
  const carol = h.server.put("carol", "alice", "2");
  await hear(h, bob);
  await hear(h, carol);
  await h.chat.handlers.markRead({ chatId: "carol" }, context);
  h.conn().deliver();
  await settle();
  answer([row("bob", 0, bob), row("carol", 1, carol)]);
  await settle();
  expect([unread(h), unread(h, "carol")]).toEqual([0, 0]);
  expect(h.conversation("bob").map(({ status }) => status)).toEqual(["read"]);
});

test("What is read before the list says that it is unread is read at the provider too", async () => {
  const h = createHarness();
  let answer = (_rows: ListedConversation[]): void => undefined;
  h.server.listAnswer = () => new Promise((resolve) => (answer = resolve));
  await settle();
  const bob = h.server.put("bob", "alice", "1");
  await h.chat.handlers.open({ chatId: "bob", name: "Bob" }, context);
  await h.chat.handlers.markRead({ chatId: "bob" }, context);
  await settle();
  expect(h.conn().flying).toEqual([]);
  answer([row("bob", 1, bob)]);
  await settle();
  expect(unread(h)).toBe(0);
  expect(h.conn().flying.map(({ message }) => [message.kind, message.to])).toEqual([
    ["readAll", "bob"],
  ]);
});

test("A conversation that is taken out of the list goes on all devices, and its next message brings it back", async () => {
  const h = createHarness();
  await settle();
  await hear(h, h.server.put("bob", "alice", "1"));
  await hear(h, h.server.put("carol", "alice", "2"));
  await h.chat.handlers.forget({ chatId: "bob" }, context);
  expect(h.server.forgotten).toEqual(["bob"]);
  h.conn().events.forgotten("carol");
  expect(shown(h)).toEqual([]);
  expect(h.store.get("news")).toEqual({ unread: 0, messages: {} });
  await hear(h, h.server.put("bob", "alice", "3"));
  expect(shown(h)).toEqual([{ chatId: "bob", name: "名字-bob", unread: 1, messages: 1 }]);
  h.server.changeAnswer = () => Promise.reject(new ChatFailure(17, "no"));
  await expect(h.chat.handlers.forget({ chatId: "bob" }, context)).rejects.toMatchObject({
    code: "server.unavailable",
  });
  expect(shown(h)).toHaveLength(1);
});

test("A list that cannot be read is read again, and one without last messages changes nothing", async () => {
  const h = createHarness();
  let tries = 0;
  h.server.listAnswer = () => {
    tries += 1;
    return tries === 1
      ? Promise.reject(new ChatFailure(500, "busy"))
      : Promise.resolve([{ chatId: "bob", unread: 0, last: null }]);
  };
  await settle();
  h.env.clock.advance(1000);
  await settle();
  expect(tries).toBe(2);
  expect(shown(h)).toEqual([]);
});

test("The address of a file comes with the history, because the list names none", async () => {
  const h = createHarness();
  const file = { name: "a.png", size: 1, width: 1, height: 1, length: null, thumb: null };
  const last: Stored = { ...h.server.put("bob", "alice", "a.png"), type: "img" };
  h.server.listAnswer = () =>
    Promise.resolve([
      { chatId: "bob", unread: 1, last: { ...last, file: { ...file, url: null } } },
    ]);
  await settle();
  const url = "http://h/o/a/chatfiles/u?share-secret=s";
  await hear(h, { ...last, file: { ...file, url } });
  const { messages = {} } = h.store.get("chat").conversations["bob"] ?? {};
  expect(Object.values(messages).map((m) => m.file?.url)).toEqual([url]);
});
