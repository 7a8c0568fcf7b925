import { expect, test } from "vitest";
import { noticesToShow } from "./notices.ts";

const alert = (key: string, ...companies: string[]) => ({
  key,
  rule: "memory",
  ruleName: "",
  level: "warning" as const,
  subject: { kind: "process" as const, name: key },
  companyName: "",
  companies,
});

test("A tab shows the alerts of its company that began after it opened", () => {
  const all = [alert("a", "1"), alert("b", "1", "2"), alert("c", "2")];
  const keys = (supplierId: string | null, ...before: string[]) =>
    noticesToShow(all, supplierId, before).map(({ key }) => key);
  expect(keys("1")).toEqual(["a", "b"]);
  expect(keys("2", "b")).toEqual(["c"]);
  expect(keys("3")).toEqual([]);
  expect(keys(null)).toEqual([]);
});
