import { expect, it } from "vitest";
import { staleChanges } from "./stale.ts";

const FIELDS = [
  { key: "name", label: "名称" },
  { key: "remark", label: "备注" },
  { key: "parent", label: "上级" },
];

it("Names the fields that the other person changed, as a person reads them", () => {
  const before = { name: "早班", remark: "旧", parent: "1" };
  const now = { name: "晨班", remark: "", parent: "2" };
  const read = (key: string, value: string) => (key === "parent" ? `部门${value}` : value);
  expect(staleChanges(FIELDS, before, now, read)).toEqual([
    { label: "名称", value: "晨班" },
    { label: "备注", value: "" },
    { label: "上级", value: "部门2" },
  ]);
  expect(staleChanges(FIELDS, before, before)).toEqual([]);
});
