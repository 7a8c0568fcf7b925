import { expect, test } from "vitest";
import {
  CHAT_CACHE,
  CHAT_GROUP_CACHE,
  CHAT_TAIL,
  tailAt,
} from "../../../../shared/domain/chat-window.ts";
import { createHarness, settle, type Harness } from "../chat.harness.ts";

const context = { tabId: "t", id: "c" };
const TOTAL = 2_000;

/** A person or group with 2,000 messages, whose conversation is open. */
async function opened(chatId: string): Promise<Harness> {
  const h = createHarness();
  if (chatId.startsWith("#")) {
    h.server.groups.push({ id: chatId.slice(1), name: "群", members: ["alice", "bob"] });
  }
  const to = chatId.startsWith("#") ? chatId : "alice";
  for (let n = 0; n < TOTAL; n += 1) h.server.put("bob", to, `${n}`);
  await settle();
  await h.chat.handlers.open({ chatId, name: "鲍勃" }, context);
  return h;
}
const conversation = (h: Harness, chatId: string) => {
  const found = h.store.get("chat").conversations[chatId];
  if (found === undefined) throw new Error("no conversation");
  return found;
};
/** The numbers of the messages in memory: those before the gap, and the newest. */
function numbers(h: Harness, chatId: string): { window: number[]; tail: number[] } {
  const { order, tail, messages } = conversation(h, chatId);
  const all = order.map((id) => Number(messages[id]?.msg));
  const at = tailAt({ order, tail });
  return { window: all.slice(0, at), tail: all.slice(at) };
}
/** Whether each number is one more than the one before it. */
const inRow = (list: readonly number[]): boolean =>
  list.every((n, at) => at === 0 || n === (list[at - 1] ?? 0) + 1);

for (const [chatId, limit] of [
  ["bob", CHAT_CACHE],
  ["#17", CHAT_GROUP_CACHE],
] as const) {
  test(`${TOTAL} messages of ${chatId} are scrolled to their true beginning and back, at most ${limit} of them in memory`, async () => {
    const h = await opened(chatId);
    const seen = new Set<number>();
    let pages = 0;
    for (; !conversation(h, chatId).historyEnd && pages < TOTAL; pages += 1) {
      await h.chat.handlers.older({ chatId }, context);
      const { window, tail } = numbers(h, chatId);
      for (const n of [...window, ...tail]) seen.add(n);
      expect(window.length + tail.length).toBeLessThanOrEqual(limit);
      expect(Object.keys(conversation(h, chatId).messages)).toHaveLength(
        window.length + tail.length,
      );
      expect(inRow(window) && inRow(tail), `page ${pages}`).toBe(true);
      expect(tail.at(-1)).toBe(TOTAL - 1);
    }
    expect(pages).toBe(TOTAL / 10 - 1);
    expect(seen.size).toBe(TOTAL);
    expect(numbers(h, chatId).window[0]).toBe(0);
    expect(numbers(h, chatId).tail).toHaveLength(CHAT_TAIL);

    for (pages = 0; conversation(h, chatId).tail !== undefined && pages < TOTAL; pages += 1) {
      const before = numbers(h, chatId).window.at(-1) ?? 0;
      await h.chat.handlers.newer({ chatId }, context);
      const { window, tail } = numbers(h, chatId);
      expect(window.length + tail.length).toBeLessThanOrEqual(limit);
      expect(inRow(window) && inRow(tail)).toBe(true);
      if (window.length > 0) expect(window.at(-1)).toBe(before + 10);
    }
    const { window, tail } = numbers(h, chatId);
    expect(window).toEqual([]);
    expect(tail.at(-1)).toBe(TOTAL - 1);
    expect(inRow(tail)).toBe(true);
    expect(conversation(h, chatId).historyEnd).toBe(false);
  });
}

test("The way to a message far back reads those around it alone, and leads on in both directions", async () => {
  const h = await opened("bob");
  const target = h.server.messages[700];
  const reach = (mid: string) => h.chat.handlers.reach({ chatId: "bob", mid }, context);
  expect(await reach(target?.mid ?? "")).toBe(true);
  expect(numbers(h, "bob")).toEqual({
    window: Array.from({ length: 20 }, (_, n) => 691 + n),
    tail: Array.from({ length: 10 }, (_, n) => 1990 + n),
  });
  await h.chat.handlers.older({ chatId: "bob" }, context);
  await h.chat.handlers.newer({ chatId: "bob" }, context);
  expect(numbers(h, "bob").window).toEqual(Array.from({ length: 40 }, (_, n) => 681 + n));
  expect(await reach("404")).toBe(false);
  expect(numbers(h, "bob").window).toHaveLength(40);

  // the first of all, and one just before the newest: both parts meet
  expect(await reach(h.server.messages[0]?.mid ?? "")).toBe(true);
  expect(conversation(h, "bob").historyEnd).toBe(true);
  expect(numbers(h, "bob").window).toEqual(Array.from({ length: 11 }, (_, n) => n));
  expect(await reach(h.server.messages[1985]?.mid ?? "")).toBe(true);
  expect(numbers(h, "bob")).toEqual({
    window: [],
    tail: Array.from({ length: 24 }, (_, n) => 1976 + n),
  });
});

test("What arrives while old messages are read stands at the newest ones, and the way back drops the old ones", async () => {
  const h = await opened("bob");
  await h.chat.handlers.reach({ chatId: "bob", mid: h.server.messages[5]?.mid ?? "" }, context);
  h.conn().events.message(h.server.put("bob", "alice", "2000"));
  await settle();
  await h.send("bob", "2001");
  await settle();
  expect(numbers(h, "bob").window).toEqual(Array.from({ length: 16 }, (_, n) => n));
  expect(numbers(h, "bob").tail).toEqual(Array.from({ length: 12 }, (_, n) => 1990 + n));
  await h.chat.handlers.newest({ chatId: "bob" }, context);
  expect(numbers(h, "bob")).toEqual({
    window: [],
    tail: Array.from({ length: 12 }, (_, n) => 1990 + n),
  });
  expect(conversation(h, "bob").historyEnd).toBe(false);
  await h.chat.handlers.older({ chatId: "bob" }, context);
  expect(inRow(numbers(h, "bob").tail)).toBe(true);
  expect(numbers(h, "bob").tail[0]).toBe(1980);
});

test("The stored copy of a conversation has its newest messages alone, so that no gap comes back with it", async () => {
  const h = await opened("bob");
  await h.chat.handlers.reach({ chatId: "bob", mid: h.server.messages[700]?.mid ?? "" }, context);
  h.env.clock.advance(1_000);
  await settle(60);
  await h.chat.stop();
  const next = createHarness({ env: h.env, server: h.server, auto: false });
  await settle(60);
  expect(numbers(next, "bob")).toEqual({
    window: [],
    tail: Array.from({ length: 10 }, (_, n) => 1990 + n),
  });
});

test("When the newest messages are all deleted, the old ones do not take their place", async () => {
  const h = await opened("bob");
  await h.chat.handlers.reach({ chatId: "bob", mid: h.server.messages[700]?.mid ?? "" }, context);
  const { order, tail } = conversation(h, "bob");
  const ids = order.slice(tailAt({ order, tail }));
  await h.chat.handlers.erase({ chatId: "bob", ids }, context);
  expect(conversation(h, "bob")).toMatchObject({ order: [], historyEnd: false });
  await h.chat.handlers.older({ chatId: "bob" }, context);
  expect(numbers(h, "bob").tail).toEqual(Array.from({ length: 10 }, (_, n) => 1980 + n));
});
