import { expect, it } from "vitest";
import { idOf } from "../../state/row-id.ts";
import {
  afterStep,
  atAddress,
  indexOfOpened,
  isOver,
  type Kept,
  opened,
  rowIn,
  stateOver,
  withRow,
} from "./openedRow.ts";

const rowsOf = (...ids: (string | null)[]) => ({
  total: ids.length,
  row: (index: number) => {
    const id = ids[index];
    return id === undefined || id === null ? undefined : { id };
  },
  placeOf: (id: string) => (ids.includes(id) ? ids.indexOf(id) : null),
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

it("Two rows are two also where the platform gives the id another name", () => {
  expect(idOf({ noticeId: "7" })).toBe("7");
  expect(idOf({ id: "8" })).toBe("8");
});

it("A row that only the address names is open where it is loaded", () => {
  expect(indexOfOpened(rowsOf("a", "b"), { index: null, id: "b" })).toBe(1);
  expect(indexOfOpened(rowsOf("a", null), { index: null, id: "b" })).toBeNull();
});

it("The address names the open row beside the page, and no more when it is closed", () => {
  const search = withRow("?page=3", "42");
  expect(search).toBe("?page=3&row=42");
  expect(rowIn(search)).toBe("42");
  expect(withRow(search, null)).toBe("?page=3");
  expect(withRow("?row=1", null)).toBe("");
  expect(rowIn("?row=")).toBeNull();
  expect(rowIn(`?row=${"9".repeat(65)}`)).toBeNull();
});

it("A row is closed by a step back where that shows the same list, and not after a move to another page or from a link", () => {
  const state = stateOver({ returning: true }, "?page=2");
  expect(state).toEqual({ returning: true, below: "?page=2" });
  expect(isOver(state, "?page=2&row=42")).toBe(true);
  expect(isOver(state, "?page=3&row=43")).toBe(false);
  expect(isOver(null, "?row=42")).toBe(false);
  expect(isOver(stateOver(null, ""), "?row=42")).toBe(true);
});

const CLOSED: Kept = { opened: null, own: null };

it("An address that a link names opens its row or closes it", () => {
  const open = atAddress(CLOSED, "a");
  expect(open).toEqual({ opened: { index: null, id: "a" }, own: null });
  expect(atAddress(open, "a")).toBe(open);
  expect(atAddress(open, null)).toEqual(CLOSED);
});

it("An address that React renders late does not bring back the row from which the person has gone on", () => {
  // The row "a" was opened, and before its address was rendered the person went on to a row that is not loaded yet.
  const waiting: Kept = { opened: { index: 20, id: null }, own: "a" };
  expect(atAddress(waiting, "a")).toBe(waiting);
  // A link leads to another row, and later one to the same row.
  const other = atAddress(waiting, "b");
  expect(other.opened).toEqual({ index: null, id: "b" });
  expect(atAddress(other, "a").opened).toEqual({ index: null, id: "a" });
});

it("The address of a row that was closed meanwhile does not open it again", () => {
  expect(atAddress({ opened: null, own: "a" }, "a").opened).toBeNull();
});

it("The browser's Back and Forward open and close the row of their address, also one that waits to be loaded", () => {
  const open: Kept = { opened: { index: 3, id: "a" }, own: "a" };
  expect(afterStep(open, "a")).toEqual({ ...open, own: null });
  expect(afterStep(open, null)).toEqual(CLOSED);
  expect(afterStep({ opened: { index: 20, id: null }, own: null }, null)).toEqual(CLOSED);
  expect(afterStep({ opened: null, own: "a" }, "a").opened).toEqual({ index: null, id: "a" });
});
