/** Which permissions exist, and who may hand them on (docs/server.md#roles). */
import { AppError } from "../../../shared/errors.ts";
import { ALL_PERMISSIONS, type RestCall, restCalls } from "../../../shared/protocol/rest/index.ts";
import { holds } from "../../base/http/route.ts";
import type { Principal } from "../../base/module.ts";

type Holder = Pick<Principal, "permissions">;

/** The permissions that calls ask for, by name. */
export function knownPermissions(
  calls: readonly RestCall[] = Object.values(restCalls),
): readonly string[] {
  return [...new Set(calls.flatMap(({ access }) => access?.permissions ?? []))].toSorted();
}

/**
 * Nobody hands on what they do not hold, and nobody changes a role that may do more than they may.
 *
 * @throws AppError auth.forbidden
 */
export function requireAll(principal: Holder, permissions: readonly string[]): void {
  const held = (one: string): boolean =>
    one === ALL_PERMISSIONS ? principal.permissions.includes(one) : holds(principal, one);
  if (!permissions.every(held)) {
    throw new AppError("auth.forbidden", { message: "不能授予或更改自己没有的权限" });
  }
}
