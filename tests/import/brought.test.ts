/** Follows each file of brought.ts and brought-made.ts from its bytes to the rows that are sent. */
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { allFields } from "../../src/shared/domain/import-fields.ts";
import { type ImportContext, importChunkSchema } from "../../src/shared/protocol/rest/imports.ts";
import { createImportApi } from "../../src/workers/import/api.ts";
import { openReader } from "../../src/workers/import/read/index.ts";
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
  const kept = new Map<string, unknown>();
  const api = createImportApi({
    openReader,
    staging: {
      get: async (key) => kept.get(key),
      set: async (key, value) => void kept.set(key, value),
      keys: async () => [...kept.keys()],
      delMany: async (keys) => {
        for (const key of keys) kept.delete(key);
      },
      alone: (_, work) => work(),
      ifAlone: (_, work) => work(),
    },
    now: () => Date.UTC(2026, 0, 15),
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  });
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
  const ask = async () => ({ idNumbers: [], employeeNos: [] });
  await api.check({ mapping, mode: "insert", context: CONTEXT }, ask, quiet);
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
  const sent: (string | null)[][] = [];
  for (const [key, value] of kept) {
    if (!staged || !key.startsWith("chunk:")) continue;
    const chunk = importChunkSchema.parse(JSON.parse(String(gunzipSync(value as Uint8Array))));
    for (const i of chunk.rows.keys()) {
      sent.push(
        mapping.map((field) => {
          const column = chunk.columns.find(
            (one) => one.field === (field === "department" ? "departmentId" : field),
          );
          return column?.dict[column.idx[i] ?? -1] ?? null;
        }),
      );
    }
  }
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
