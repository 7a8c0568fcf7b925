import { expect, test } from "vitest";
import type { MenuEntry } from "../../../shared/protocol/rest/index.ts";
import { menuIdOf } from "./menu-id.ts";

const entry = (id: string, uri: string, childMenu: MenuEntry[] = []): MenuEntry => ({
  id,
  uri,
  childMenu,
  code: "",
  name: "",
  icon: "",
  hidden: false,
  elementProperties: {},
});
const menus = [
  entry("company", "/company", [entry("staff", "employees"), entry("abs", "/company/dict")]),
  entry("link", "https://example.org"),
];

test.each([
  ["/company/employees", "staff"],
  ["/company/employees?page=2#x", "staff"],
  ["company/dict", "abs"],
  ["/company", "company"],
  ["/employees", "staff"],
  ["/nowhere", null],
  ["", null],
  [null, null],
])("The path %s belongs to the menu %s", (path, id) => {
  expect(menuIdOf(menus, path)).toBe(id);
});
