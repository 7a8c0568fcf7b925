import { describe, expect, test } from "vitest";
import type { ChatMessage } from "../protocol/state.ts";
import { hasVisibleText } from "./chat-limits.ts";
import { createLocalIds, isSafeKey, messageKey, nextStatus, positionOf } from "./chat.ts";

const message = (over: Partial<ChatMessage>): ChatMessage => ({
  id: "1",
  mid: "1",
  chatId: "bob",
  from: "bob",
  bySelf: false,
  type: "text",
  msg: "",
  status: "unread",
  time: 1,
  ...over,
});

describe("hasVisibleText", () => {
  test.each(["a", " 好 ", "👍", "👨‍👩‍👧", "❤️", "\u200b.", "é", "🏳️‍🌈", "ー"])(
    "%j is a visible text",
    (text) => {
      expect(hasVisibleText(text)).toBe(true);
    },
  );
  test.each([
    "",
    " \n\t",
    "\u200b",
    "\u200d\ufeff",
    "\u202e\u2066",
    "\u3164",
    "\u2800",
    "\u00ad",
    "\ufe0f",
  ])("%j is not a visible text", (text) => {
    expect(hasVisibleText(text)).toBe(false);
  });
});

describe("message status", () => {
  test("a status only moves forward", () => {
    expect(nextStatus("sending", "sent")).toBe("sent");
    expect(nextStatus("sent", "delivered")).toBe("delivered");
    expect(nextStatus("delivered", "sent")).toBe("delivered");
    expect(nextStatus("delivered", "read")).toBe("read");
    expect(nextStatus("read", "delivered")).toBe("read");
    expect(nextStatus("sent", "read")).toBe("read");
    expect(nextStatus("read", "sent")).toBe("read");
    expect(nextStatus("sent", "sending")).toBe("sent");
    expect(nextStatus("recall", "read")).toBe("recall");
    expect(nextStatus("unread", "recall")).toBe("recall");
  });
  test("a message can fail and be sent again until an acknowledgement arrives", () => {
    expect(nextStatus("sending", "failed")).toBe("failed");
    expect(nextStatus("failed", "sending")).toBe("sending");
    expect(nextStatus("failed", "sent")).toBe("sent");
    expect(nextStatus("sent", "failed")).toBe("sent");
  });
});

describe("position of a message", () => {
  const messages = {
    a: message({ id: "a", mid: "10", time: 10 }),
    b: message({ id: "b", mid: "20", time: 20 }),
    "7": message({ id: "7", mid: null, time: 5, status: "sending", bySelf: true }),
  };
  const order = ["a", "b", "7"];
  test("messages are sorted by server time, before unsent ones", () => {
    expect(positionOf(order, messages, message({ mid: "5", time: 5 }))).toBe(0);
    expect(positionOf(order, messages, message({ mid: "15", time: 15 }))).toBe(1);
    expect(positionOf(order, messages, message({ mid: "99", time: 99 }))).toBe(2);
  });
  test("messages of one millisecond are sorted by server id as a number", () => {
    expect(positionOf(order, messages, message({ mid: "9", time: 10 }))).toBe(0);
    expect(positionOf(order, messages, message({ mid: "11", time: 10 }))).toBe(1);
  });
  test("unsent messages stay in the order they were written, whatever the clock says", () => {
    const next = message({ id: "8", mid: null, time: 1, status: "sending", bySelf: true });
    expect(positionOf(order, messages, next)).toBe(3);
    expect(positionOf(order, messages, { ...next, id: "6" })).toBe(2);
  });
});

test("local ids grow, fit into 63 bits and differ between devices within one millisecond", () => {
  let now = 1_800_000_000_000;
  const one = createLocalIds(
    () => now,
    () => 0.25,
  );
  const other = createLocalIds(
    () => now,
    () => 0.75,
  );
  const ids = [one.next(), one.next(), one.next()];
  now -= 5_000;
  ids.push(one.next());
  const numbers = ids.map(BigInt);
  expect(numbers.every((id, at) => at === 0 || id > (numbers[at - 1] ?? 0n))).toBe(true);
  expect(numbers.at(-1)).toBeLessThan(2n ** 63n);
  expect(ids).not.toContain(other.next());
  other.after(ids.at(-1) ?? "");
  expect(BigInt(other.next())).toBeGreaterThan(numbers.at(-1) ?? 0n);
});

test("a message has the same key however it was received", () => {
  const wire = { mid: "99", from: "alice", localId: "123" };
  expect(messageKey({ ...wire, bySelf: true })).toBe("123");
  expect(messageKey({ ...wire, bySelf: false })).toBe("alice:123");
  expect(messageKey({ ...wire, localId: null, bySelf: true })).toBe("m99");
});

test("a user name that is a property of every object is refused as a key", () => {
  expect(["__proto__", "constructor", "bob"].map(isSafeKey)).toEqual([false, false, true]);
});
