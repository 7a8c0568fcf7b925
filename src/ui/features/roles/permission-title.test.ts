import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { PERMISSION_PLACES } from "../../../shared/domain/role-rights.ts";
import { startI18n } from "../../i18n/index.ts";
import { permissionAction, permissionTitle } from "./permission-title.ts";
import { PERMISSION_GROUPS } from "./texts.ts";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("localStorage", { getItem: () => null });
  await startI18n();
});
afterAll(() => vi.unstubAllGlobals());

it("A permission is called by what it is for and what it allows; a name of an earlier program stays as it is", () => {
  expect(permissionTitle("supplier:employee:edit")).toBe("员工 · 编辑");
  expect(permissionAction("supplier:employee:edit")).toBe("编辑");
  for (const name of ["old:one:edit", "old", "toString:a:b"]) {
    expect(permissionTitle(name)).toBe(name);
  }
  expect(permissionAction("old")).toBe("old");
});

it("Permissions that stand below a page of another name say what they are for", () => {
  for (const group of Object.keys(PERMISSION_PLACES)) {
    expect(Object.hasOwn(PERMISSION_GROUPS, group), group).toBe(true);
  }
});
