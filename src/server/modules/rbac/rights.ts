/** Which permissions exist, and who may hand them on (docs/server.md#roles). */
import { sql } from "drizzle-orm";
import { OPTIONS_PERMISSION } from "../../../shared/domain/conference-types.ts";
import { AppError } from "../../../shared/errors.ts";
import { ALL_PERMISSIONS, type RestCall, restCalls } from "../../../shared/protocol/rest/index.ts";
import { holds } from "../../base/http/route.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Principal } from "../../base/module.ts";

type Holder = Pick<Principal, "permissions">;

/** Permissions that only some requests of a call need, so that no call declares them. */
const OF_SOME_REQUESTS = [OPTIONS_PERMISSION];

/** The permissions that calls and pages ask for, by name. */
export function knownPermissions(
  calls: readonly RestCall[] = Object.values(restCalls),
): readonly string[] {
  const ofCalls = calls.flatMap(({ access }) => access?.permissions ?? []);
  return [...new Set([...ofCalls, ...OF_SOME_REQUESTS])].toSorted();
}

/** Begins the names of those that count in the platform's company alone. */
const OF_PLATFORM = "platform:";

/** Whether the company of the scope runs the platform. */
export async function runsPlatform(scope: CompanyScope): Promise<boolean> {
  const [row] = await scope.sql<{ platform: boolean }>(
    sql`SELECT platform FROM companies WHERE id = ${scope.companyId}::bigint`,
  );
  return row?.platform === true;
}

/** The permissions that count in the company of the scope, by name. */
export async function permissionsIn(scope: CompanyScope): Promise<readonly string[]> {
  const all = knownPermissions();
  return (await runsPlatform(scope)) ? all : all.filter((name) => !name.startsWith(OF_PLATFORM));
}

/** Whether a person holds all of the permissions, and so may give and change a role that has them. */
export const holdsAll = (principal: Holder, permissions: readonly string[]): boolean =>
  permissions.every((one) =>
    one === ALL_PERMISSIONS ? principal.permissions.includes(one) : holds(principal, one),
  );

/**
 * Nobody hands on what they do not hold, and nobody changes a role that may do more than they may.
 *
 * @throws AppError auth.forbidden
 */
export function requireAll(principal: Holder, permissions: readonly string[]): void {
  if (!holdsAll(principal, permissions)) {
    throw new AppError("auth.forbidden", { message: "不能授予或更改自己没有的权限" });
  }
}
