import { describe, expect, expectTypeOf, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { PICTURE_RULES } from "../upload/rules.ts";
import { WORDS } from "./wordings.fake.ts";
import {
  changedValues,
  checkValues,
  declaredValues,
  formFields,
  type FormField,
  refusedField,
  settled,
  shownFields,
  trimmed,
  valuesOf,
} from "./fields.ts";

const FIELDS: readonly FormField[] = [
  { key: "no", label: "No." },
  { key: "name", label: "Name", required: true },
  { key: "age", label: "Age", check: (value) => (/^\d+$/.test(value) ? null : "no number") },
];

describe("The fields of a form", () => {
  it("start with the given values, and numbers are texts", () => {
    expect(valuesOf(FIELDS, { no: null, name: "李娜", age: 30, other: "x" })).toEqual({
      no: "",
      name: "李娜",
      age: "30",
    });
  });

  it("are sent when they changed", () => {
    expect(changedValues({ no: "", name: "a", age: "1" }, { no: "", name: "b", age: "" })).toEqual({
      name: "b",
      age: "",
    });
  });

  it("are refused when a required one holds only spaces or a value is wrong, but not when it is disabled", () => {
    const values = { no: "", name: "  ", age: "x" };
    const words = { ...WORDS, missing: (label: string) => `${label} is missing` };
    expect(checkValues(FIELDS, values, words)).toEqual({
      name: "Name is missing",
      age: "no number",
    });
    const fixed = FIELDS.map((field) => ({ ...field, disabled: true }));
    expect(checkValues(fixed, values, words)).toEqual({});
  });
});

const KINDS = formFields([
  { key: "title", label: "Title", required: true },
  { key: "sort", label: "Order", input: "number", required: true, min: 0, max: 99, step: 1 },
  { key: "weight", label: "Weight", input: "number", step: 0.5 },
  { key: "used", label: "Used", input: "switch" },
  { key: "roles", label: "Roles", input: "multi", required: true, options: [] },
  { key: "stay", label: "Stay", input: "range" },
  { key: "logo", label: "Logo", input: "files", rules: PICTURE_RULES },
  {
    key: "shifts",
    label: "Shifts",
    input: "groups",
    most: 3,
    fields: [
      { key: "name", label: "Name", required: true },
      { key: "people", label: "People", input: "number" },
    ],
  },
  {
    key: "kind",
    label: "Kind",
    input: "select",
    required: true,
    shownWhen: ({ used }) => used === true,
    optionsFrom: ({ title }) => [{ value: `${String(title)}-1`, label: "one" }],
  },
]);

describe("Fields of several kinds", () => {
  const given = {
    title: "a",
    sort: "7",
    used: true,
    roles: ["r", 5],
    stay: { from: "2026-01-02" },
    logo: "x.png",
    shifts: [{ name: "早", people: "3" }, "nonsense"],
    kind: "a-1",
  };

  it("hold values of their own types, whatever is given", () => {
    const values = valuesOf(KINDS, given);
    expect(values).toEqual({
      title: "a",
      sort: 7,
      weight: null,
      used: true,
      roles: ["r", "5"],
      stay: { from: "2026-01-02", to: "" },
      logo: ["x.png"],
      shifts: [
        { name: "早", people: 3 },
        { name: "", people: null },
      ],
      kind: "a-1",
    });
    // the compiler knows the types by the declaration
    expectTypeOf(values.roles).toEqualTypeOf<readonly string[]>();
    expectTypeOf(values.used).toEqualTypeOf<boolean>();
    expectTypeOf(values.sort).toEqualTypeOf<number | null>();
    expectTypeOf(values.shifts[0]!.people).toEqualTypeOf<number | null>();
    expectTypeOf(declaredValues(KINDS, values).kind).toEqualTypeOf<string | undefined>();
    expectTypeOf(valuesOf([{ key: "a", label: "A" }], {}).a).toEqualTypeOf<string>();
  });

  it("are checked by their kinds, also inside groups", () => {
    const values = valuesOf(KINDS, { ...given, roles: [], sort: 1.5, weight: 0.75, kind: "" });
    const stay = { from: "2026-03-01", to: "2026-02-01" };
    expect(checkValues(KINDS, { ...values, stay }, WORDS)).toEqual({
      sort: "whole between 0 and 99",
      weight: "number",
      roles: "missing",
      stay: "order",
      "shifts.1.name": "missing",
      kind: "missing",
    });
    expect(checkValues(KINDS, { ...values, sort: 100, weight: Number.NaN }, WORDS)).toMatchObject({
      sort: "whole between 0 and 99",
      weight: "number",
    });
  });

  it("that are not there are neither checked nor sent", () => {
    const values = valuesOf(KINDS, { ...given, used: false, kind: "", shifts: [] });
    expect(checkValues(KINDS, values, WORDS)).toEqual({});
    const sent = declaredValues(KINDS, trimmed(shownFields(KINDS, values), values));
    expect(Object.keys(sent)).not.toContain("kind");
    expect(sent.kind).toBeUndefined();
  });

  it("lose a choice that another value takes away", () => {
    const values = valuesOf(KINDS, given);
    expect(settled(KINDS, values)["kind"]).toBe("a-1");
    expect(settled(KINDS, { ...values, title: "b" })["kind"]).toBe("");
  });

  it("are sent when what they consist of changed", () => {
    const values = valuesOf(KINDS, given);
    const now = { ...values, roles: ["r"], shifts: values.shifts.map((one) => ({ ...one })) };
    expect(changedValues(values, now)).toEqual({ roles: ["r"] });
  });

  it("inside a group are found by a refusal", () => {
    const error = new AppError("request.invalid", {
      details: { fields: { "body.shifts.1.people": "x" } },
    });
    expect(refusedField(error, KINDS)).toEqual({ key: "shifts.1.people", reason: "invalid" });
  });
});

describe("A refusal is shown", () => {
  const conflict = (fields: Record<string, string>) =>
    new AppError("request.conflict", { details: { fields } });

  it("at the field whose value is taken", () => {
    expect(refusedField(conflict({ no: "已有在职员工使用" }), FIELDS)).toEqual({
      key: "no",
      reason: "taken",
    });
  });

  it.each([
    ["the core names", { field: "body.age" }],
    ["the server names", { fields: { other: "x", "body.age": "x" } }],
  ])("at the field that %s", (_, details) => {
    const error = new AppError("request.invalid", { details });
    expect(refusedField(error, FIELDS)).toEqual({ key: "age", reason: "invalid" });
  });

  it.each([
    ["a conflict that names no field", conflict({})],
    ["a part that is no field", new AppError("request.invalid", { details: { field: "body.x" } })],
    ["another error", new AppError("auth.forbidden", { details: { fields: { no: "x" } } })],
    ["no AppError", new Error("no")],
  ])("above the form when it is %s", (_, error) => {
    expect(refusedField(error, FIELDS)).toBeNull();
  });
});
