/** Who is logged in, of which company, with which roles and menus (console spec §4.1): three calls in a row, taken over as a whole. */
import { AppError } from "../../../shared/errors.ts";
import {
  accountCall,
  employeesCall,
  getRoutersCall,
  type AccountInfo,
  type Employee,
  type MenuEntry,
  type Role,
} from "../../../shared/protocol/rest/index.ts";
import type { SessionSlice } from "../../../shared/protocol/state.ts";
import type { HttpClient } from "../http/index.ts";

/** Spec §9: employee fetch. */
const MEMBERSHIPS = 100;

export interface Info {
  readonly slice: Omit<SessionSlice, "status" | "chatUserName" | "serverTimeOffset">;
  /** The account has no role in any company (spec §5). */
  readonly noRoles: boolean;
}

/** Errors that say nothing about the account: the session stays. */
const saysNothing = (error: AppError): boolean =>
  error.code.startsWith("network.") ||
  error.code === "server.unavailable" ||
  error.code === "auth.required" ||
  error.code === "request.rate-limited";

async function fetchAccount(http: HttpClient, systemName: string): Promise<AccountInfo> {
  try {
    return await http.call(accountCall, { query: { systemName } }, { supplierId: null });
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (saysNothing(error)) throw error;
    throw new AppError("auth.info-failed", { cause: error });
  }
}

async function fetchEmployees(http: HttpClient, accountId: string): Promise<Employee[]> {
  const query = {
    accountId,
    cursor: 1,
    limit: MEMBERSHIPS,
    searchCount: false,
    descParameter: "id",
  };
  return (await http.call(employeesCall, { query }, { supplierId: null })).records;
}

async function fetchMenus(
  http: HttpClient,
  roles: readonly Role[],
  supplierId: string,
  systemName: string,
): Promise<MenuEntry[]> {
  if (roles.length === 0) return [];
  const roleIds = roles.map((role) => role.roleId);
  return http.call(getRoutersCall, { body: { roleIds, systemName } }, { supplierId });
}

/**
 * @param chosen id of the employee chosen at the last company switch; null, or one that has left: the oldest membership
 * @throws AppError auth.info-failed when the account is refused (the session is to end), or another one (it stays)
 */
export async function fetchInfo(
  http: HttpClient,
  systemName: string,
  chosen: string | null,
): Promise<Info> {
  const account = await fetchAccount(http, systemName);
  const employees = await fetchEmployees(http, account.id);
  // newest first: the oldest membership is the default, so that joining a company moves nobody
  const employee = employees.find((row) => row.id === chosen) ?? employees.at(-1) ?? null;
  const supplierId = employee?.supplierId ?? null;
  const roles = account.roles.filter((role) => role.supplierId === supplierId);
  const menus = supplierId === null ? [] : await fetchMenus(http, roles, supplierId, systemName);
  return {
    noRoles: account.roles.length === 0,
    slice: {
      infoLoaded: true,
      accountId: account.id,
      username: account.username,
      // spec §3: the employee's name when there is one
      name: employee?.name ?? account.username,
      nickname: account.nickname,
      avatar: account.avatar,
      introduction: account.introduction,
      isGuest: roles.length === 0 ? "1" : "0",
      supplierId,
      supplierName: employee?.supplierName ?? "",
      systemName,
      roles,
      permissions: account.permissions,
      employee,
      employees,
      menus,
    },
  };
}
