/** For tests of bad files: workbooks with wrong parts, their reading, and the refusal with its cost. */
import { expect } from "vitest";
import type { Batch, ReadOutcome } from "../../src/workers/import/contracts.ts";
import { openReader } from "../../src/workers/import/read/index.ts";
import { createTable } from "../../src/workers/import/table.ts";
import { withinCost } from "../../src/server/base/cost.harness.ts";
import { partsOf } from "../../src/server/base/xlsx/workbook.harness.ts";
import { rawZip, type RawEntry, type RawOptions } from "./raw-zip.ts";

/** Never aborted. */
export const { signal } = new AbortController();
const SECONDS = 2;
const MEBIBYTES = 200;

export const blobOf = (bytes: Uint8Array | string): Blob =>
  new Blob([typeof bytes === "string" ? bytes : new Uint8Array(bytes)]);

/** A text with the name of a workbook is refused for its name. */
const nameOf = async (file: Blob): Promise<string> =>
  (await file.slice(0, 2).text()) === "PK" ? "员工.xlsx" : "员工.csv";

export async function readAll(
  file: Blob,
  sheet = 0,
): Promise<{ readonly batches: Batch[]; readonly outcome: ReadOutcome }> {
  const reader = await openReader(file, await nameOf(file), signal);
  const batches: Batch[] = [];
  const options = { source: { sheet }, maxRows: Infinity, signal };
  const outcome = await reader.read(options, (batch) => batches.push(batch));
  return { batches, outcome };
}

export const tableOf = async (file: Blob, headerRow: number | null = null) => {
  const { batches, outcome } = await readAll(file);
  return createTable(batches, outcome, { headerRow });
};

/** @param words pattern that the user text must match */
export async function refused(file: Blob, code: string, words: RegExp): Promise<void> {
  // tests/e2e/import-steps.spec.ts measures the wait in the browser.
  const error: unknown = await withinCost({ seconds: SECONDS, mebibytes: MEBIBYTES }, () =>
    readAll(file).then(
      () => "was read",
      (reason: unknown) => reason,
    ),
  );
  expect(error).toMatchObject({ name: "AppError", code, message: expect.stringMatching(words) });
}

/** A workbook whose parts are packed at the highest ratio, or stored. */
export function workbook(
  parts: Readonly<Record<string, string | Buffer>>,
  how: Partial<RawEntry> = {},
  options: RawOptions = {},
): Blob {
  const all = { ...partsOf([["姓名"], ["王伟"]]), ...parts };
  const entries = Object.entries(all).map(([name, data]) => ({
    name,
    data,
    ...(name in parts || Object.keys(parts).length === 0 ? how : {}),
  }));
  return blobOf(rawZip(entries, options));
}

export const SHEET = "xl/worksheets/sheet1.xml";
export const sheetOf = (rows: Buffer | string): Buffer =>
  Buffer.concat([
    Buffer.from("<worksheet><sheetData>"),
    Buffer.from(rows),
    Buffer.from("</sheetData></worksheet>"),
  ]);
export const times = (text: string, count: number): Buffer =>
  Buffer.alloc(text.length * count, text);
