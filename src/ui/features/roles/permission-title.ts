/** What permissions are called: what they are for, and what they allow. A name that no table knows stays as it is. */
import { permissionGroup } from "../../../shared/domain/role-rights.ts";
import { textOf } from "../../i18n/texts.ts";
import { PERMISSION_ACTIONS, PERMISSION_GROUPS } from "./texts.ts";

const titled = <T extends Parameters<typeof textOf>[0]>(pairs: T, name: string): string =>
  Object.hasOwn(pairs, name) ? textOf(pairs as never, name as never) : name;

/** `supplier:employee:edit` is "编辑". */
export const permissionAction = (name: string): string =>
  titled(PERMISSION_ACTIONS, name.split(":").slice(2).join(":") || name);

/** `supplier:employee:edit` is "员工 · 编辑". */
export function permissionTitle(name: string): string {
  const group = permissionGroup(name);
  return Object.hasOwn(PERMISSION_GROUPS, group)
    ? `${titled(PERMISSION_GROUPS, group)} · ${permissionAction(name)}`
    : name;
}
