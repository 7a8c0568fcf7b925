/** What permissions are called: what they are for, and what they allow. A name that no table knows stays as it is. */
import { textOf } from "../../i18n/texts.ts";
import { PERMISSION_ACTIONS, PERMISSION_GROUPS } from "./texts.ts";

const titled = <T extends Parameters<typeof textOf>[0]>(pairs: T, name: string): string =>
  Object.hasOwn(pairs, name) ? textOf(pairs as never, name as never) : name;

export const PERMISSION_TITLES = {
  group: (name: string) => titled(PERMISSION_GROUPS, name),
  action: (name: string) => titled(PERMISSION_ACTIONS, name),
};

/** `supplier:employee:edit` is "员工 · 编辑". */
export function permissionTitle(name: string): string {
  const parts = name.split(":");
  const group = parts.slice(0, 2).join(":");
  return Object.hasOwn(PERMISSION_GROUPS, group)
    ? `${PERMISSION_TITLES.group(group)} · ${PERMISSION_TITLES.action(parts.slice(2).join(":"))}`
    : name;
}
