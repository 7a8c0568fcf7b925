/** What the core does when somebody else ended the login, or the person has lost the company (docs/session.md#end-of-access). */
import type { ErrorCode } from "../../../shared/errors.ts";
import type { Left, SessionSlice } from "../../../shared/protocol/slices/session.ts";
import type { Employee } from "../../../shared/protocol/rest/index.ts";

const LEFT: Partial<Readonly<Record<ErrorCode, Left>>> = {
  "auth.signed-out": "signed-out",
  "auth.dismissed": "dismissed",
  "auth.account-disabled": "disabled",
  "auth.company-locked": "company-locked",
};

/** @returns null for a login that ran out: the person is asked then, and may stay */
export const endedBy = (code: ErrorCode): Left | null => LEFT[code] ?? null;

/** Whether the company of the session is none of the person's companies any more. @param employees of the same person */
export const hasLostCompany = (
  { infoLoaded, supplierId }: Readonly<SessionSlice>,
  employees: readonly Employee[],
): boolean =>
  infoLoaded && supplierId !== null && employees.every((one) => one.supplierId !== supplierId);

/** The session between two companies: nothing of the lost one is left, and the others are offered. */
export const outsideOf = (
  before: Readonly<SessionSlice>,
  employees: readonly Employee[],
): SessionSlice => ({
  ...before,
  employees: [...employees],
  outside: before.outside ?? { company: before.supplierName },
  supplierId: null,
  supplierName: "",
  employee: null,
  accountInfo: null,
  chatUserName: null,
  isGuest: "1",
  roles: [],
  permissions: [],
  menus: [],
});
