import { expect, test } from "vitest";
import { xlsxOf } from "../../../server/base/xlsx/workbook.harness.ts";
import { allTexts, openReader, rowsOf, type RowValue } from "./index.ts";

const { signal } = new AbortController();

test("Rows of values are as wide as the table", async () => {
  const file = await xlsxOf([
    ["甲", 1, 2.5, true],
    [
      { inline: "乙 😀" },
      { day: 45351 },
      { day: 45351.5 },
      null,
      { xml: '<c r="REF" t="e"><v>#N/A</v></c>' },
    ],
  ]);
  const reader = await openReader(file, "", signal);
  let texts: readonly string[] = [];
  const rows: RowValue[][] = [];
  await reader.read(
    { source: {}, maxRows: Infinity, signal, onStrings: (table) => (texts = allTexts(table)) },
    (batch) => rows.push(...rowsOf(batch, texts, 5, false)),
  );
  expect(rows).toEqual([
    ["甲", 1, 2.5, true, null],
    ["乙 😀", new Date("2024-02-29"), new Date("2024-02-29T12:00Z"), null, "#N/A"],
  ]);
});

test("Many texts that are decoded together are split correctly", async () => {
  const wanted = Array.from({ length: 9000 }, (_, k) =>
    k % 3 === 0 ? `ascii ${k}` : k % 3 === 1 ? `中文${k}😀` : "x".repeat(k % 50),
  );
  const reader = await openReader(await xlsxOf(wanted.map((text) => [text])), "", signal);
  let texts: readonly string[] = [];
  const onStrings = (table: Parameters<typeof allTexts>[0]): void => {
    texts = allTexts(table);
    expect([0, 4000, 8999].map((k) => table.text(k))).toEqual([
      wanted[0],
      wanted[4000],
      wanted[8999],
    ]);
  };
  await reader.read({ source: {}, maxRows: Infinity, signal, onStrings }, () => undefined);
  expect(texts).toEqual(wanted);
});
