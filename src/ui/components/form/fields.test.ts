import { describe, expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { changedValues, checkValues, type FormField, refusedField, valuesOf } from "./fields.ts";

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
    const missing = (label: string) => `${label} is missing`;
    expect(checkValues(FIELDS, values, missing)).toEqual({
      name: "Name is missing",
      age: "no number",
    });
    const fixed = FIELDS.map((field) => ({ ...field, disabled: true }));
    expect(checkValues(fixed, values, missing)).toEqual({});
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
