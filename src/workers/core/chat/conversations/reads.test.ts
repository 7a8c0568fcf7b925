import { expect, test } from "vitest";
import { groupChatId } from "../../../../shared/domain/group-chat.ts";
import { createHarness, settle, type Harness, type Stored } from "../chat.harness.ts";
import { ChatFailure } from "../provider/port.ts";

const context = { tabId: "t", id: "c" };
const CHAT = groupChatId("1001");
const inGroup = async (members: string[]): Promise<Harness> => {
  const h = createHarness();
  h.server.groups.push({ id: "1001", name: "值班群", members });
  await settle();
  return h;
};
const hear = async (h: Harness, text: string, asksReaders = true): Promise<Stored> => {
  const message = { ...h.server.put("bob", CHAT, text), asksReaders };
  h.conn().events.message(message);
  await settle();
  return message;
};
/** The server takes all that is sent. */
const deliver = async (h: Harness): Promise<void> => {
  while (h.conn().flying.length > 0) {
    h.conn().deliver();
    await settle();
  }
};
const receipts = (h: Harness) =>
  h.server.received.flatMap(({ message }) => (message.kind === "groupRead" ? message.mid : []));
const readers = (h: Harness) =>
  Object.values(h.store.get("chat").conversations[CHAT]?.messages ?? {}).map((m) => m.readers);

test("Looking at a group tells each sender who asks, once and in order, and nobody who does not ask", async () => {
  const h = await inGroup(["alice", "bob"]);
  const one = await hear(h, "1");
  await hear(h, "2", false);
  const three = await hear(h, "3");
  expect(receipts(h)).toEqual([]);
  await h.chat.handlers.markRead({ chatId: CHAT }, context);
  await deliver(h);
  expect(receipts(h)).toEqual([one.mid, three.mid]);
  await h.chat.handlers.markRead({ chatId: CHAT }, context);
  await deliver(h);
  expect(receipts(h)).toHaveLength(2);
});

test("A receipt that was lost goes out after the reconnect; a refused one does not hold up the next", async () => {
  const h = await inGroup(["alice", "bob"]);
  const all = [await hear(h, "1"), await hear(h, "2"), await hear(h, "3")];
  await h.chat.handlers.markRead({ chatId: CHAT }, context);
  await settle();
  const sent = () =>
    h.conn().flying.flatMap(({ message }) => (message.kind === "groupRead" ? message.mid : []));
  expect(sent()).toEqual([all[0]?.mid]);
  h.conn().drop();
  h.conn().back();
  await settle();
  expect(sent()).toEqual([all[0]?.mid]);
  while (h.conn().flying[0]?.message.kind !== "groupRead") h.conn().deliver();
  h.conn().answer(new ChatFailure(602, "not in group"));
  await settle();
  expect(sent()).toEqual([all[1]?.mid]);
});

test("An own message counts its readers, whichever order the receipts come in, until it is taken back", async () => {
  const h = await inGroup(["alice", "bob", "carol"]);
  await h.send(CHAT, "请确认");
  await deliver(h);
  expect(readers(h)).toEqual([0]);
  const { mid } = Object.values(h.store.get("chat").conversations[CHAT]?.messages ?? {})[0]!;
  const read = (from: string, count: number) =>
    h.conn().events.readBy({ mid: mid!, from, to: CHAT, time: 0, count });
  read("bob", 2);
  read("carol", 1);
  await settle();
  expect(readers(h)).toEqual([2]);
  h.conn().events.recalled({ mid: mid!, from: "alice", to: CHAT, time: 0 });
  read("bob", 3);
  await settle();
  expect(readers(h)).toEqual([undefined]);
});

test("The messages of a group with more than 200 members, and of a person, ask nobody", async () => {
  const h = await inGroup(["alice", ...Array.from({ length: 200 }, (_, i) => `m${i}`)]);
  await h.send(CHAT, "大家好");
  await h.send("bob", "你好");
  await deliver(h);
  expect(readers(h)).toEqual([undefined]);
  const asked = h.server.received.map(({ message }) => "asksReaders" in message);
  expect(asked).toEqual([false, false]);
});
