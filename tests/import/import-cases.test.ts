/**
 * Files of the kinds that staff bring, from the file to the rows that are sent: what is certain is normalised and noted at the cell,
 * what looks wrong has a warning, and only what cannot be read is an error (docs/import.md#one-writing).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { idNumberCheckSign } from "../../src/shared/domain/validate.ts";
import { type ImportContext, importChunkSchema } from "../../src/shared/protocol/rest/imports.ts";
import { createImportApi } from "../../src/workers/import/api.ts";
import { openReader } from "../../src/workers/import/read/index.ts";

const CONTEXT: ImportContext = {
  supplierId: "1",
  company: "华安物业服务有限公司",
  ownFields: [],
  departments: [
    { id: "1", name: "信息技术部" },
    { id: "2", name: "安全管理部" },
    { id: "3", name: "临时人员" },
    { id: "4", name: "安全管理部/巡逻队" },
  ],
  dictionaries: {
    gender: [
      { value: "1", label: "男" },
      { value: "2", label: "女" },
    ],
    employee_status: [{ value: "on", label: "在职" }],
    certificate_type: [{ value: "guard", label: "保安员证" }],
  },
};
const TODAY = Date.UTC(2026, 2, 15);
const quiet = (): void => undefined;

async function check(bytes: Uint8Array<ArrayBuffer>, name: string) {
  const kept = new Map<string, unknown>();
  const api = createImportApi({
    openReader,
    staging: {
      get: async (key) => kept.get(key),
      set: async (key, value) => void kept.set(key, value),
      keys: async () => [...kept.keys()],
      delMany: async () => undefined,
      alone: (_, work) => work(),
      ifAlone: (_, work) => work(),
    },
    now: () => TODAY,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  });
  await api.open(new Blob([bytes]), name);
  const { headers, warnings } = await api.load({}, quiet);
  const { mapping, filled } = await api.suggest(CONTEXT, null);
  const ask = async () => ({ idNumbers: [], employeeNos: [] });
  const checked = await api.check({ mapping, mode: "insert", context: CONTEXT }, ask, quiet);
  const { rows } = await api.window({ view: "all", from: 0, count: 500 });
  /** `row field rule`, with ! for an error. */
  const found = rows.flatMap(({ row, issues }) =>
    issues.map(
      ({ column, rule, warning }) =>
        `${row} ${mapping[column]} ${warning === true ? "" : "!"}${rule}`,
    ),
  );
  const messages = rows.flatMap(({ issues }) => issues.map(({ message }) => message));
  /** Per row that is sent: its values by field. */
  const sent = async (): Promise<Record<string, string>[]> => {
    await api.stage({ fileName: name, isInvite: false, accountId: "7" }, quiet);
    return [...kept].flatMap(([key, value]) => {
      if (!key.startsWith("chunk:")) return [];
      const chunk = importChunkSchema.parse(JSON.parse(String(gunzipSync(value as Uint8Array))));
      return chunk.rows.map((_, i) =>
        Object.fromEntries(
          chunk.columns.flatMap(({ field, dict, idx }) => {
            const text = dict[idx[i] ?? -1];
            return text === undefined ? [] : [[field, text]];
          }),
        ),
      );
    });
  };
  return { api, checked, rows, headers, warnings, mapping, filled, found, messages, sent };
}
const file = (name: string) =>
  check(
    new Uint8Array(readFileSync(join(import.meta.dirname, "../fixtures/import-cases", name))),
    name,
  );
const csv = (...lines: string[]) =>
  check(new Uint8Array(Buffer.from(lines.join("\n"), "utf8")), "名单.csv");
const column = (rows: readonly Record<string, string>[], field: string) =>
  rows.map((row) => row[field] ?? null);

