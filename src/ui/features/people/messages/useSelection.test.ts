import { expect, test } from "vitest";
import { selectionAfter } from "./useSelection.ts";

const among = ["a", "b", "c", "d", "e"];
const after = (selected: string[], id: string, from: string | null, range: boolean): string[] => [
  ...selectionAfter(new Set(selected), { id, from, among, range }),
];

test("A click selects a message and takes it out again", () => {
  expect(after([], "b", null, false)).toEqual(["b"]);
  expect(after(["b", "c"], "b", "c", false)).toEqual(["c"]);
});

test("A click with Shift selects all from the message that was changed before, in both directions", () => {
  expect(after(["b"], "d", "b", true)).toEqual(["b", "c", "d"]);
  expect(after(["d"], "b", "d", true)).toEqual(["d", "b", "c"]);
  expect(after(["d"], "b", "gone", true)).toEqual(["d", "b"]);
});
