import { expect, test } from "vitest";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { dayWord, layOut, placeCalls, rowsOf } from "./rows.ts";

const NOON = new Date(2026, 10, 23, 12).getTime();
const MINUTE = 60_000;
const message = (id: string, from: string, time: number, over: Partial<ChatMessage> = {}) => ({
  id,
  mid: id,
  chatId: "lina",
  from,
  bySelf: from === "me",
  type: "text" as const,
  msg: id,
  status: "read" as const,
  time,
  ...over,
});
const rows = (...list: ChatMessage[]) =>
  rowsOf({
    order: list.map(({ id }) => id),
    messages: Object.fromEntries(list.map((one) => [one.id, one])),
  }).map(({ message: { id }, mark, begins, ends }) => [id, mark, begins, ends]);

test("Messages of one sender within five minutes form a group", () => {
  expect(
    rows(
      message("a", "lina", NOON),
      message("b", "lina", NOON + MINUTE),
      message("c", "me", NOON + 2 * MINUTE),
      message("d", "lina", NOON + 3 * MINUTE),
      message("e", "lina", NOON + 8 * MINUTE),
    ),
  ).toEqual([
    ["a", "day", true, false],
    ["b", null, false, true],
    ["c", null, true, true],
    ["d", null, true, true],
    ["e", "time", true, true],
  ]);
});

test("A new day has a date line, even a minute after the message before", () => {
  const midnight = new Date(2026, 10, 24).getTime();
  expect(rows(message("a", "me", midnight - 1000), message("b", "me", midnight + 1000))).toEqual([
    ["a", "day", true, true],
    ["b", "day", true, true],
  ]);
});

test("A recalled message belongs to no group", () => {
  expect(
    rows(
      message("a", "me", NOON),
      message("b", "me", NOON, { status: "recall" }),
      message("c", "me", NOON),
    ).map(([, , begins, ends]) => [begins, ends]),
  ).toEqual([
    [true, true],
    [true, true],
    [true, true],
  ]);
});

test("Today and yesterday have words, other days have dates", () => {
  expect(dayWord(NOON - 11 * 60 * MINUTE, NOON)).toBe("today");
  expect(dayWord(NOON - 13 * 60 * MINUTE, NOON)).toBe("yesterday");
  expect(dayWord(NOON - 37 * 60 * MINUTE, NOON)).toBeNull();
  const newYear = new Date(2027, 0, 1, 0, 30).getTime();
  expect(dayWord(newYear - 60 * MINUTE, newYear)).toBe("yesterday");
});

test("An order that names a missing message does not throw", () => {
  const messages = { a: message("a", "lina", NOON) };
  expect(rowsOf({ order: ["gone", "a"], messages }).map((row) => row.message.id)).toEqual(["a"]);
});

test("Calls stand between the messages, and before the first one only when nothing is older", () => {
  const calls = [4, 25, 1, 12].map((startedAt) => ({ startedAt }));
  const at = (complete: boolean) =>
    placeCalls([10, 20], calls, complete).map((list) => list.map(({ startedAt }) => startedAt));
  expect(at(true)).toEqual([[1, 4], [12], [25]]);
  expect(at(false)).toEqual([[], [12], [25]]);
  expect(placeCalls([], calls, false)).toEqual([[]]);
});

test("The first entry of a day has the date line, whether it is a call or a message", () => {
  const HOUR = 60 * MINUTE;
  const messages = {
    a: message("a", "lina", NOON - 24 * HOUR),
    b: message("b", "lina", NOON),
    c: message("c", "me", NOON + 24 * HOUR),
  };
  const calls = [NOON - HOUR, NOON - MINUTE, NOON + HOUR, NOON + 25 * HOUR].map((startedAt) => ({
    startedAt,
  }));
  const { rows: laid, places } = layOut({ order: ["a", "b", "c"], messages }, calls, true);
  expect(laid.map(({ mark }) => mark)).toEqual(["day", null, "day"]);
  expect(places.map((list) => list.map(({ newDay }) => newDay))).toEqual([
    [],
    [true, false],
    [false],
    [false],
  ]);
  expect(layOut({ order: [], messages: {} }, calls.slice(0, 1), true).places).toEqual([
    [{ call: { startedAt: NOON - HOUR }, newDay: true }],
  ]);
});
