import { expect, it } from "vitest";
import { indexOfOpened, opened } from "./openedRow.ts";

const rowsOf = (...ids: (string | null)[]) => ({
  total: ids.length,
  row: (index: number) => {
    const id = ids[index];
    return id === undefined || id === null ? undefined : { id };
  },
});

it("An open row stays open where rows come or go before it", () => {
  const open = opened(rowsOf("a", "b", "c"), 1);
  expect(open).toEqual({ index: 1, id: "b" });
  expect(indexOfOpened(rowsOf("new", "a", "b", "c"), open)).toBe(2);
  expect(indexOfOpened(rowsOf("b", "c"), open)).toBe(0);
});

it("A row that is gone is not open", () => {
  const open = opened(rowsOf("a", "b"), 1);
  expect(indexOfOpened(rowsOf("a", "c"), open)).toBeNull();
  expect(indexOfOpened(rowsOf("a"), open)).toBeNull();
});

it("A row that is not loaded yet is open at its place", () => {
  const open = opened(rowsOf("a", null), 1);
  expect(open).toEqual({ index: 1, id: null });
  expect(indexOfOpened(rowsOf("a", "b"), open)).toBe(1);
  expect(indexOfOpened(rowsOf("a", null), { index: 1, id: "b" })).toBe(1);
});
