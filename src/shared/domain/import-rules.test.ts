import { describe, expect, it } from "vitest";
import { IMPORT_FIELDS, IMPORT_KEYS, type ImportRule } from "./import-fields.ts";
import { type CellFacts, createRules, nearest, readDay, serialDay } from "./import-rules.ts";

const rules = createRules({
  dictionaries: {
    gender: [
      { value: "1", label: "男" },
      { value: "2", label: "女" },
    ],
    employee_status: [
      { value: "on", label: "在职" },
      { value: "off", label: "离职" },
    ],
  },
  departments: [
    { id: "1", name: "总部" },
    { id: "2", name: "总部/市场部" },
    { id: "3", name: "总部/客服部" },
    { id: "4", name: "分部" },
    { id: "5", name: "分部/客服部" },
  ],
});
const judge = (rule: ImportRule, text: string, facts?: CellFacts): string => {
  const verdict = rules.judge(rule, text, facts);
  return "value" in verdict ? verdict.value : `!${verdict.wrong.rule}`;
};
const suggested = (rule: ImportRule, text: string, facts?: CellFacts) => {
  const verdict = rules.judge(rule, text, facts);
  return "wrong" in verdict ? verdict.wrong.suggestion : undefined;
};

describe("fields", () => {
  it("are those of the wire, each once", () => {
    expect(IMPORT_FIELDS.map(({ key }) => key).toSorted()).toEqual([...IMPORT_KEYS].toSorted());
    const names = IMPORT_FIELDS.flatMap(({ label, synonyms }) => [label, ...synonyms]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("rules", () => {
  it.each([
    ["13912345678", "13912345678"],
    ["+86 139-1234-5678", "13912345678"],
    ["１３９１２３４５６７８", "13912345678"],
    ["021-12345678", "021-12345678"],
    ["(021)12345678", "02112345678"],
    ["1391234567", "!phone"],
    ["12912345678", "!phone"],
    ["abc", "!phone"],
  ])("phone %s", (text, want) => expect(judge({ type: "phone" }, text)).toBe(want));

  it.each([
    ["11010519491231002X", "11010519491231002X"],
    ["11010519491231002x", "11010519491231002X"],
    ["110105 19491231 002X", "11010519491231002X"],
    ["110105194912310021", "!idNumber"],
    ["11010519491331002X", "!idNumber"],
    ["1101051949123100", "!idNumber"],
  ])("id number %s", (text, want) => expect(judge({ type: "idNumber" }, text)).toBe(want));

  it("refuses an id number that a spreadsheet has rounded, and never guesses it", () => {
    const verdict = rules.judge({ type: "idNumber" }, "110105194912310016", {
      kind: "number",
      number: 110105194912310016,
    });
    expect(verdict).toMatchObject({ wrong: { message: expect.stringContaining("存成了数字") } });
  });

  it.each([
    ["2024-1-2", "2024-01-02"],
    ["2024/01/02", "2024-01-02"],
    ["2024.1.2", "2024-01-02"],
    ["2024年1月2日", "2024-01-02"],
    ["20240102", "2024-01-02"],
    ["2024-01-02 08:30", "2024-01-02"],
    ["2024-01-02T08:30:00.000Z", "2024-01-02"],
    ["２０２４－０１－０２", "2024-01-02"],
    ["2024-02-30", null],
    ["1/2/2024", null],
    ["45000", null],
  ])("day %s", (text, want) => expect(readDay(text)).toBe(want));

  it("reads serials in both date systems", () => {
    expect(serialDay(1, false)).toBe("1900-01-01");
    expect(serialDay(61, false)).toBe("1900-03-01");
    expect(serialDay(45_292, false)).toBe("2024-01-01");
    expect(serialDay(43_830, true)).toBe("2024-01-01");
    expect(serialDay(-3, false)).toBeNull();
    const facts = (date1904: boolean): CellFacts => ({ kind: "date", number: 43_830.5, date1904 });
    expect(judge({ type: "date" }, "x", facts(true))).toBe("2024-01-01");
    expect(judge({ type: "date" }, "x", facts(false))).toBe("2019-12-31");
    // a bare number is told, with what it may mean
    const bare: CellFacts = { kind: "number", number: 45_292 };
    expect(judge({ type: "date" }, "45292", bare)).toBe("!date");
    expect(suggested({ type: "date" }, "45292", bare)).toBe("2024-01-01");
    expect(judge({ type: "date" }, "20240101", { kind: "number", number: 20_240_101 })).toBe(
      "2024-01-01",
    );
  });

  it("takes a dictionary's value or label, and says what was probably meant", () => {
    const gender: ImportRule = { type: "dict", dict: "gender" };
    expect([judge(gender, "男"), judge(gender, "2"), judge(gender, "男性")]).toEqual([
      "1",
      "2",
      "!dict",
    ]);
    expect(suggested(gender, "男性")).toBe("男");
    const status: ImportRule = { type: "dict", dict: "employee_status", without: ["off"] };
    expect([judge(status, "在职"), judge(status, "离职")]).toEqual(["on", "!dict"]);
  });

  it("finds departments by name or path; two of one name must be told apart", () => {
    const rule: ImportRule = { type: "department" };
    expect([judge(rule, "市场部"), judge(rule, "总部/客服部"), judge(rule, "客服部")]).toEqual([
      "2",
      "3",
      "!department",
    ]);
    expect(suggested(rule, "市场 部")).toBe("市场部");
    expect(nearest("安全管理", ["市场部", "安全管理部"])).toBe("安全管理部");
    expect(nearest("完全不同的东西", ["市场部"])).toBeUndefined();
  });

  it("keeps lengths, numbers and addresses", () => {
    expect(judge({ type: "text", max: 3 }, "\u3000张三 ")).toBe("张三");
    expect(judge({ type: "text", max: 3 }, "四个字啊")).toBe("!length");
    expect(judge({ type: "number" }, "1,234.5")).toBe("1234.5");
    expect(judge({ type: "number" }, "1e5")).toBe("!number");
    expect(judge({ type: "email" }, "a＠b.cn")).toBe("a@b.cn");
    expect(judge({ type: "email" }, "a@b")).toBe("!email");
  });
});
