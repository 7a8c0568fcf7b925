/** Rows made directly from the text must equal those made from the bytes, however the text is cut. */
import { expect, test } from "vitest";
import { CsvRows } from "./csv-rows.ts";
import { openReader } from "./index.ts";
import type { RowValue } from "../contracts.ts";
import { rowsFrom, rowsOf } from "./rows.ts";

const { signal } = new AbortController();
const bare = (rows: readonly (readonly RowValue[])[]): RowValue[][] =>
  rows.map((row) => row.slice(0, row.findLastIndex((value) => value !== null) + 1));

async function byBytes(text: string): Promise<RowValue[][]> {
  const reader = await openReader(new Blob([text]), "", signal);
  const rows: RowValue[][] = [];
  const options = { source: { delimiter: "," }, maxRows: Infinity, signal };
  await reader.read(options, (batch) => rows.push(...rowsOf(batch, [], batch.width, false)));
  return rows;
}
function byText(text: string, size: number): RowValue[][] {
  const reader = new CsvRows(",");
  const rows: RowValue[][] = [];
  // A decoder never splits a surrogate pair.
  const signs = [...text];
  for (let at = 0; at < signs.length; at += size) {
    rows.push(...reader.feed(signs.slice(at, at + size).join(""), at + size >= signs.length));
  }
  return rows;
}

test("Texts of all kinds give the same rows in pieces of any size", async () => {
  const seed = 20_261_122;
  let state = seed;
  const random = (most: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const PARTS = [
    "a",
    "王伟",
    ",",
    ",",
    "\n",
    "\r\n",
    "\r",
    '"',
    '""',
    '"x,\ny"',
    '="01"',
    "😀",
    " ",
    ",,",
  ];
  for (let round = 0; round < 300; round += 1) {
    const quoted = round % 3 > 0;
    const text = `h,h\n${Array.from(
      { length: 1 + random(60) },
      () => PARTS[random(PARTS.length)] ?? "",
    )
      .filter((part) => quoted || !part.includes('"'))
      .join("")}`;
    const want = await byBytes(text).then(bare, (error: Error) => error.message);
    for (const size of [1, 2, 3, 7, 1000]) {
      let got: RowValue[][] | string;
      try {
        got = bare(byText(text, size));
      } catch (error) {
        got = (error as Error).message;
      }
      expect([seed, round, size, text, got]).toEqual([seed, round, size, text, want]);
    }
  }
});

test("A file of many pieces with quotes in places gives the same rows", async () => {
  const lines = Array.from({ length: 30_000 }, (_, i) =>
    i % 5000 === 7 ? `E${i},"张,三 ""${i}""",\r` : `E${i},王伟,1380000${i}\r`,
  );
  const reader = await openReader(new Blob([lines.join("\n")]), "", signal);
  const rows: RowValue[][] = [];
  await rowsFrom(reader, { source: {}, signal }, (some) => rows.push(...some));
  expect(rows).toHaveLength(30_000);
  expect(rows[5007]).toEqual(["E5007", '张,三 "5007"', null]);
  expect(rows[29_999]).toEqual(["E29999", "王伟", "138000029999"]);
});

test("An error names the record in which it occurs", async () => {
  const rows = Array.from({ length: 3000 }, (_, i) => `a${i},b`);
  const read = async (text: string) => {
    const reader = await openReader(new Blob([text]), "", signal);
    await rowsFrom(reader, { source: {}, signal }, () => undefined);
  };
  await expect(read([...rows, '"open,x'].join("\n"))).rejects.toMatchObject({
    code: "import.csv-quote",
    details: { row: 3001 },
  });
  await expect(read([...rows, `x,${"y".repeat(200_000)}`].join("\n"))).rejects.toMatchObject({
    code: "import.cell-too-long",
    details: { row: 3001 },
  });
  await expect(read([...rows, ",".repeat(600) + "z"].join("\n"))).rejects.toMatchObject({
    code: "import.too-many-columns",
    details: { row: 3001 },
  });
});
