/**
 * A text is the same value whether it comes from a file, from the form, or by REST: all of them read by `readValue`
 * (docs/import.md#one-writing). The texts of each field are a mixture of what the rules take, change and refuse.
 */
import { expect, it } from "vitest";
import { employeeFields, type EmployeeFieldKey } from "../../src/shared/domain/employee-fields.ts";
import { readValue } from "../../src/shared/domain/employee-values.ts";
import { createRules } from "../../src/shared/domain/import-rules.ts";
import { employeeCreateSchema } from "../../src/shared/protocol/rest/employee-schemas.ts";
import { readCommon } from "../../src/server/modules/imports/rows.ts";
import { formRules } from "../../src/ui/features/employees/form-rules.ts";
import { isTextField } from "../../src/ui/components/form/kinds.ts";
import { fieldsInUse } from "../../src/shared/domain/fields-in-use.ts";
import { employeeFormFields } from "../../src/ui/features/employees/fields.ts";

const TODAY = "2026-03-15";
const NAMES = [
  "张三",
  "张 三",
  "⽅芳",
  "阿卜来提•如则",
  "周九(离职)",
  "吴十*",
  "John Smith",
  "长".repeat(51),
  "张\u0007三",
  "张\n三",
  "张\u202e三",
  "张\ufffd三",
];
const TEXTS: Readonly<Partial<Record<EmployeeFieldKey, readonly string[]>>> = {
  name: NAMES,
  emergencyContact: NAMES,
  employeeNo: ["E0001", " E1 ", "⼯1", "\u200bE2\u200b", "E\u00073", "1".repeat(33)],
  certificateNo: ["C1", "\u202aC2\u202c", "1".repeat(65)],
  idNumber: [
    "11010519491231002X",
    "11010519491231002x",
    "110105 19491231 002X",
    "110105194912310021",
    "1",
  ],
  birthday: [
    "2000-01-02",
    "2000/1/2",
    "2000年1月2日",
    "2000-02-30",
    "2085-01-01",
    "1900-02-07",
    "x",
  ],
  hireDate: ["2020-01-02", "20200102", "2030-01-01", "1024-01-05"],
  certificateExpiry: ["2099-12-31", "2023-05-01 星期一", "soon"],
  phone: [
    "13912345678",
    "+86 139-1234-5678",
    "(+86)13800138905",
    "13800138906/13900139006",
    "13800138908（微信同号）",
    "021-12345678",
    "010-12345678转801",
    "1380013891",
    "1391234\u00075678",
    "无",
  ],
  emergencyPhone: ["13912345678；", "abc"],
  email: ["a@b.cn", "a＠b.cn", " a@b.cn ", "a..b@c.cn", "a!b@c.cn", "a@b", "o'neil+x@b-c.cn"],
  department: ["市场部", " 市场⻔ ", "市场\n部", "部".repeat(101)],
  position: ["⼯程师", "工程 师", "工程\u0085师", "岗".repeat(101)],
  remark: ["两行\n文字", " ⽅ ", "响铃\u0007", "字".repeat(501)],
};

const rules = createRules({ dictionaries: {}, departments: [] }, TODAY);
const form = employeeFormFields({
  language: "zh",
  inUse: fieldsInUse([]),
  optionsOf: () => [],
  wrong: {
    idNumber: "wrong",
    phone: "wrong",
    email: "wrong",
    date: "wrong",
    sign: "wrong",
    contradiction: "wrong",
  },
  own: [],
  today: TODAY,
  rules: formRules,
});

it("every field that takes a text has texts here", () => {
  const typed = employeeFields.flatMap(({ key, rule }) =>
    rule.type === "dict" || rule.type === "departmentId" ? [] : [key],
  );
  expect(Object.keys(TEXTS).toSorted()).toEqual(typed.toSorted());
});

const cases = employeeFields.flatMap((field) =>
  (TEXTS[field.key] ?? []).map((text) => [field.key, text, field] as const),
);

it.each(cases)(
  "%s: %j is read alike by import, REST, the server's chunks and the form",
  (key, text, field) => {
    if (field.rule.type === "dict") throw new Error("a choice is no text");
    const read = readValue(field.rule, text, TODAY);
    const want = "value" in read ? read.value : null;

    // No exponent or error value stands in these texts, so the check of a cell adds nothing.
    expect(rules.judge(field.rule, text)).toEqual(read);
    const rest = employeeCreateSchema.shape[key].safeParse(text);
    expect(rest.success ? rest.data : null).toBe(want);
    const chunk = readCommon(key, text);
    expect("value" in chunk ? chunk.value : null).toBe(want);
    const shown = form.find((one) => one.key === key);
    if (shown === undefined || !isTextField(shown)) throw new Error("the form has no such text");
    // The form limits lengths by its input.
    const isLong = "wrong" in read && read.wrong.rule === "length";
    const refusal = isLong ? "too long" : (shown.check?.(text, { [key]: text }) ?? null);
    expect(refusal === null).toBe(want !== null);
    if (isLong) expect(text.length).toBeGreaterThan(shown.max ?? 0);
    const note = "value" in read ? (read.note?.message ?? null) : null;
    if (want !== null) expect(shown.warn?.(text, { [key]: text }) ?? null).toBe(note);
  },
);
