import { describe, expect, test } from "vitest";
import type { RowValue } from "../contracts.ts";
import { openReader } from "./index.ts";
import { rowsFrom } from "./rows.ts";
import { Backslashes } from "./csv-backslash.ts";
import { escapeOf } from "./csv-detect.ts";

function rewritten(text: string, size: number, delimiter = ","): string {
  const backslashes = new Backslashes(delimiter);
  const bytes = new TextEncoder().encode(text);
  const all: number[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    all.push(...backslashes.feed(bytes.subarray(at, at + size), at + size >= bytes.length));
  }
  return new TextDecoder().decode(Uint8Array.from(all));
}

test.each([
  ["a,b\nc,d\n", "a,b\nc,d\n"],
  ['"a","b"\r\n"c"', "a,b\r\nc"],
  ['"say \\"hi\\"",x', '"say ""hi""",x'],
  ['"a""b",x', '"a""b",x'],
  ["C:\\\\temp\\\\,x", "C:\\temp\\,x"],
  ["one\\\ntwo,x", '"one\ntwo",x'],
  ["a\\,b,x", '"a,b",x'],
  ['"a,b\nc",x', '"a,b\nc",x'],
  ['\\N,x\\N,"\\N"', "\\N,xN,\\N"],
  ["a\\tb\\nc\\r\\0\\Z\\b|", '"a\tb\nc\r|"'],
  ['""', ""],
  ["", ""],
  ["a\\", "a\\"],
])("%j becomes %j, wherever the pieces end", (given, want) => {
  for (const size of [1, 2, 3, 100]) expect(rewritten(given, size)).toBe(want);
});

test("A quote that is never closed stays open, so that its row can be named", () => {
  const long = `a,"${"x".repeat(200_000)}`;
  expect(rewritten(long, 1 << 16).startsWith('a,"xxx')).toBe(true);
  expect(rewritten('a,"x', 1)).toBe('a,"x');
});

describe("Whether a backslash escapes", () => {
  test.each([
    ['"a","他说\\"好\\""\n', ",", "backslash"],
    ["a,\\N\n", ",", "backslash"],
    ['"a","\\N"\n', ",", "backslash"],
    ["a\t\\N\tb\n", "\t", "backslash"],
    ['a\t\\N\t一"个"b\n', "\t", "backslash"],
    ['"C:\\temp\\","x"\n', ",", "quote"],
    ['"D:\\","x"\n"E:\\","y"\n', ",", "quote"],
    ['a,5"x\\y\n', ",", "quote"],
    ["\\Na,b\\N\n", ",", "quote"],
    ["a,b\n", ",", "quote"],
  ])("%j with %j: %s", (text, delimiter, escape) => {
    expect(escapeOf(text, delimiter)).toBe(escape);
  });
});

test("Rows of values are those of the batches", async () => {
  const text = 'a,b\n"x\\"y",\\N\nNULL,p\\\\q\n';
  const reader = await openReader(new Blob([text]), "", new AbortController().signal);
  const rows: RowValue[][] = [];
  const options = { source: {}, signal: new AbortController().signal };
  await rowsFrom(reader, options, (some) => rows.push(...some));
  const { readRows: _, ...batches } = reader;
  const others: RowValue[][] = [];
  await rowsFrom(batches, options, (some) => others.push(...some.map((row) => row.slice(0, 2))));
  const want = [
    ["a", "b"],
    ['x"y', null],
    [null, "p\\q"],
  ];
  expect([rows, others]).toEqual([want, want]);
});
