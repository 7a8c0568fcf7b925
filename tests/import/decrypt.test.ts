import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { encryptAgile, encryptStandard } from "./encrypt.ts";
import { rawZip } from "./raw-zip.ts";
import { partsOf } from "../../src/server/base/xlsx/workbook.harness.ts";
import { ourCells } from "../../src/workers/import/cells.harness.ts";
import { openReader } from "../../src/workers/import/read/index.ts";

const { signal } = new AbortController();
const PASSWORD = "VelvetSweatshop";
const blobOf = (bytes: Uint8Array): Blob => new Blob([new Uint8Array(bytes)]);
/** @param rows so many that several segments are needed */
const book = (rows: number): Buffer =>
  rawZip(
    Object.entries(
      partsOf([["姓名"], ...Array.from({ length: rows }, (_, i) => [`王${i * 7919}`])]),
    ).map(([name, data]) => ({ name, data, stored: true })),
  );

test.each([
  ["Excel 2007", encryptStandard, 1],
  ["Excel 2007", encryptStandard, 1000],
  ["later ones", encryptAgile, 1],
  ["later ones", encryptAgile, 1000],
] as const)(
  "A workbook whose structure %s protects is read as if it were not encrypted",
  async (_, encrypt, rows) => {
    const cells = await ourCells(blobOf(encrypt(book(rows), PASSWORD)));
    expect(cells).toEqual(await ourCells(blobOf(book(rows))));
    expect(cells.get(`表!A${rows + 1}`)).toBe(`text:王${(rows - 1) * 7919}`);
  },
);

test("A workbook that Excel itself has encrypted is read", async () => {
  const file = new URL("fixtures/brought/c03a-velvet-agile.xlsx", import.meta.url);
  const cells = await ourCells(blobOf(readFileSync(file)));
  expect([cells.get("员工!A1"), cells.get("员工!C2")]).toEqual(["text:姓名", "text:结构保护"]);
});

test.each([
  ["Excel 2007", encryptStandard],
  ["later ones", encryptAgile],
] as const)("A workbook that a person has locked in %s is refused", async (_, encrypt) => {
  const file = blobOf(encrypt(book(1), "something else"));
  await expect(openReader(file, "", signal)).rejects.toMatchObject({ code: "import.encrypted" });
});

test("Settings that are damaged are refused, whatever they say", async () => {
  const whole = encryptAgile(book(1), PASSWORD);
  for (const [from, to] of [
    ['spinCount="1000"', 'spinCount="9999"'],
    ['spinCount="1000"', 'spinCount="oops"'],
    ['"ChainingModeCBC"', '"ChainingModeCFB"'],
    ["SHA512", "SHA999"],
    ["encryptedVerifierHashInput", "encryptedVerifierHashOutput".slice(0, 26)],
  ] as const) {
    const text = whole.toString("latin1");
    expect(text).toContain(from);
    const changed = Buffer.from(text.replaceAll(from, to), "latin1");
    await expect(openReader(blobOf(changed), "", signal)).rejects.toMatchObject({
      code: "import.encrypted",
    });
  }
});
