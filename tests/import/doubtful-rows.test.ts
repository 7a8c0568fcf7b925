/**
 * Rows that staff must look at: what looks wrong has a warning, what contradicts itself is an error, a sign-off line is asked about, and
 * corrections that were kept are made again (docs/import.md#checks).
 */
import { describe, expect, it } from "vitest";
import { idNumberCheckSign } from "../../src/shared/domain/validate.ts";
import { column, csv, file } from "./checked-file.ts";

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
