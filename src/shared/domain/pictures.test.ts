import { expect, test } from "vitest";
import { createRules } from "./import-rules.ts";
import { isPicture, PICTURE } from "./pictures.ts";

const rules = createRules({ dictionaries: {}, departments: [] });
const TEXT = { type: "text", max: 100 } as const;
const ruleOf = (text: string, kind: "text" | "written" | "error" = "text"): string | null => {
  const verdict = rules.judge(TEXT, text, { kind });
  return "wrong" in verdict ? verdict.wrong.rule : null;
};

test.each([
  ['=DISPIMG("ID_1",1)', false, true],
  ['=_xlfn.DISPIMG("ID_1",1)', false, true],
  ["＝dispimg(“ID”，1)", false, true],
  [PICTURE, true, true],
  [PICTURE, false, false],
  ["DISPIMG", false, false],
  ['见 =DISPIMG("a")', false, false],
  ["=SUM(A1:A9)", false, false],
  ["#VALUE!", true, false],
])("%s (error: %s) is a picture: %s", (text, isError, is) => {
  expect(isPicture(text, isError)).toBe(is);
});

test("A picture is never a value, in no field and from no source", () => {
  expect(ruleOf('=DISPIMG("ID_1",1)')).toBe("picture");
  expect(ruleOf('=DISPIMG("ID_1",1)', "written")).toBe("picture");
  expect(ruleOf(PICTURE, "error")).toBe("picture");
  expect(rules.judge({ type: "phone" }, '=DISPIMG("1",1)')).toMatchObject({
    wrong: { rule: "picture" },
  });
});

test("同上 in a file is no value, but a person may write it", () => {
  expect(["同上", " 同上 ", "〃", "″"].map((text) => ruleOf(text))).toEqual(Array(4).fill("above"));
  expect([ruleOf("同上", "written"), ruleOf("同上所述")]).toEqual([null, null]);
});

test("A day of the week beside a date must be its own", () => {
  const dateOf = (text: string) => rules.judge({ type: "date" }, text);
  expect(dateOf("2023-05-01 星期一")).toEqual({ value: "2023-05-01" });
  expect(dateOf("2023年5月1日（周一）")).toEqual({ value: "2023-05-01" });
  expect(dateOf("2023-05-01 星期二")).toMatchObject({
    wrong: { message: "日期与写明的星期不符，请核对", suggestion: "2023-05-01" },
  });
  expect(dateOf("2023-02-30 星期一")).toMatchObject({ wrong: { rule: "date" } });
});
