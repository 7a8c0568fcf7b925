import { read, utils } from "@e965/xlsx";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import {
  stagedChunkKey,
  stagedJobKey,
  stagedJobSchema,
} from "../../shared/protocol/import-staging.ts";
import type { AskTaken, Mapping } from "../../shared/protocol/import-worker.ts";
import { type ImportContext, importChunkSchema } from "../../shared/protocol/rest/imports.ts";
import { importInMemory, nothingTaken } from "./api.harness.ts";
import type { createImportApi } from "./api.ts";

const CONTEXT: ImportContext = {
  supplierId: "1",
  ownFields: [{ key: "badge", label: "胸牌", type: "text", dictType: null, required: false }],
  departments: [],
  dictionaries: {
    gender: [{ value: "1", label: "男" }],
    employee_status: [],
    certificate_type: [],
  },
};
const quiet = (): void => undefined;
const HEAD = "姓名,手机号,身份证号,工号,部门,胸牌";
const ROWS = [
  "张三,13912345678,11010519491231002X,A1,市场 部,7",
  "李四,12345,,A2,市场 部,",
  ",13912345679,,A1,市场部,",
  "王五,13912345670,,A3,=1+1,",
];

async function loaded(text = [HEAD, ...ROWS].join("\n"), given = importInMemory()) {
  const { api, kept } = given;
  const file = new Blob([text]);
  const opened = await api.open(file, "员工.csv");
  const preview = await api.preview({});
  const got = await api.load({}, quiet);
  const { mapping } = await api.suggest(CONTEXT, null);
  return { api, kept, opened, preview, got, mapping };
}
const check = async (
  api: ReturnType<typeof createImportApi>,
  mapping: Mapping,
  ask = nothingTaken,
  mode: "insert" | "update" = "insert",
) => api.check({ mapping, mode, context: CONTEXT }, ask, quiet);

