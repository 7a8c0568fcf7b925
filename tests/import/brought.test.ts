/** Follows each file of brought.ts and brought-made.ts from its bytes to the rows that are sent. */
import { expect, test } from "vitest";
import { allFields } from "../../src/shared/domain/import-fields.ts";
import type { ImportContext } from "../../src/shared/protocol/rest/imports.ts";
import {
  importInMemory,
  nothingTaken,
  rowsOfChunks,
} from "../../src/workers/import/api.harness.ts";
import { BROUGHT_FILES, type BroughtFile } from "./brought.ts";
import { MADE_FILES } from "./brought-made.ts";

const CONTEXT: ImportContext = {
  supplierId: "1",
  ownFields: [],
  departments: [
    { id: "临时人员", name: "临时人员" },
    { id: "信息技术部", name: "信息技术部" },
  ],
  dictionaries: {
    gender: [{ value: "1", label: "男" }],
    employee_status: [],
    certificate_type: [],
  },
};
const quiet = (): void => undefined;

/** The page's steps with a file: open, preview, load, match, check, stage. */
async function importOf({ bytes, name, choose = {}, asks, spare }: BroughtFile) {
  const { api, chunks } = importInMemory({ now: Date.UTC(2026, 0, 15) });
  const opened = await api.open(new Blob([new Uint8Array(bytes)]), name);
  expect(opened.isGuess).toBe(asks === true);
  const load = async (source: typeof choose) => {
    const { headerRow, headerEnd } = await api.preview(source);
    return api.load({ ...source, headerRow, headerEnd }, quiet);
  };
  if (asks === true) await expect(load({})).rejects.toMatchObject({ code: "import.encoding" });
  else if (choose.fill === true) expect((await load({})).isFillable).toBe(true);
  const { headers, warnings } = await load(choose);
  const { mapping } = await api.suggest(CONTEXT, null);
  const labels = new Map(allFields(CONTEXT).map(({ key, label }) => [key, label]));
  const fields = mapping.map((key) => labels.get(key ?? "") ?? null);
  await api.check({ mapping, mode: "insert", context: CONTEXT }, nothingTaken, quiet);
  const { rows } = await api.window({ view: "all", from: 0, count: 500 });
  const findings = rows.flatMap(({ row, issues }) =>
    issues.map(({ column, message }) => [row, headers[column], message]),
  );
  if (spare !== undefined) {
    const column = fields.indexOf(spare);
    const { made } = await api.correct([{ kind: "spare", column }]);
    expect(made).toEqual([true]);
  }
  const staged = await api.stage({ fileName: name, isInvite: false, accountId: "7" }, quiet).then(
    () => true,
    () => false,
  );
  const sent = staged ? rowsOfChunks(chunks(), mapping) : [];
  return { headers, warnings, fields, findings, sent };
}

test.each([...BROUGHT_FILES, ...MADE_FILES])(
  "%s is stored as it is meant, reported at its cell, or refused",
  async (_, file) => {
    if (file.refused !== undefined) {
      await expect(importOf(file)).rejects.toMatchObject({
        name: "AppError",
        message: expect.stringMatching(file.refused),
      });
      return;
    }
    const { headers, warnings, fields, findings, sent } = await importOf(file);
    expect(headers).toEqual(file.head);
    expect(fields).toEqual(file.fields);
    for (const words of file.warned ?? []) expect(warnings.join("\n")).toMatch(words);
    expect(findings).toEqual(
      file.findings.map(([row, header, words]) => [row, header, expect.stringContaining(words)]),
    );
    expect(sent).toEqual(file.stored);
  },
);

test("All files go into one company in tests/e2e/import-brought.spec.ts, so no number belongs to two people", () => {
  const numbers = [...BROUGHT_FILES, ...MADE_FILES].flatMap(([, { fields, stored }]) =>
    stored.flatMap((row) => row[fields.indexOf("工号")] ?? []),
  );
  expect(numbers.filter((one, at) => numbers.indexOf(one) !== at)).toEqual([]);
  expect(numbers.length).toBeGreaterThan(50);
});
