/** Fetches who is logged in, in which company, with which roles and menus (docs/session.md#user-info), as one unit. */
import { AppError } from "../../../shared/errors.ts";
import type { SystemName } from "../../../shared/protocol/config.ts";
import {
  accountCall,
  appliesCall,
  employeesCall,
  getRoutersCall,
  type AccountInfo,
  type Employee,
  type MenuEntry,
  type Role,
} from "../../../shared/protocol/rest/index.ts";
import type { SessionSlice } from "../../../shared/protocol/state.ts";
import type { HttpClient } from "../http/index.ts";

/** Most companies of an account that are read. */
const MEMBERSHIPS = 100;

export interface Info {
  readonly slice: Omit<
    SessionSlice,
    | "status"
    | "chatUserName"
    | "serverTimeOffset"
    | "systemNameLogin"
    | "expiresAt"
    | "locked"
    | "left"
    | "outside"
    | "expired"
  >;
  /** The account has no role in any company. */
  readonly noRoles: boolean;
}

/** Whether an error says nothing about the account, so that the session stays. */
const saysNothing = (error: AppError): boolean =>
  error.code.startsWith("network.") ||
  error.code === "server.unavailable" ||
  error.code === "auth.required" ||
  error.code === "request.rate-limited";

/** @param supplierId the company whose permissions are requested; null: only the account and its companies */
const fetchAccount = (
  http: Pick<HttpClient, "call">,
  systemName: string,
  supplierId: string | null,
): Promise<AccountInfo> => http.call(accountCall, { query: { systemName } }, { supplierId });

async function fetchIdentity(http: HttpClient, systemName: string): Promise<AccountInfo> {
  try {
    return await fetchAccount(http, systemName, null);
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (saysNothing(error)) throw error;
    throw new AppError("auth.info-failed", { cause: error });
  }
}

/** The number of applications (`applyNum`). The call's path is our choice, so on a platform without the call the number is 0. */
async function fetchApplyNum(
  http: HttpClient,
  applyAccountId: string,
  systemName: string,
): Promise<number> {
  const query = {
    applyAccountId,
    cursor: 1,
    limit: 1,
    searchCount: true,
    descParameter: "id",
    systemName,
  };
  try {
    return (await http.call(appliesCall, { query }, { supplierId: null })).total;
  } catch {
    return 0;
  }
}

/** The memberships, the newest first. */
export async function fetchEmployees(
  http: Pick<HttpClient, "call">,
  accountId: string,
): Promise<Employee[]> {
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
  http: Pick<HttpClient, "call">,
  roles: readonly Role[],
  supplierId: string,
  systemName: string,
): Promise<MenuEntry[]> {
  if (roles.length === 0) return [];
  const roleIds = roles.map((role) => role.roleId);
  return http.call(getRoutersCall, { body: { roleIds, systemName } }, { supplierId });
}

type RightsSlice = Pick<
  SessionSlice,
  "roles" | "permissions" | "menus" | "isGuest" | "accountInfo"
>;

const rightsOf = (
  account: AccountInfo,
  roles: readonly Role[],
  menus: MenuEntry[],
): RightsSlice => ({
  isGuest: roles.length === 0 ? "1" : "0",
  roles: [...roles],
  permissions: roles.length === 0 ? [] : account.permissions,
  accountInfo: account,
  menus,
});

/** What the person may do in a company now. Rejects when the person is no member any more. */
export async function fetchRights(
  http: Pick<HttpClient, "call">,
  systemName: SystemName,
  supplierId: string,
): Promise<RightsSlice> {
  const account = await fetchAccount(http, systemName, supplierId);
  const roles = account.roles.filter((role) => role.supplierId === supplierId);
  return rightsOf(account, roles, await fetchMenus(http, roles, supplierId, systemName));
}

/**
 * @param chosen id of the employee chosen at the last company switch; null, or an id that no longer exists: the oldest membership
 * @throws AppError auth.info-failed when the account is refused and the session must end; other errors keep the session
 */
export async function fetchInfo(
  http: HttpClient,
  systemName: SystemName,
  chosen: string | null,
): Promise<Info> {
  const identity = await fetchIdentity(http, systemName);
  const [employees, applyNum] = await Promise.all([
    fetchEmployees(http, identity.id),
    fetchApplyNum(http, identity.id, systemName),
  ]);
  // sorted newest first; the default is the oldest membership, so that joining another company does not switch the person
  const employee = employees.find((row) => row.id === chosen) ?? employees.at(-1) ?? null;
  const supplierId = employee?.supplierId ?? null;
  const roles = identity.roles.filter((role) => role.supplierId === supplierId);
  // without a company the platform may return the permissions of all companies together, so ignore them
  const [menus, account] =
    supplierId === null
      ? [[], { ...identity, permissions: [] }]
      : await Promise.all([
          fetchMenus(http, roles, supplierId, systemName),
          fetchAccount(http, systemName, supplierId),
        ]);
  return {
    noRoles: identity.roles.length === 0,
    slice: {
      infoLoaded: true,
      accountId: account.id,
      username: account.username,
      // the employee's name when there is one
      name: employee?.name ?? account.username,
      nickname: account.nickname,
      avatar: account.avatar,
      introduction: account.introduction,
      supplierId,
      supplierName: employee?.supplierName ?? "",
      applyNum,
      systemName,
      employee,
      employees,
      ...rightsOf(account, roles, menus),
    },
  };
}
