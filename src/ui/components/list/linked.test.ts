import { expect, it } from "vitest";
import { linkedBy } from "./linked.ts";

it("A link sets filters by their keys, and leaves the rest of the address", () => {
  expect(linkedBy("?departmentId=12&page=3&row=4", ["departmentId", "state"])).toEqual({
    values: { departmentId: "12" },
    search: "?row=4",
  });
  expect(linkedBy("?departmentId=", ["departmentId"])).toEqual({
    values: { departmentId: "" },
    search: "",
  });
});

it("Another address sets nothing", () => {
  expect(linkedBy("?page=3", ["departmentId"])).toBeNull();
  expect(linkedBy("", [])).toBeNull();
});
