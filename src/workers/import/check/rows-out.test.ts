import { expect, it } from "vitest";
import type { Column } from "./columns.ts";
import { createRowsOut, findBlanks } from "./rows-out.ts";

const columnOf = (...texts: string[]): Column => {
  const distinct = [...new Set(texts.filter((text) => text !== ""))];
  const ids = Int32Array.from(texts, (text) => distinct.indexOf(text));
  return { ids, count: distinct.length, text: (id: number) => distinct[id] ?? "" } as Column;
};

it("A row is blank when no column shows anything in it", () => {
  const columns = [columnOf("张三", "", " ", "\u200b"), columnOf("", "A2", "\u3000", "")];
  expect([...findBlanks(4, columns)]).toEqual([0, 0, 1, 1]);
  expect([...findBlanks(2, [])]).toEqual([0, 0]);
});

it("The rows that stay keep their order, whichever others are left out besides", () => {
  const out = createRowsOut(Uint8Array.of(0, 1, 0, 0, 1));
  const kept = (): number[] => Array.from({ length: 5 - out.count }, (_, at) => out.rowAt(at));
  expect(kept()).toEqual([0, 2, 3]);
  out.leaveOut([3, 4]);
  expect([out.count, out.blank, out.has(3), kept()]).toEqual([3, 2, true, [0, 2]]);
  out.leaveOut([]);
  expect([out.count, out.has(3), kept()]).toEqual([2, false, [0, 2, 3]]);
});
