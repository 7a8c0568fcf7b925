/**
 * Random tables, cut anywhere: the cells must equal those of papaparse, and the bytes refused must be those that the platform's
 * decoder refuses.
 */
import papa from "papaparse";
import { expect, test } from "vitest";
import { openCsv } from "./csv.ts";
import type { RowValue } from "../contracts.ts";
import { rowsOf } from "./rows.ts";

const { signal } = new AbortController();
const SEED = 20_261_122;

function createRandom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}
const random = createRandom(SEED);
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;

const SIGNS = ["a", "7", "王", "é", "😀", " ", "-", "\u{10ffff}", "\uFEFF", "=", "'"];
const INSIDE = [...SIGNS, ",", "\n", "\r\n", '""', ";"];
const text = (signs: readonly string[], most: number): string =>
  Array.from({ length: random(most) }, () => pick(signs)).join("");

/** Quotes never, in some lines, or in most fields, each variant in its own file. */
function tableText(line: string, quotes: number): string {
  const rows = Array.from({ length: 2 + random(25) }, () => {
    const fields = Array.from({ length: random(6) }, () =>
      random(100) < quotes ? `"x${text(INSIDE, 8)}"` : text(SIGNS, pick([2, 6, 20])),
    );
    return fields.join(",");
  });
  return `${random(2) > 0 ? "\uFEFF" : ""}h,王${line}${rows.join(line)}${pick(["", line])}`;
}

type Numbered = [row: number, ...values: (string | null)[]];
const bare = (values: readonly RowValue[]): string[] =>
  values
    .slice(0, values.findLastIndex((value) => value !== null && value !== "") + 1)
    .map((value) => String(value ?? ""));

const byPeer = (given: string, newline: "\n" | "\r\n" | "\r"): Numbered[] =>
  papa
    .parse<string[]>(given.replace(/^\uFEFF/, ""), { delimiter: ",", newline })
    .data.map((row, k): Numbered => [k + 1, ...bare(row)])
    .filter((row) => row.length > 1);

const open = (bytes: Uint8Array<ArrayBuffer>, size: number) =>
  // The first piece contains the byte order mark.
  openCsv(new Blob([bytes]), "", signal, { first: 3 + size, next: size });
const source = { delimiter: ",", encoding: "utf-8" } as const;

async function byBatches(bytes: Uint8Array<ArrayBuffer>, size: number): Promise<Numbered[]> {
  const rows: Numbered[] = [];
  const reader = await open(bytes, size);
  await reader.read({ source, maxRows: Infinity, signal }, (batch) => {
    for (const [r, row] of rowsOf(batch, [], batch.width, false).entries()) {
      rows.push([batch.rowNumbers[r] ?? 0, ...bare(row)]);
    }
  });
  return rows;
}
async function byRows(bytes: Uint8Array<ArrayBuffer>, size: number): Promise<string[][]> {
  const rows: string[][] = [];
  const reader = await open(bytes, size);
  await reader.readRows?.({ source, signal }, (some) => rows.push(...some.map(bare)));
  return rows;
}

test("Random tables in pieces of any size have the same cells as papaparse gives", async () => {
  let cells = 0;
  for (let round = 0; round < 200; round += 1) {
    const line = pick(["\n", "\r\n", "\r"] as const);
    const given = tableText(line, pick([0, 0, 2, 60]));
    const bytes = new TextEncoder().encode(given);
    const want = byPeer(given, line);
    cells += want.flat().length;
    for (const size of [3 + random(60), 200, 1 << 16]) {
      const at = { seed: SEED, round, size, given };
      expect({ ...at, rows: await byBatches(bytes, size) }).toEqual({ ...at, rows: want });
      const values = want.map(([, ...row]) => row);
      expect({ ...at, rows: await byRows(bytes, size) }).toEqual({ ...at, rows: values });
    }
  }
  expect(cells).toBeGreaterThan(5000);
});

test("Invalid bytes become the signs that the platform's decoder puts there", async () => {
  const seen = { refused: 0, broken: 0, whole: 0 };
  for (let round = 0; round < 200; round += 1) {
    const bytes = new TextEncoder().encode(tableText("\n", 0));
    bytes[3 + random(bytes.length - 3)] = 0x80 + random(128);
    const given = new TextDecoder().decode(bytes);
    const signs = [...given].filter((sign) => sign > "\u007f");
    const broken = signs.filter((sign) => sign === "\ufffd").length;
    // Hardly anything but broken signs: the encoding is wrong, unless a byte order mark names it.
    const isRefused = bytes[0] !== 0xef && broken > 0.3 * signs.length;
    if (isRefused) seen.refused += 1;
    else if (broken > 0) seen.broken += 1;
    else seen.whole += 1;
    const want = isRefused ? "import.encoding" : byPeer(given, "\n");
    for (const size of [3 + random(60), 1 << 16]) {
      const rows = await byBatches(bytes, size).catch((error: { code: string }) => error.code);
      expect({ seed: SEED, round, size, rows }).toEqual({ seed: SEED, round, size, rows: want });
    }
  }
  expect(seen.broken).toBeGreaterThan(50);
  expect(seen.whole).toBeGreaterThan(10);
});
