import { expect, it } from "vitest";
import { completeSettings } from "../../../shared/domain/field-settings.ts";
import { fieldChanges } from "./field-changes.ts";

const SIZE = {
  key: "size",
  label: "鞋码",
  type: "number",
  dictType: null,
  required: false,
} as const;
const context = (
  ownFields: readonly (typeof SIZE)[] = [],
  change: Readonly<Record<string, { used?: boolean; required?: boolean }>> = {},
) => ({
  ownFields,
  fields: completeSettings("employee", [], ownFields).map((one) => ({
    ...one,
    ...change[one.key],
  })),
});

it("Nothing is said of changes that an import does not notice", () => {
  const was = context();
  expect(fieldChanges(was, context(), ["name"])).toBeNull();
  expect(fieldChanges(was, { ...was, fields: was.fields.toReversed() }, ["name"])).toBeNull();
  // no column fills it
  expect(fieldChanges(was, context([], { remark: { used: false } }), ["name", null])).toBeNull();
});

it("A field that a column fills and the company gave up must be taken over before the file is sent", () => {
  const now = context([], { remark: { used: false } });
  expect(fieldChanges(context(), now, ["name", "remark"])).toEqual({
    gone: ["remark"],
    demanded: [],
    added: [],
    mustAdopt: true,
  });
  expect(fieldChanges(context([SIZE]), context(), ["name", "custom.size"])).toMatchObject({
    gone: ["custom.size"],
    mustAdopt: true,
  });
});

it("A new field is offered, and the import may go on without it", () => {
  expect(fieldChanges(context(), context([SIZE]), ["name"])).toEqual({
    gone: [],
    demanded: [],
    added: ["custom.size"],
    mustAdopt: false,
  });
});

it("A field that became required must be taken over, unless the ID numbers give it", () => {
  const now = (key: string) => context([], { [key]: { required: true } });
  expect(fieldChanges(context(), now("position"), ["name"])).toMatchObject({
    demanded: ["position"],
    mustAdopt: true,
  });
  expect(fieldChanges(context(), now("gender"), ["name", "idNumber"])).toMatchObject({
    demanded: ["gender"],
    mustAdopt: false,
  });
});
