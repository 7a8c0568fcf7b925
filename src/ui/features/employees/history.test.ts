import { expect, it } from "vitest";
import { employeeChanges, type HistoryNeeds } from "./history.ts";

type Own = HistoryNeeds["own"][number];
const own = { key: "badge", label: "证章", type: "text", dictType: null } as Own;
const needs: HistoryNeeds = {
  language: "zh",
  labelOf: (dict, value) => `${dict}:${value}`,
  own: [own],
  others: { accountId: "账号", dimissionAt: "离职日期" },
};

it("A change shows the fields that differ, in the order of the form, and the labels of dictionaries", () => {
  const before = { name: "王一", department: "一部", departmentId: "1", gender: "1", phone: "1" };
  const after = { name: "王一", department: "二部", departmentId: "2", gender: "2", phone: null };
  expect(employeeChanges({ before, after }, needs)).toEqual([
    { key: "gender", label: "性别", from: "gender:1", to: "gender:2" },
    { key: "phone", label: "联系电话", from: "1", to: null },
    { key: "department", label: "部门", from: "一部", to: "二部" },
  ]);
});

it("A new employee has no former values; what is no field of the form has its own label", () => {
  expect(employeeChanges({ before: null, after: { name: "王一", version: 1 } }, needs)).toEqual([
    { key: "name", label: "姓名", from: null, to: "王一" },
  ]);
  const changes = employeeChanges(
    {
      before: { accountId: "7", custom: { badge: "A1" } },
      after: { accountId: null, custom: { badge: "B2" }, dimissionAt: "2026-01-02" },
    },
    needs,
  );
  expect(changes).toEqual([
    { key: "custom.badge", label: "证章", from: "A1", to: "B2" },
    { key: "accountId", label: "账号", from: "7", to: null },
    { key: "dimissionAt", label: "离职日期", from: null, to: "2026-01-02" },
  ]);
});
