/**
 * Follows each kind of problematic cell from the file to the rows that are sent: either the text that the spreadsheet shows is
 * stored, or the cell has a finding.
 */
import { describe, expect, it, test } from "vitest";
import { allFields } from "../../src/shared/domain/import-fields.ts";
import type { ImportContext } from "../../src/shared/protocol/rest/imports.ts";
import {
  importInMemory,
  nothingTaken,
  rowsOfChunks,
} from "../../src/workers/import/api.harness.ts";
import { SAID_FILES, type SaidFile } from "./said.ts";

const CONTEXT: ImportContext = {
  supplierId: "1",
  ownFields: [],
  departments: [],
  dictionaries: { gender: [], employee_status: [], certificate_type: [] },
};
const quiet = (): void => undefined;

async function checkedOf({ bytes, name }: Pick<SaidFile, "bytes" | "name">) {
  const { api, chunks } = importInMemory({ now: Date.UTC(2026, 0, 5) });
  await api.open(new Blob([new Uint8Array(bytes)]), name);
  await api.preview({});
  const { headers } = await api.load({}, quiet);
  const { mapping } = await api.suggest(CONTEXT, null);
  const checked = await api.check(
    { mapping, mode: "insert", context: CONTEXT },
    nothingTaken,
    quiet,
  );
  const window = await api.window({ view: "all", from: 0, count: 500 });
  /** The rows that are sent, with columns in the order of the headers. */
  const sent = async (): Promise<(string | null)[][]> => {
    await api.stage({ fileName: name, isInvite: false, accountId: "7" }, quiet);
    return rowsOfChunks(chunks(), mapping);
  };
  return { api, checked, window, headers, mapping, sent };
}

test.each(SAID_FILES)("Each cell of %s is stored as shown or has a finding", async (_, file) => {
  const { checked, window, headers, mapping, sent } = await checkedOf(file);
  expect(headers).toEqual(file.head);
  const labels = new Map(allFields(CONTEXT).map(({ key, label }) => [key, label]));
  expect(mapping.map((key) => labels.get(key ?? ""))).toEqual(file.head);
  const findings = window.rows.flatMap(({ row, issues }) =>
    issues.flatMap(({ column, message, warning }) =>
      warning === true ? [] : [[row, headers[column], message]],
    ),
  );
  expect(findings).toEqual(
    file.findings.map(([row, header, words]) => [row, header, expect.stringContaining(words)]),
  );
  expect(checked.bad).toBe(new Set(file.findings.map(([row]) => row)).size);
  expect(await sent()).toEqual(file.stored);
});

describe("The total row", () => {
  const csv = (lines: readonly string[]) => ({
    name: "名单.csv",
    bytes: Buffer.from(lines.join("\n")),
  });
  it("The total row can be left out or imported, and is open until the person decides", async () => {
    const found = await checkedOf(
      csv(["序号,姓名,工号", "1,张三,A1", "2,李四,A2", "合计,2,", "制表：王五,,"]),
    );
    const { api, checked } = found;
    expect(checked).toMatchObject({
      rows: 3,
      // The last line has nothing in a matched column.
      blank: 1,
      total: { rows: [{ row: 4, text: "合计" }], decision: "ask" },
    });
    expect(checked.byRule.some(({ rule }) => rule === "total")).toBe(true);
    const out = await api.decideTotal("out");
    expect(out).toMatchObject({ rows: 2, good: 2, bad: 0, total: { decision: "out" } });
    const { total, rows } = await api.window({ view: "all", from: 0, count: 9 });
    expect([total, rows.map(({ row }) => row)]).toEqual([2, [2, 3]]);
    expect(await api.decideTotal("in")).toMatchObject({ rows: 3, good: 3, bad: 0 });
    expect(await api.decideTotal("ask")).toMatchObject({ rows: 3, good: 2, bad: 1 });
  });

  it.each(["总计", "合 计：", "共12人", "合计12人", "Total", "Grand Total"])(
    "%s marks a total row",
    async (text) => {
      const { checked } = await checkedOf(csv(["姓名,工号", "张三,A1", `${text},`]));
      expect(checked.total?.rows.map(({ row }) => row)).toEqual([3]);
    },
  );

  it.each(["合计量", "共产", "Totally", "小计划"])("%s does not mark a total row", async (text) => {
    const { checked } = await checkedOf(csv(["姓名,工号", "张三,A1", `${text},`]));
    expect(checked.total).toBeNull();
  });
});

it("Nearly equal rows without numbers give a warning and are imported", async () => {
  const lines = [
    "姓名,工号,联系电话,岗位",
    "张三,,13912345678,保安",
    "张 三,,,保安",
    "张三,A1,13912345678,保安",
    "张三,,13912345679,保安",
    "李四,,,",
    "李四\u200b,,,电工",
    "王五,,,",
  ];
  const { checked, window, sent } = await checkedOf({
    name: "名单.csv",
    bytes: Buffer.from(lines.join("\n")),
  });
  expect(checked).toMatchObject({
    rows: 7,
    good: 7,
    bad: 0,
    copies: {
      count: 2,
      rows: [
        { row: 3, earlier: 2 },
        { row: 7, earlier: 6 },
      ],
    },
  });
  expect(window.rows[1]?.issues).toEqual([
    expect.objectContaining({ column: 0, rule: "tidied", warning: true }),
    expect.objectContaining({ column: 0, rule: "copy", warning: true }),
  ]);
  expect(await sent()).toHaveLength(7);
});
