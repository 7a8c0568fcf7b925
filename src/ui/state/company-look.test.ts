import { expect, test } from "vitest";
import { companyLook } from "./company-look.ts";

test.each([
  ["#722ed1", "theme-dark", { color: "#722ed1", side: "dark" }],
  [" #722ED1 ", "theme-light", { color: "#722ed1", side: "light" }],
  ["#1890FF", "theme-dark", { color: "#1890ff", side: "dark" }],
  ["purple", "dark", { color: null, side: null }],
  ["", "", { color: null, side: null }],
])("The settings %j and %j are a look", (color, side, look) => {
  expect(companyLook(color, side)).toEqual(look);
});
