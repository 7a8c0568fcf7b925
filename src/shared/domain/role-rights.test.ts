import { expect, it } from "vitest";
import { permissionPlaces } from "./role-rights.ts";

interface Entry {
  readonly code: string;
  readonly uri: string;
  readonly childMenu: readonly Entry[];
}
const entry = (code: string, uri: string, childMenu: readonly Entry[] = []): Entry => ({
  code,
  uri,
  childMenu,
});
const place = permissionPlaces([
  entry("box", "/system", [entry("settings", "/system/config"), entry("months", "report/months")]),
  entry("supplier-employees", "/elsewhere"),
]);

it("A permission is chosen below the page that its group is called after, or that the table names", () => {
  expect(place("system:config:edit")).toBe("settings");
  expect(place("report:month:list")).toBe("months");
  expect(place("system:twofactor:reset")).toBe("supplier-employees");
});

it("A permission without a page, of a page that is not there, or of an earlier program has no place", () => {
  for (const name of [
    "system:demo:remove",
    "system:field:edit",
    "system:role:edit",
    "old:one:edit",
    "system",
    "toString",
    "",
    "*:*:*",
  ]) {
    expect(place(name), name).toBeNull();
  }
});
