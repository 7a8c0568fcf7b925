import { expect, it } from "vitest";
import { createRowPages, type RowPages } from "./row-pages.ts";

interface Row {
  readonly id: string;
}
const rowsOf = (...ids: string[]): Row[] => ids.map((id) => ({ id }));

function pagesOf(size: number, most = 100): RowPages<Row> {
  const pages = createRowPages<Row>(most);
  pages.begin(size);
  return pages;
}

it("Pages answer by the place of a row and by its id", () => {
  const pages = pagesOf(2);
  pages.put(0, rowsOf("a", "b"));
  pages.put(3, rowsOf("g"));
  expect(pages.row(1)).toEqual({ id: "b" });
  expect(pages.row(2)).toBeUndefined();
  expect(pages.row(6)).toEqual({ id: "g" });
  expect(pages.placeOf("g")).toBe(6);
  expect(pages.placeOf("x")).toBeNull();
  expect([...pages.loaded()]).toEqual(rowsOf("a", "b", "g"));
});

it("A page that arrives concerns its own rows alone, and what reads all rows", () => {
  const pages = pagesOf(10);
  pages.put(0, rowsOf("a"));
  const texts = (): string[] => [
    pages.arrivals.of({ from: 0, to: 9 }),
    pages.arrivals.of({ from: 5, to: 15 }),
    pages.arrivals.of("all"),
  ];
  const [first, across, all] = texts();
  pages.put(1, rowsOf("k"));
  expect(texts()[0]).toBe(first);
  expect(texts()[1]).not.toBe(across);
  expect(texts()[2]).not.toBe(all);
  const later = texts();
  pages.put(0, rowsOf("b"));
  expect(texts().every((text, at) => text !== later[at])).toBe(true);
  expect(pages.arrivals.of({ from: 0, to: -1 })).toBe("");
});

it("Rows of another query replace those of now once the first page of them is there", () => {
  const pages = pagesOf(2);
  pages.put(0, rowsOf("a", "b"));
  pages.put(1, rowsOf("c", "d"));
  pages.begin(3);
  expect(pages.row(2)).toEqual({ id: "c" });
  const before = pages.arrivals.of({ from: 0, to: 5 });
  pages.put(1, rowsOf("x", "y", "z"));
  expect(pages.arrivals.of({ from: 0, to: 5 })).not.toBe(before);
  expect(pages.row(0)).toBeUndefined();
  expect(pages.row(5)).toEqual({ id: "z" });
});

it("The oldest pages are dropped first", () => {
  const pages = pagesOf(2, 4);
  for (const page of [0, 1]) pages.put(page, rowsOf(`${page}`, `${page}b`));
  pages.put(0, rowsOf("0", "0b"));
  pages.put(2, rowsOf("2", "2b"));
  expect(pages.row(2)).toBeUndefined();
  expect([...pages.loaded()].map(({ id }) => id)).toEqual(["0", "0b", "2", "2b"]);
});

it("A listener hears of each page until it ends", () => {
  const pages = pagesOf(2);
  let heard = 0;
  const end = pages.arrivals.subscribe(() => {
    heard += 1;
  });
  pages.put(0, rowsOf("a", "b"));
  expect(heard).toBe(1);
  end();
  pages.put(1, rowsOf("c", "d"));
  expect(heard).toBe(1);
});
