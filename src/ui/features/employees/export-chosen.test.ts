import { expect, it } from "vitest";
import { fieldsInUse } from "../../../shared/domain/fields-in-use.ts";
import { exportOf } from "./export-chosen.ts";

const inUse = fieldsInUse([]);
const own = [{ key: "badge", label: "证章" }];

it("A few ids stand in the address, many in the body, each of them once", () => {
  const few = exportOf(["1", "22"], "员工列表-1", { own, inUse, language: "zh" });
  expect(few).toEqual({
    call: "employees.export",
    params: { a: "employed", b: "员工列表-1" },
    query: { dataIds: "1,22" },
    body: {},
  });
  const ids = Array.from({ length: 1000 }, (_, n) => String(100_000 + n));
  const many = exportOf(ids, "x", { own, inUse, language: "zh" });
  expect([many.query, many.body]).toEqual([{}, { dataIds: ids }]);
});

it("In English the columns are named in English, the company's own by their labels", () => {
  const { body } = exportOf(["1"], "x", { own, inUse, language: "en" });
  expect(body?.columns?.[0]).toEqual({ field: "employeeNo", title: "Employee no." });
  expect(body?.columns?.at(-1)).toEqual({ field: "custom.badge", title: "证章" });
  expect(body?.columns?.map(({ field }) => field)).not.toContain("departmentId");
});
