import { expect, test } from "vitest";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { unitsOf } from "./list-units.ts";
import { layOut } from "./rows.ts";

const at = new Date(2024, 4, 1, 9).getTime();
const message = (id: string, time: number): ChatMessage => ({
  id,
  mid: id,
  chatId: "bob",
  from: "bob",
  bySelf: false,
  type: "text",
  msg: id,
  status: "read",
  time,
});
const messages = { a: message("a", at), b: message("b", at + 60_000) };
const calls = [
  { id: "early", startedAt: at + 1 },
  { id: "late", startedAt: at + 100_000_000 },
];
const list = {
  ...layOut({ order: ["a", "b"], messages }, calls, true),
  callKey: ({ id }: { id: string }) => id,
  newLine: "b",
  waiting: [{ key: "w", chatId: "bob", text: "…", id: null, failed: false }] as never,
};
const keys = (callsAtEnd: boolean) => unitsOf({ ...list, callsAtEnd }).map(({ key }) => key);

test("Calls, lines and messages are rows of their own, each with a key", () => {
  expect(keys(true)).toEqual([
    "mark a",
    "a",
    "call early",
    "new",
    "b",
    "day call late",
    "call late",
    "waiting w",
  ]);
});

test("Calls after the last message are left out while newer messages are missing", () => {
  expect(keys(false)).toEqual(["mark a", "a", "call early", "new", "b", "waiting w"]);
});

test("Every row has a height before it is rendered", () => {
  for (const { estimate } of unitsOf({ ...list, callsAtEnd: true })) {
    expect(estimate).toBeGreaterThan(0);
  }
});