describe("Radicals", () => {
  it("Headers, departments and names with radicals are read as ideographs, and noted", async () => {
    const { headers, mapping, warnings, found, messages, sent } = await file("c04-kangxi.xlsx");
    expect(headers).toEqual(["姓名", "工号", "手机号", "部门"]);
    expect(mapping).toEqual(["name", "employeeNo", "phone", "department"]);
    expect(warnings.filter((one) => one.includes("部首"))).toHaveLength(1);
    expect(found).toEqual(["2 name tidied", "2 department tidied", "4 name tidied"]);
    expect(messages[0]).toContain("U+2F45 已改为“方”");
    const rows = await sent();
    expect(column(rows, "name")).toEqual(["方芳", "方芳", "高山"]);
    expect(column(rows, "departmentId")).toEqual(["3", "3", "2"]);
  });

  it("A choice with a radical is found, and one that is none names the sign", async () => {
    const { found, messages, sent } = await csv(
      "姓名,工号,性别,证件类型",
      "甲一,R1,⼥,保安员证",
      "甲二,R2,⼥⼠,保安员证",
      "甲三,R3,男,保安 员证",
    );
    expect(found).toEqual(["2 gender tidied", "3 gender !dict", "4 certificateType tidied"]);
    expect(messages[1]).toContain("U+2F25 已改为“女”");
    expect(column(await sent(), "gender")).toEqual(["2", "1"]);
  });

  it("Two people whose names differ by a radical alone are nearly the same", async () => {
    const { checked } = await csv("姓名,岗位", "⽅芳,保安", "方芳,保安");
    expect(checked.copies.count).toBe(1);
  });

  it("Positions and remarks of a PDF become searchable", async () => {
    const { sent } = await csv("姓名,工号,岗位,备注", "甲一,P1,⼯程师,⻓期");
    expect(await sent()).toEqual([
      { name: "甲一", employeeNo: "P1", position: "工程师", remark: "长期" },
    ]);
  });
});

describe("Names", () => {
  it("The dot of a name has one writing, and the nine are one person", async () => {
    const { found, messages, sent } = await file("c05-dots.xlsx");
    expect(new Set(column(await sent(), "name"))).toEqual(new Set(["阿卜来提·如则"]));
    expect(found).toHaveLength(8);
    expect(messages.join()).toMatch(/U\+2022.*U\+30FB.*U\+2219.*U\+FF0E/);
    const { checked } = await csv("姓名,岗位", "阿卜来提·如则,保安", "阿卜来提•如则,保安");
    expect(checked.copies.count).toBe(1);
  });

  it("Blanks between Chinese characters go, marks and brackets are warned of", async () => {
    const { found, checked, rows, sent } = await file("o05-spaces.xlsx");
    expect(found).toEqual([
      "2 name tidied",
      "3 name tidied",
      "4 name tidied",
      "5 name tidied",
      "9 name !sign",
      "10 name marks",
      "11 name marks",
    ]);
    expect(checked).toMatchObject({ bad: 1, warned: 6 });
    expect(rows[7]?.issues[0]?.suggestion).toBe("孙八");
    expect(column(await sent(), "name")).toEqual([
      ..."张三 李四 王五 赵六 张三".split(" "),
      "John Smith",
      "钱七",
      "周九(离职)",
      "吴十*",
    ]);
  });

  it("The emergency contact is a name too", async () => {
    const { found, sent } = await csv(
      "姓名,工号,紧急联系人",
      "甲一,N1,王 五",
      "甲二,N2,李四（妻）",
      "甲三,N3,Anna Li",
    );
    expect(found).toEqual(["2 emergencyContact tidied", "3 emergencyContact marks"]);
    expect(column(await sent(), "emergencyContact")).toEqual(["王五", "李四（妻）", "Anna Li"]);
  });
});

