import { expect, it } from "vitest";
import { checkValues, optionsOf as choicesOf, valuesOf } from "../../components/form/fields.ts";
import { WORDS } from "../../components/form/wordings.fake.ts";
import { fieldsInUse } from "../../../shared/domain/fields-in-use.ts";
import { employeeAdvanced } from "./advanced.ts";
import { formRules } from "./form-rules.ts";
import { employeeBody, employeeFormFields, employeeLines } from "./fields.ts";
import { dictsWith, type OwnField, withOwn } from "../fields/own-fields.ts";

const field = (key: string, type: OwnField["type"], more: Partial<OwnField> = {}): OwnField => ({
  id: key,
  key,
  label: `字段${key}`,
  type,
  dictType: null,
  required: false,
  sort: 0,
  version: 1,
  ...more,
});
const OWN = [
  field("a", "text", { required: true }),
  field("b", "number"),
  field("c", "date"),
  field("d", "dict", { dictType: "shift" }),
];
const optionsOf = (dict: string) => [{ value: "am", label: `${dict} am` }];
const fields = employeeFormFields({
  language: "zh",
  inUse: fieldsInUse([]),
  optionsOf,
  wrong: {
    idNumber: "id",
    phone: "phone",
    email: "email",
    date: "date",
    sign: "sign",
    contradiction: "other",
  },
  own: OWN,
  rules: formRules,
});

it("The form has the own fields behind the common ones, with the control and the check of their type", () => {
  const own = fields.slice(-4);
  expect(own.map(({ key, label, input, required }) => [key, label, input, required])).toEqual([
    ["custom.a", "字段a", undefined, true],
    ["custom.b", "字段b", "number", false],
    ["custom.c", "字段c", "date", false],
    ["custom.d", "字段d", "select", false],
  ]);
  expect(own.slice(-1).flatMap((one) => choicesOf(one, {}))).toEqual([
    { value: "am", label: "shift am" },
  ]);
  const values = { "custom.b": "x", "custom.c": "2026-02-30" };
  expect(checkValues(own, { ...valuesOf(own, {}), ...values }, WORDS)).toEqual({
    "custom.a": "missing",
    "custom.b": "number",
    "custom.c": "date",
  });
});

it("Values go out under their keys, numbers as numbers, and empty ones clear", () => {
  const values = { name: "李", "custom.a": "x", "custom.b": 1.5, "custom.c": "" };
  expect(employeeBody(values, OWN)).toEqual({ name: "李", custom: { a: "x", b: 1.5, c: null } });
  expect(employeeBody({ name: "李" }, OWN)).toEqual({ name: "李" });
  const read = valuesOf(fields, withOwn({ name: "李", custom: { a: "x", b: 0 } }));
  expect([read["custom.a"], read["custom.b"], read["custom.c"]]).toEqual(["x", 0, ""]);
});

it("Details and filter have them too, with their dictionaries", () => {
  const lines = employeeLines(
    { custom: { b: 0, d: "am" } },
    {
      language: "zh",
      labelOf: (dict, value) => `${dict}:${value}`,
      own: OWN,
      inUse: fieldsInUse([]),
    },
  );
  expect(lines.slice(-4).map(({ value }) => value)).toEqual([null, "0", null, "shift:am"]);
  const filter = employeeAdvanced("zh", optionsOf, OWN, fieldsInUse([])).slice(-4);
  expect(filter.map(({ key, type }) => [key, type])).toEqual([
    ["custom.a", "text"],
    ["custom.b", "number"],
    ["custom.c", "date"],
    ["custom.d", "dict"],
  ]);
  expect(dictsWith(OWN).split(",")).toContain("shift");
});