describe("The import worker", () => {
  it("It opens, previews and reads a file and matches its columns", async () => {
    const { opened, preview, got, mapping } = await loaded();
    expect(opened).toMatchObject({ kind: "csv", delimiter: ",", encoding: "utf-8" });
    expect(preview).toMatchObject({ headerRow: 1, complete: true, headers: HEAD.split(",") });
    expect(preview.rows[1]).toEqual(["李四", "12345", "", "A2", "市场 部", ""]);
    expect(got).toMatchObject({ rows: 4, headerRow: 1 });
    expect(mapping).toEqual([
      "name",
      "phone",
      "idNumber",
      "employeeNo",
      "department",
      "custom.badge",
    ]);
  });

  it("Matching uses the previous import first, then the content, and lists the fields that are missing", async () => {
    const { api } = await loaded(
      "甲,乙,丙\n张三,13912345678,x\n李四,13912345677,y\n王五,13912345676,z",
    );
    const found = await api.suggest(CONTEXT, null);
    expect(found).toEqual({
      mapping: [null, "phone", null],
      by: ["none", "content", "none"],
      missing: ["name"],
      filled: [3, 3, 3],
    });
    expect(await api.suggest(CONTEXT, ["name", null, "custom.gone"])).toEqual({
      mapping: ["name", null, null],
      by: ["remembered", "none", "none"],
      missing: [],
      filled: [3, 3, 3],
    });
  });

  it("Findings are counted by row, follow edits and replacements, and undo restores them exactly", async () => {
    const { api, mapping } = await loaded();
    const asked = vi.fn<AskTaken>(async ({ employeeNos }) => ({
      idNumbers: [],
      employeeNos: employeeNos.filter((one) => one === "A3"),
    }));
    const first = await check(api, mapping, asked);
    expect(first).toMatchObject({ rows: 4, good: 1, bad: 3, undo: 0 });
    const { rows } = await api.window({ view: "bad", from: 0, count: 10 });
    expect(rows.map(({ row, issues }) => [row, issues.map((one) => one.rule)])).toEqual([
      [3, ["phone"]],
      [4, ["required", "duplicate"]],
      [5, ["taken"]],
    ]);
    expect(rows[1]?.issues[1]?.message).toBe("工号与第 2 行重复");

    expect(await api.edit(3, 1, "13912345671")).toMatchObject({ bad: 2, undo: 1 });
    expect(await api.edit(4, 3, "A4")).toMatchObject({ bad: 2, undo: 2 });
    expect(await api.edit(4, 0, "赵六")).toMatchObject({ bad: 1 });
    // The edited number is sent to the taken check as well.
    expect(asked.mock.calls.some(([numbers]) => numbers.employeeNos.includes("A4"))).toBe(true);
    expect(await api.replace(4, "市场 部", "市场部")).toMatchObject({ changed: 2 });
    const [value] = await api.values(4, 5);
    expect(value).toMatchObject({ value: "市场部", rows: 3 });
    for (let step = 0; step < 4; step += 1) await api.undo();
    const after = await api.window({ view: "all", from: 0, count: 10 });
    expect(after.rows.map(({ cells }) => cells.join(","))).toEqual(ROWS);
    expect(await api.undo()).toMatchObject({ ...first, took: expect.any(Number) });
  });

  it("A taken id number is no finding when the row updates the employee who has it", async () => {
    const { api, mapping } = await loaded();
    const all: AskTaken = async (numbers) => numbers;
    expect((await check(api, mapping, all)).good).toBe(0);
    expect((await check(api, mapping, all, "update")).good).toBe(2);
  });

  it("Only good rows are staged as chunks; the job record is written last and only once", async () => {
    const { api, kept, mapping } = await loaded();
    await check(api, mapping);
    const request = { fileName: "员工.csv", isInvite: false, accountId: "9" };
    const { key, rows, chunks } = await api.stage(request, quiet);
    expect([rows, chunks, [...kept.keys()]]).toEqual([
      2,
      1,
      [stagedChunkKey(key, 0), stagedJobKey(key)],
    ]);
    expect(stagedJobSchema.parse(kept.get(stagedJobKey(key)))).toMatchObject({
      rows: 2,
      supplierId: "1",
      accountId: "9",
      mode: "insert",
    });
    const bytes = kept.get(stagedChunkKey(key, 0)) as Uint8Array;
    const chunk = importChunkSchema.parse(JSON.parse(gunzipSync(bytes).toString("utf8")));
    expect(chunk.rows).toEqual([2, 5]);
    const column = (field: string) => {
      const found = chunk.columns.find((one) => one.field === field);
      return found?.idx.map((i) => found.dict[i] ?? null);
    };
    expect(column("name")).toEqual(["张三", "王五"]);
    expect(column("idNumber")).toEqual(["11010519491231002X", null]);
    expect(column("department")).toEqual(["市场 部", "=1+1"]);
    expect((await api.stage(request, quiet)).key).toBe(key);
    // An edited cell makes it another job.
    await api.edit(3, 1, "13912345671");
    expect((await api.stage(request, quiet)).key).not.toBe(key);
  });

  it("The sweep deletes chunks without a job, except those that are being written or belong to a job", async () => {
    const [killed, atWork, waiting] = ["a", "b", "c"].map((sign) => sign.repeat(64)) as [
      string,
      string,
      string,
    ];
    const before = new Map<string, unknown>([
      [stagedChunkKey(killed, 0), new Uint8Array(1)],
      [stagedChunkKey(killed, 1), new Uint8Array(1)],
      [stagedChunkKey(atWork, 0), new Uint8Array(1)],
      [stagedChunkKey(waiting, 0), new Uint8Array(1)],
      [stagedJobKey(waiting), {}],
      [`kept:${killed}`, {}],
    ]);
    const { api, kept, mapping } = await loaded(
      undefined,
      importInMemory({ kept: before, busy: new Set([atWork]) }),
    );
    await check(api, mapping);
    const { key } = await api.stage({ fileName: "x", isInvite: false, accountId: "9" }, quiet);
    expect([...kept.keys()]).toEqual([
      stagedChunkKey(atWork, 0),
      stagedChunkKey(waiting, 0),
      stagedJobKey(waiting),
      `kept:${killed}`,
      stagedChunkKey(key, 0),
      stagedJobKey(key),
    ]);
  });

  it("When storage is full while the job record is written, no chunk is left behind", async () => {
    const given = importInMemory();
    const { api, kept, mapping } = await loaded(undefined, given);
    await check(api, mapping);
    const { set } = kept;
    kept.set = (key, value) => {
      if (key.startsWith("job:")) throw new DOMException("full", "QuotaExceededError");
      return set.call(kept, key, value);
    };
    await expect(
      api.stage({ fileName: "x", isInvite: false, accountId: "9" }, quiet),
    ).rejects.toMatchObject({ code: "import.staging-full" });
    expect([...kept.keys()]).toEqual([]);
  });

  it("A problem with several messages is summed up with their number", async () => {
    const { api, mapping } = await loaded();
    await check(api, mapping);
    const { byRule } = await api.edit(2, 1, "123");
    expect(byRule.find(({ rule }) => rule === "phone")).toMatchObject({ cells: 2 });
    expect(byRule.find(({ rule }) => rule === "phone")?.message).toMatch(/等 2 种$/);
  });

  it("Report and template are workbooks whose cells are texts, and the template has drop-downs", async () => {
    const { api, mapping } = await loaded();
    await check(api, mapping);
    await api.edit(5, 0, "");
    const report = read(new Uint8Array(await (await api.report(quiet)).arrayBuffer()));
    const sheet = report.Sheets["错误报告"];
    const lines = utils.sheet_to_json<string[]>(sheet!, { header: 1 });
    expect(lines[0]).toEqual(["行号", "问题", ...HEAD.split(",")]);
    expect(lines[1]?.slice(0, 4)).toEqual([
      "3",
      "联系电话：手机号应为 11 位数字，现在是 5 位",
      "李四",
      "12345",
    ]);
    const formula = Object.values(sheet!).filter(
      (cell) => typeof cell === "object" && cell !== null && "f" in cell,
    );
    expect([lines.at(-1)?.includes("=1+1"), formula]).toEqual([true, []]);

    const template = new Uint8Array(await (await api.template(CONTEXT)).arrayBuffer());
    const book = read(template);
    const [head] = utils.sheet_to_json<string[]>(book.Sheets["员工"]!, { header: 1 });
    expect(head).toEqual(expect.arrayContaining(["姓名*", "性别", "胸牌"]));
    expect(utils.sheet_to_json(book.Sheets["选项"]!, { header: 1 })).toEqual([["男"]]);
    // The reader must understand a filled-in template.
    const again = importInMemory().api;
    await again.open(new Blob([template]), "模板.xlsx");
    expect((await again.preview({ headerRow: 1 })).headers).toEqual(head);
  });

  it("Cancelling ends the work in progress, and the worker can be used again", async () => {
    const many = [
      HEAD,
      ...Array.from(
        { length: 50_000 },
        (_, i) => `人${i},139${String(i).padStart(8, "0")},,N${i},部,`,
      ),
    ];
    const { api, mapping } = await loaded(many.join("\n"));
    const checking = check(api, mapping, async () => {
      await api.cancel();
      return { idNumbers: [], employeeNos: [] };
    });
    await expect(checking).rejects.toMatchObject({ code: "import.cancelled" });
    expect((await check(api, mapping)).good).toBe(50_000);
  });

  it("An unreadable file is refused with the code of its cause", async () => {
    const { api } = importInMemory();
    await expect(api.open(new Blob([]), "x.xlsx")).rejects.toMatchObject({ code: "import.empty" });
    await expect(api.window({ view: "all", from: 0, count: 1 })).rejects.toMatchObject({
      code: "import.empty",
    });
  });
});