describe("Departments", () => {
  it("Paths, blanks and the company's name are understood; what is missing is listed with its rows", async () => {
    const { found, checked, messages, sent } = await file("o04-deptpath.xlsx");
    expect(found).toEqual([
      "2 department !department",
      "4 department !department",
      "5 department !department",
      "7 department tidied",
    ]);
    expect(messages[0]).toBe("部门“信息技术部”下没有“一组”");
    expect(checked.missing).toEqual([
      {
        path: "信息技术部/一组",
        parentId: "1",
        names: ["一组"],
        rows: 2,
        meant: null,
      },
      { path: "信息部", parentId: null, names: ["信息部"], rows: 1, meant: null },
    ]);
    expect(column(await sent(), "departmentId")).toEqual(["1", "1", "1"]);
  });

  it("Separators of all kinds, and a department that exists below another", async () => {
    const { found, checked, sent } = await csv(
      "姓名,工号,部门",
      "甲一,D1,安全管理部>巡逻队",
      "甲二,D2,华安物业服务有限公司-安全管理部-巡逻队",
      "甲三,D3,巡逻队",
      "甲四,D4,安全管理部＼巡逻队",
      "甲五,D5,研发中心/测试 组",
    );
    expect(found).toEqual(["6 department !department"]);
    expect(checked.missing).toEqual([
      {
        path: "研发中心/测试组",
        parentId: null,
        names: ["研发中心", "测试组"],
        rows: 1,
        meant: null,
      },
    ]);
    expect(column(await sent(), "departmentId")).toEqual(["4", "4", "4", "4"]);
  });
});

describe("Telephone numbers", () => {
  it("What is certain is taken and noted; the rest stays an error", async () => {
    const { found, messages, sent } = await file("o03-phones.xlsx");
    expect(found).toEqual([
      "6 phone picked",
      "7 phone picked",
      "8 phone picked",
      "9 phone picked",
      "10 phone picked",
      "12 phone !phone",
      "13 phone !phone",
      "14 phone picked",
      "15 phone !phone",
      "16 phone !phone",
      "17 phone !phone",
    ]);
    expect(messages[1]).toContain("没有导入 13900139006");
    expect(messages[3]).toContain("微信同号");
    expect(column(await sent(), "phone")).toEqual([
      ..."13800138901 13800138902 13800138903 13800138904 13800138905 13800138906".split(" "),
      ..."13800138907 13800138908 010-12345678 13800138910 13800138912".split(" "),
    ]);
  });

  it("The mobile number wins over the landline, and every column that is left out is counted", async () => {
    const { headers, mapping, filled, sent } = await file("landline-and-mobile.xlsx");
    expect(mapping[headers.indexOf("手机")]).toBe("phone");
    expect(mapping[headers.indexOf("工号")]).toBe("employeeNo");
    const left = headers.flatMap((name, i) => (mapping[i] === null ? [[name, filled[i]]] : []));
    expect(left).toEqual([
      ["序号", 3],
      ["编号", 3],
      ["电话", 3],
    ]);
    expect(column(await sent(), "phone")).toEqual(["13800138001", "13800138002", "13800138003"]);
  });

  it.each([
    ["联系电话,手机号", "021-12345678,13800138001", 1],
    ["手机,电话", "13800138001,021-12345678", 0],
    ["电话,移动电话", "021-12345678,13800138001", 1],
    ["手机,联系电话", "021-12345678,13800138001", 1],
    ["电话,联系方式", "021-12345678,021-12345679", 0],
  ])("Of the columns %s with %s the column %d is taken", async (head, values, at) => {
    const { mapping } = await csv(`姓名,${head}`, `甲一,${values}`);
    expect(mapping.indexOf("phone")).toBe(at + 1);
  });
});

