import { describe, expect, test } from "vitest";
import { outboxKey } from "../outbox/outbox-writer.ts";
import { createHarness, settle, type Harness } from "../chat.harness.ts";

const context = { tabId: "t", id: "c" };
const open = (h: Harness): Promise<null> =>
  h.chat.handlers.open({ chatId: "bob", name: "鲍勃" }, context);
const texts = (h: Harness): string[] => h.conversation("bob").map((m) => m.text);
const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => `${from + i}`);
const put = (h: Harness, from: number, to: number): void => {
  for (const text of range(from, to)) h.server.put("bob", "alice", text);
};
const loggedIn = async (over: Parameters<typeof createHarness>[0] = {}): Promise<Harness> => {
  const h = createHarness(over);
  await settle(100);
  return h;
};
/** A core with a copy of the messages 0 to 4 dies, and the server accepts 5 to 19 before the next core starts. */
const afterDeath = async (over: Parameters<typeof createHarness>[0] = {}): Promise<Harness> => {
  const first = await loggedIn();
  put(first, 0, 5);
  await open(first);
  first.env.clock.advance(1_000);
  await settle(100);
  put(first, 5, 20);
  return loggedIn({ env: first.env, server: first.server, ...over });
};

describe("messages that a dead core had not stored", () => {
  test("They are read although newer messages arrived before the history", async () => {
    const h = await afterDeath({ auto: false });
    h.conn().accept();
    for (const stored of h.server.messages.slice(-1)) h.conn().events.message(stored);
    h.conn().events.message(h.server.put("bob", "alice", "20"));
    await settle(100);
    await open(h);
    expect(texts(h)).toEqual(range(0, 21));
  });

  test("They are read although no tab opens the conversation", async () => {
    const h = await afterDeath();
    await settle(100);
    expect(texts(h)).toEqual(range(0, 20));
    expect(h.store.get("chat").conversations["bob"]?.unread).toBe(15);
  });

  test("They are read by the third core when the second one died before it had read them", async () => {
    const second = await afterDeath({ silentHistory: true });
    second.conn().events.message(second.server.put("bob", "alice", "20"));
    await settle(100);
    second.env.clock.advance(1_000);
    await settle(100);
    const third = await loggedIn({ env: second.env, server: second.server });
    await settle(100);
    expect(texts(third)).toEqual(range(0, 21));
  });

  test("They are read of a conversation that was still empty, whether the core died or the connection was lost", async () => {
    const first = await loggedIn();
    await open(first);
    first.env.clock.advance(1_000);
    await settle(100);
    // 35 messages are more than a page has; only the last of them arrives by itself.
    put(first, 0, 35);
    const next = await loggedIn({ env: first.env, server: first.server, auto: false });
    next.conn().accept();
    for (const stored of next.server.messages.slice(-1)) next.conn().events.message(stored);
    await settle(100);
    expect(texts(next)).toEqual(range(0, 35));
    expect(next.store.get("chat").conversations["bob"]?.unread).toBe(35);

    const lost = await loggedIn();
    await open(lost);
    lost.conn().drop();
    put(lost, 0, 35);
    lost.conn().back();
    await settle(100);
    expect(texts(lost)).toEqual(range(0, 35));
  });

  test("A conversation that was never read is read back to the first message that has arrived", async () => {
    const h = await loggedIn();
    put(h, 0, 35);
    // Of another own device nothing arrives by itself.
    for (const stored of h.server.messages.slice(8, 9)) h.conn().events.message(stored);
    await settle(100);
    await open(h);
    expect(texts(h)).toEqual(range(5, 35));
  });

  test("They are read when older messages arrive after the newest page was read", async () => {
    const h = await loggedIn();
    put(h, 0, 35);
    await open(h);
    expect(texts(h)).toEqual(range(25, 35));
    // What waited at the server for this device. Messages 4 to 24 had reached a core that died before it stored them.
    for (const stored of h.server.messages.slice(1, 4)) h.conn().events.message(stored);
    await settle(100);
    h.env.clock.advance(300);
    await settle(100);
    // Whole pages are read.
    expect(texts(h)).toEqual(range(0, 35));
  });

  test("They are read again when the first request was not answered", async () => {
    const over = { silentHistory: true };
    const h = await loggedIn(over);
    put(h, 0, 3);
    const opening = open(h);
    h.conn().drop();
    put(h, 3, 6);
    h.conn().back();
    over.silentHistory = false;
    await settle(100);
    h.env.clock.advance(10_000);
    await opening.catch(() => undefined);
    await settle(100);
    h.env.clock.advance(3_000);
    await settle(100);
    expect(texts(h)).toEqual(range(0, 6));
  });

  test("Own messages are shown before the server answers", async () => {
    const first = await loggedIn();
    await open(first);
    for (const text of ["一", "二"]) {
      await first.send("bob", text);
      first.conn().deliver();
      await settle(100);
    }
    await first.send("bob", "三");
    const second = await loggedIn({ env: first.env, server: first.server, auto: false });
    expect(second.conversation("bob")).toEqual([
      { text: "一", status: "sent", bySelf: true },
      { text: "二", status: "sent", bySelf: true },
      { text: "三", status: "sending", bySelf: true },
    ]);
    expect(first.server.messages.map((m) => m.msg)).toEqual(["一", "二"]);
  });
});

test("A sent message leaves the outbox once the stored copy holds it, and at a logout", async () => {
  const h = await loggedIn();
  const landed = () => (h.env.kv.data.get(outboxKey("alice")) as { landed: unknown[] }).landed;
  await h.send("bob", "一");
  h.conn().deliver();
  await settle(100);
  expect(landed()).toHaveLength(1);
  h.env.clock.advance(1_000);
  await settle(100);
  await h.send("bob", "二");
  expect(landed()).toHaveLength(0);
  h.conn().deliver();
  await settle(100);
  expect(landed()).toHaveLength(1);
  h.user(null);
  await settle(100);
  expect(landed()).toHaveLength(0);
});
