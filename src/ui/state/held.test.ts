import { expect, it } from "vitest";
import { holdsPermission, holdsRole } from "./held.ts";

it("A part without a role or a permission is a mistake, which the specification's texts name", () => {
  expect(() => holdsRole([], [], "1")).toThrow("请设置角色权限标签值");
  expect(() => holdsPermission([], ["*:*:*"])).toThrow("请设置操作权限标签值");
});

it("One of the named permissions is enough, and *:*:* holds them all", () => {
  expect(holdsPermission(["a:b:c", "d:e:f"], ["d:e:f"])).toBe(true);
  expect(holdsPermission(["a:b:c"], ["*:*:*"])).toBe(true);
  expect(holdsPermission(["a:b:c"], ["a:b:d"])).toBe(false);
});

it("A role counts in its own company alone, and admin holds every role", () => {
  const roles = [
    { supplierId: "1", roleCode: "admin" },
    { supplierId: "2", roleCode: "staff" },
    { supplierId: "2" },
  ];
  expect(holdsRole(["staff"], roles, "1")).toBe(true);
  expect(holdsRole(["staff"], roles, "2")).toBe(true);
  expect(holdsRole(["keeper"], roles, "2")).toBe(false);
  expect(holdsRole(["staff"], roles, "3")).toBe(false);
  expect(holdsRole(["staff"], roles, null)).toBe(false);
});