describe("Contradictions and doubts", () => {
  it("A birthday and a gender that contradict the ID number are errors, with what it says", async () => {
    const { api, found, rows, checked } = await file("o12-birthmis.xlsx");
    expect(found).toEqual([
      "2 birthday !contradiction",
      "2 gender !contradiction",
      "3 gender !contradiction",
    ]);
    expect(checked).toMatchObject({ good: 0, bad: 2 });
    expect(rows.flatMap(({ issues }) => issues.map(({ suggestion }) => suggestion))).toEqual([
      "1985-01-01",
      "男",
      "女",
    ]);
    // A correction clears its finding, and undo brings it back.
    expect(await api.edit(3, 4, "女")).toMatchObject({ good: 1, bad: 1 });
    expect(await api.undo()).toMatchObject({ good: 0, bad: 2 });
  });

  it("Days that can hardly be true are warned of, days of other centuries are errors", async () => {
    const { found, checked } = await file("o13-future.xlsx");
    expect(found).toContain("2 birthday doubt");
    expect(found).toContain("2 hireDate !date");
    expect(found).toContain("3 birthday !date");
    expect(found).toContain("3 hireDate !date");
    expect(checked.byRule.find(({ rule }) => rule === "doubt")).toMatchObject({ warning: true });
  });

  it("Age, hire date and their order", async () => {
    const { found, checked } = await csv(
      "姓名,工号,出生日期,入职日期",
      "甲一,T1,2015-01-01,2026-01-01",
      "甲二,T2,1900-02-07,2020-01-01",
      "甲三,T3,1990-01-01,2028-01-01",
      "甲四,T4,1990-01-01,1989-01-01",
      "甲五,T5,1990-01-01,2026-06-01",
    );
    expect(found).toEqual([
      "2 birthday doubt",
      "3 birthday doubt",
      "4 hireDate doubt",
      "5 hireDate contradiction",
    ]);
    expect(checked).toMatchObject({ good: 5, bad: 0, warned: 4 });
  });

  it("An ID number tells an age as well, and the window shows rows with warnings alone", async () => {
    const old = "11010519100101001";
    const { api, found } = await csv(
      "姓名,工号,身份证号",
      "甲一,I1,11010519491231002X",
      "甲二,I2,440709198501010017",
      `甲三,I3,${old}${idNumberCheckSign(old)}`,
    );
    expect(found).toEqual(["4 idNumber doubt"]);
    const { total, rows } = await api.window({ view: "warned", from: 0, count: 9 });
    expect([total, rows.map(({ row }) => row)]).toEqual([1, [4]]);
  });
});

describe("Sign-off lines", () => {
  it("They are asked about as sums are, and become no employees", async () => {
    const { api, checked, sent } = await file("o15-totals.xlsx");
    expect(checked.total).toEqual({
      rows: [
        { row: 4, text: "制表人：李娜" },
        { row: 5, text: "合计" },
      ],
      decision: "ask",
    });
    expect(checked).toMatchObject({ rows: 4, good: 2, bad: 2 });
    expect(await api.decideTotal("out")).toMatchObject({ rows: 2, good: 2, bad: 0 });
    expect(column(await sent(), "name")).toEqual(["甲总一", "甲总二"]);
  });

  it.each([
    "制表人：李娜",
    "审核：",
    "填表日期：2026年3月1日",
    "填报单位：华安物业",
    "备注：以上人员均已培训",
    "共 12 人",
    "负责人签字：",
    "日期：2026-03-01",
    "审核人",
  ])("%s is one", async (text) => {
    const { checked } = await csv("姓名,工号", "甲一,S1", `${text},`);
    expect(checked.total?.rows).toEqual([{ row: 3, text }]);
  });

  it.each(["审核员小王", "备注", "注册", "日期", "负责", "共享"])(
    "%s is a name like any other",
    async (text) => {
      const { checked } = await csv(
        "姓名,工号",
        "甲一,S1",
        `${text === "负责" ? "负责军" : text},S2`,
      );
      expect(checked.total).toBeNull();
    },
  );
});

describe("Corrections that were kept", () => {
  it("They are made again at once, and can be undone one by one", async () => {
    const { api, checked } = await file("edits-60.csv");
    const phone = 2;
    expect(checked.bad).toBeGreaterThanOrEqual(20);
    const { rows } = await api.window({ view: "bad", from: 0, count: 500 });
    const corrections = rows.map(({ row }) => ({
      kind: "edit" as const,
      row,
      column: phone,
      value: `139${String(row).padStart(8, "0")}`,
    }));
    const gone = { kind: "edit", row: 9999, column: phone, value: "x" } as const;
    const done = await api.correct([...corrections, gone]);
    expect(done).toMatchObject({ bad: 0, undo: corrections.length });
    expect(done.made).toEqual([...corrections.map(() => true), false]);
    expect(await api.undo()).toMatchObject({ bad: 1 });
  });

  it("Replacements are kept as one correction each", async () => {
    const { api } = await csv("姓名,工号,部门", ...[1, 2, 3].map((n) => `甲${n},C${n},信息部`));
    const done = await api.correct([
      { kind: "replace", column: 2, from: "信息部", to: "信息技术部" },
    ]);
    expect(done).toMatchObject({ bad: 0, undo: 1, missing: [] });
  });
});
