import { expect, it } from "vitest";
import { isWithin, placed, totals } from "./department-tree.ts";

const row = (id: string, parentId: string | null, people = 0) => ({ id, parentId, people });
const ROWS = [row("b", "a", 2), row("a", null, 1), row("d", "b", 4), row("c", "a"), row("e", null)];

it("Each department stands before those below it, with its depth", () => {
  expect(placed(ROWS).map((p) => [p.row.id, p.depth, p.hasChildren])).toEqual([
    ["a", 0, true],
    ["b", 1, true],
    ["d", 2, false],
    ["c", 1, false],
    ["e", 0, false],
  ]);
});

it("A department counts its own people and those of all departments below", () => {
  expect([...totals(ROWS)].toSorted()).toEqual([
    ["a", 7],
    ["b", 6],
    ["c", 0],
    ["d", 4],
    ["e", 0],
  ]);
});

it("A row with an unknown parent stands at the top, and a circle is left out", () => {
  const rows = [row("x", "gone"), row("p", "q"), row("q", "p")];
  expect(placed(rows).map((p) => p.row.id)).toEqual(["x"]);
});

it("Says whether a department stands below another", () => {
  expect([
    isWithin(ROWS, "d", "a"),
    isWithin(ROWS, "a", "a"),
    isWithin(ROWS, "a", "d"),
    isWithin(ROWS, "e", "a"),
  ]).toEqual([true, true, false, false]);
});
