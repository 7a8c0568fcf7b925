import { describe, expect, it } from "vitest";
import { EMPLOYEE_FIELDS } from "./employee-fields.ts";
import { IMPORT_FIELDS, type ImportRule } from "./import-fields.ts";
import { readDay, serialDay } from "./days.ts";
import { type CellFacts, createRules } from "./import-rules.ts";
import { nearest } from "./nearest.ts";

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
  it("the fields are those of the wire, each once", () => {
    const wire = EMPLOYEE_FIELDS.map(({ key }) => key).filter((key) => key !== "departmentId");
    expect(IMPORT_FIELDS.map(({ key }) => key).toSorted()).toEqual(wire.toSorted());
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
  ])("%s as a phone number gives %s", (text, want) =>
    expect(judge({ type: "phone" }, text)).toBe(want),
  );

  it.each([
    ["11010519491231002X", "11010519491231002X"],
    ["11010519491231002x", "11010519491231002X"],
    ["110105 19491231 002X", "11010519491231002X"],
    ["110105194912310021", "!idNumber"],
    ["11010519491331002X", "!idNumber"],
    ["1101051949123100", "!idNumber"],
  ])("%s as an ID card number gives %s", (text, want) =>
    expect(judge({ type: "idNumber" }, text)).toBe(want),
  );

  it("an id number that a spreadsheet rounded is refused without a suggestion", () => {
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
  ])("%s as a day gives %s", (text, want) => expect(readDay(text)).toBe(want));

  it("spreadsheet serials of both date systems are converted to days", () => {
    expect(serialDay(1, false)).toBe("1900-01-01");
    expect(serialDay(61, false)).toBe("1900-03-01");
    expect(serialDay(45_292, false)).toBe("2024-01-01");
    expect(serialDay(43_830, true)).toBe("2024-01-01");
    expect(serialDay(-3, false)).toBeNull();
    const facts = (date1904: boolean): CellFacts => ({ kind: "date", number: 43_830.5, date1904 });
    expect(judge({ type: "date" }, "x", facts(true))).toBe("2024-01-01");
    expect(judge({ type: "date" }, "x", facts(false))).toBe("2019-12-31");
    // a plain number gets a message with the day that it may mean
    const bare: CellFacts = { kind: "number", number: 45_292 };
    expect(judge({ type: "date" }, "45292", bare)).toBe("!date");
    expect(suggested({ type: "date" }, "45292", bare)).toBe("2024-01-01");
    expect(judge({ type: "date" }, "20240101", { kind: "number", number: 20_240_101 })).toBe(
      "2024-01-01",
    );
  });

  it("a dictionary field accepts a value or label and suggests the nearest", () => {
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

  it("departments are found by name or path, and two of one name must be distinguished", () => {
    const rule: ImportRule = { type: "department" };
    expect([judge(rule, "市场部"), judge(rule, "总部/客服部"), judge(rule, "客服部")]).toEqual([
      "2",
      "3",
      "!department",
    ]);
    expect(judge(rule, "市场 部")).toBe("2");
    expect(suggested(rule, "市场布")).toBe("市场部");
    expect(nearest("安全管理", ["市场部", "安全管理部"])).toBe("安全管理部");
    expect(nearest("完全不同的东西", ["市场部"])).toBeUndefined();
  });

  it("lengths, numbers and addresses are checked", () => {
    expect(judge({ type: "text", max: 3 }, "\u3000张三 ")).toBe("张三");
    expect(judge({ type: "text", max: 3 }, "四个字啊")).toBe("!length");
    expect(judge({ type: "number" }, "1,234.5")).toBe("1234.5");
    expect(judge({ type: "number" }, "1e5")).toBe("!number");
    expect(judge({ type: "email" }, "a＠b.cn")).toBe("a@b.cn");
    expect(judge({ type: "email" }, "a@b")).toBe("!email");
  });

  const name: ImportRule = { type: "text", max: 50, form: "line" };
  const code: ImportRule = { type: "text", max: 32, form: "code" };
  const free: ImportRule = { type: "text", max: 500 };
  const number = (n: number, more: Partial<CellFacts> = {}): CellFacts => ({
    kind: "number",
    number: n,
    ...more,
  });

  it.each([
    [code, 999_999_999_999_999, "999999999999999"],
    [code, 1e15, "!digits"],
    [free, 2 ** 53, "!digits"],
    [name, 6_222_021_234_567_890, "!digits"],
    [{ type: "department" }, 2 ** 53 + 2, "!digits"],
    [{ type: "number" }, 1e16, "!digits"],
    [{ type: "phone" }, 1e16, "!digits"],
  ] as const)("%j of the number %d is %s", (rule, n, want) => {
    expect(judge(rule as ImportRule, BigInt(n).toString(), number(n))).toBe(want);
  });

  it.each(["#REF!", "#N/A", "#DIV/0!", "＃ＶＡＬＵＥ！"])(
    "the error value %s is refused as a text",
    (text) => {
      for (const rule of [name, code, free, { type: "department" }] as const) {
        expect(judge(rule, text)).toBe("!error");
      }
      expect(judge({ type: "phone" }, "oops", { kind: "error" })).toBe("!error");
    },
  );

  it("a csv number with an exponent is a finding, one that a person typed is not", () => {
    for (const rule of [name, code, free]) {
      for (const text of ["1E+05", "1.23457E+17", "-4.4e-07", "１Ｅ＋０５"]) {
        expect(judge(rule, text)).toBe("!exponent");
        expect(judge(rule, text, { kind: "written" })).toBe(text);
      }
      // these may be real codes
      expect(["1E5", "E+05", "12E+05"].map((text) => judge(rule, text))).toEqual([
        "1E5",
        "E+05",
        "12E+05",
      ]);
    }
    expect(suggested(code, "1.00E+05", number(100_000, { digits: "100000" }))).toBe("100000");
  });

  it("marks around numbers are removed, marks inside texts are kept", () => {
    const marked = (text: string): string => `\u202a\u200e${text}\u202c\u200b\ufeff`;
    expect(judge({ type: "phone" }, marked("13912345678"))).toBe("13912345678");
    expect(judge({ type: "phone" }, "139\u200b1234\u200d5678")).toBe("13912345678");
    expect(judge({ type: "idNumber" }, marked("11010519491231002X"))).toBe("11010519491231002X");
    expect(judge({ type: "date" }, marked("2024-01-02"))).toBe("2024-01-02");
    expect(judge({ type: "number" }, marked("12.5"))).toBe("12.5");
    expect(judge({ type: "email" }, marked("a@b.cn"))).toBe("a@b.cn");
    expect(judge(code, marked("E0001"))).toBe("E0001");
    expect(judge(name, " \u3000\u200b张\u3000三\u00a0\u200b ")).toBe("张三");
    expect(judge(free, "甲\u3000乙\u00a0丙\u200b丁\n戊")).toBe("甲\u3000乙\u00a0丙\u200b丁\n戊");
    expect(judge(name, "a\u00a0b\u200bc")).toBe("a\u00a0b\u200bc");
  });

  it.each([
    ["张\u0007三", "张三"],
    ["张\n三", "张三"],
    ["张\u2028三", "张三"],
    ["张三\u202e", "张三"],
    ["张\u200f三", "张三"],
    ["张\0三", "张三"],
    ["张\ud83d三", "张三"],
    ["张\ufffd三", "张三"],
  ])("the name %j is a finding, with the suggestion %s", (text, meant) => {
    expect(judge(name, text)).toBe("!sign");
    expect(suggested(name, text)).toBe(meant);
  });

  it("unpaired surrogates, NUL and other control characters are findings in every text", () => {
    for (const text of ["a\0b", "a\u0008b", "a\ud83db", "a\ufffdb"]) {
      for (const rule of [name, code, free, { type: "department" }] as const) {
        expect(judge(rule, text)).toBe("!sign");
      }
    }
    expect(judge(code, "E\u202e1")).toBe("!sign");
  });

  it("the digits behind a format are used when they are the same number", () => {
    const shown = number(13_912_345_678, { digits: "13912345678" });
    expect(judge({ type: "phone" }, "139-1234-5678", shown)).toBe("13912345678");
    expect(judge({ type: "phone" }, "13,912,345,678", shown)).toBe("13912345678");
    expect(judge({ type: "phone" }, "13912", shown)).toBe("!phone");
    expect(judge({ type: "number" }, "50%", number(0.5, { digits: "0.5" }))).toBe("0.5");
    expect(judge(code, "00012", number(12, { digits: "12" }))).toBe("00012");
    expect(judge(free, "¥12.50", number(12.5, { digits: "12.5" }))).toBe("¥12.50");
    expect(judge({ type: "dict", dict: "gender" }, "01", number(1, { digits: "1" }))).toBe("1");
    expect(judge({ type: "date" }, "2024/01/31", number(20_240_131, { digits: "20240131" }))).toBe(
      "2024-01-31",
    );
    expect(judge(free, "0.5", number(0.5, { unclear: true }))).toBe("!shown");
  });

  it("a serial just before midnight is the same day in the grid and in the database", () => {
    expect(serialDay(45_295.999_999_999_99, false)).toBe("2024-01-05");
    expect(serialDay(45_295.999, false)).toBe("2024-01-04");
  });
});
