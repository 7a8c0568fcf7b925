/** Who sees a part of a page by role or permission (docs/session.md#permissions). Pure. */

/** Holds every role. */
const ADMIN = "admin";
/** Includes every other permission. */
const ALL_PERMISSIONS = "*:*:*";

interface CompanyRole {
  readonly supplierId: string;
  readonly roleCode?: string | undefined;
}

/** @throws Error when no role is named, which is a mistake of the page */
export function holdsRole(
  wanted: readonly string[],
  roles: readonly CompanyRole[],
  supplierId: string | null,
): boolean {
  if (wanted.length === 0) throw new Error("请设置角色权限标签值");
  return roles.some(
    (role) =>
      role.supplierId === supplierId &&
      role.roleCode !== undefined &&
      [ADMIN, ...wanted].includes(role.roleCode),
  );
}

/** @throws Error when no permission is named, which is a mistake of the page */
export function holdsPermission(wanted: readonly string[], held: readonly string[]): boolean {
  if (wanted.length === 0) throw new Error("请设置操作权限标签值");
  return [ALL_PERMISSIONS, ...wanted].some((one) => held.includes(one));
}
