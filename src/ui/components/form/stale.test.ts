import { describe, expect, it } from "vitest";
import { changedValues } from "./fields.ts";
import type { AnyField } from "./kinds.ts";
import { begun, chosen, type Editing, rebased, typed, undecided } from "./stale.ts";

const FIELDS: readonly AnyField[] = [
  { key: "name", label: "名称" },
  { key: "remark", label: "备注" },
  { key: "required", label: "必填", input: "switch" },
  { key: "roles", label: "角色", input: "multi", options: [] },
];
const BEFORE = { name: "早班", remark: "旧", required: false, roles: ["a"] };
const sides = ({ conflicts }: Editing) =>
  Object.fromEntries(conflicts.map(({ field, side }) => [field.key, side]));
const sent = ({ base, values }: Editing) => changedValues(base, values);

describe("When another person changed the record meanwhile", () => {
  it("a field that only they changed takes their value, and one that only this person changed keeps its own", () => {
    const editing = begun(BEFORE, { ...BEFORE, name: "晨班" });
    const now = rebased(editing, FIELDS, { ...BEFORE, required: true, roles: ["a", "b"] });
    expect(now.values).toEqual({ name: "晨班", remark: "旧", required: true, roles: ["a", "b"] });
    expect(sides(now)).toEqual({ required: "theirs", roles: "theirs" });
    expect(undecided(now)).toEqual([]);
    expect(sent(now)).toEqual({ name: "晨班" });
  });

  it("a field that both changed waits for a choice, and each choice sends what differs from their version", () => {
    const editing = begun(BEFORE, { ...BEFORE, name: "晨班", roles: [] });
    const now = rebased(editing, FIELDS, { ...BEFORE, name: "夜班", roles: ["b"], remark: "" });
    expect(sides(now)).toEqual({ name: null, roles: null, remark: "theirs" });
    expect(undecided(now).map(({ field }) => field.key)).toEqual(["name", "roles"]);
    expect(now.conflicts[0]).toMatchObject({ was: "早班", theirs: "夜班", mine: "晨班" });
    const one = chosen(chosen(now, "theirs", "name"), "mine", "roles");
    expect(undecided(one)).toEqual([]);
    expect(sent(one)).toEqual({ roles: [] });
    expect(sent(chosen(one, "mine"))).toEqual({ name: "晨班", roles: [], remark: "旧" });
    expect(sent(chosen(one, "theirs"))).toEqual({});
  });

  it("a value that both give is no question", () => {
    const editing = begun(BEFORE, { ...BEFORE, name: "晨班", required: true });
    const now = rebased(editing, FIELDS, { ...BEFORE, name: "晨班 ", required: true });
    expect(now.conflicts).toEqual([]);
    expect(now.values["required"]).toBe(true);
  });

  it("what this person types into the field afterwards is kept", () => {
    const editing = begun(BEFORE, { ...BEFORE, name: "晨班" });
    const now = rebased(editing, FIELDS, { ...BEFORE, name: "夜班" });
    const third = typed(now, { ...now.values, name: "中班" });
    expect(sides(third)).toEqual({ name: "mine" });
    expect(sent(third)).toEqual({ name: "中班" });
    expect(sent(chosen(chosen(third, "theirs"), "mine"))).toEqual({ name: "中班" });
  });

  it("a third version asks again only about what it changed", () => {
    const editing = begun(BEFORE, { ...BEFORE, name: "晨班" });
    const second = { ...BEFORE, name: "夜班" };
    const settled = chosen(rebased(editing, FIELDS, second), "mine");
    const now = rebased(settled, FIELDS, { ...second, remark: "新" });
    expect(sides(now)).toEqual({ remark: "theirs" });
    expect(sent(now)).toEqual({ name: "晨班" });
    expect(sides(rebased(settled, FIELDS, { ...second, name: "白班" }))).toEqual({ name: null });
  });
});
