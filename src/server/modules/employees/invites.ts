/** Invitations: a signed link for one person, which expires. Who joins by it is in joining.ts. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { audit } from "../../base/audit/index.ts";
import { companies, employees } from "../../base/database/schema/base.ts";
import { departments, invitationRoles, invitations } from "../../base/database/schema/employees.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { createChecker } from "./check.ts";
import { type AskedField, askedFields } from "./joiner-fields.ts";
import type { Principal } from "../../base/module.ts";
import { rolesToGive } from "./joiner-roles.ts";
import { invalid } from "./rows.ts";

export interface Invitation {
  readonly id: string;
  readonly company: string;
  readonly department: string | null;
  readonly position: string | null;
  readonly expiresAt: Date;
  /** Whether who joins applies first. */
  readonly approval: boolean;
  /** The only number that can use it; null: any. */
  readonly mobile: string | null;
  /** The fields that the company requires and that the person who joins must fill. */
  readonly asks: readonly AskedField[];
}

/** The content of a link whose signature is valid. */
export interface InviteToken {
  readonly companyId: string;
  readonly id: string;
}

const sign = (secret: string, text: string): string =>
  createHmac("sha256", secret).update(`invite:${text}`).digest("base64url");

/** Creates the token of a link. */
export function tokenOf(secret: string, companyId: string, id: string): string {
  const text = `${companyId}.${id}`;
  return `${text}.${sign(secret, text)}`;
}

export function readToken(secret: string, token: string): InviteToken | null {
  const match = /^([1-9]\d{0,18})\.([\w-]{22})\.([\w-]{43})$/.exec(token);
  if (match === null) return null;
  const [, companyId = "", id = "", signature = ""] = match;
  const right = Buffer.from(sign(secret, `${companyId}.${id}`));
  const given = Buffer.from(signature);
  return given.length === right.length && timingSafeEqual(given, right) ? { companyId, id } : null;
}

/** The department of somebody who has none: of a new person before the invitation, and of an invitation that names none. */
const NO_DEPARTMENT = { departmentId: null, department: null };

/**
 * @param given.mobile of an invitation that goes by SMS
 * @returns its id, and the token of the link
 * @throws AppError request.invalid for a department that the company lacks, although it has some, and without one that it requires; as
 *   rolesToGive
 */
export async function createInvitation(
  scope: CompanyScope,
  principal: Principal,
  secret: string,
  given: {
    readonly departmentId?: string | null | undefined;
    readonly department?: string | null | undefined;
    readonly position?: string | null | undefined;
    readonly roleIds: readonly string[];
    readonly uses: number;
    readonly approval: boolean;
    readonly mobile?: Pick<
      typeof invitations.$inferInsert,
      "mobile" | "smsSent" | "smsReason" | "smsAt" | "smsCount"
    >;
  },
  times: { readonly createdAt: Date; readonly expiresAt: Date },
): Promise<{ id: string; token: string }> {
  const id = randomBytes(16).toString("base64url");
  const named = { departmentId: given.departmentId, department: given.department };
  const checker = await createChecker(scope, [named]);
  const wrong: Record<string, string> = {};
  checker.check(named, NO_DEPARTMENT, (field, message) => {
    wrong[field] = message;
  });
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  if (
    checker.inUse.requires("department") &&
    (given.departmentId ?? given.department ?? "") === ""
  ) {
    throw invalid({ department: "请填写部门" });
  }
  const { position = null } = given;
  const roleIds = await rolesToGive(scope, principal, given.roleIds);
  const chosen = checker.departmentOf(named, null) ?? NO_DEPARTMENT;
  const { departmentId } = chosen;
  await scope.insert(invitations, {
    id,
    departmentId,
    // The name of a department is read when somebody joins.
    department: departmentId === null ? chosen.department : null,
    position,
    usesMax: given.uses,
    approval: given.approval,
    createdBy: scope.actor?.accountId ?? null,
    ...given.mobile,
    ...times,
  });
  if (roleIds.length > 0) {
    await scope.insert(
      invitationRoles,
      roleIds.map((roleId) => ({ invitationId: id, roleId })),
    );
  }
  const sentTo = given.mobile?.mobile ?? null;
  // The id is part of the link, so the audit record contains only its beginning.
  await audit(scope, {
    action: "create",
    entity: "invitation",
    entityId: id.slice(0, 6),
    after: {
      ...chosen,
      position,
      roleIds,
      uses: given.uses,
      approval: given.approval,
      expiresAt: times.expiresAt.toISOString(),
      ...(sentTo === null ? {} : { mobile: masked(sentTo) }),
    },
  });
  return { id, token: tokenOf(secret, scope.companyId, id) };
}

/** @throws AppError request.not-found, or invite.closed, whose `details.why` says why it does not open */
export async function openInvitation(
  scope: CompanyScope,
  id: string,
  now: Date,
): Promise<Invitation> {
  const [found] = await scope
    .select(
      {
        id: invitations.id,
        company: companies.name,
        lockedAt: companies.lockedAt,
        department: sql<string | null>`coalesce(${departments.name}, ${invitations.department})`,
        position: invitations.position,
        expiresAt: invitations.expiresAt,
        uses: invitations.uses,
        usesMax: invitations.usesMax,
        revokedAt: invitations.revokedAt,
        approval: invitations.approval,
        forEmployee: invitations.forEmployee,
        employeeId: invitations.employeeId,
        mobile: invitations.mobile,
      },
      invitations,
      eq(invitations.id, id),
    )
    .innerJoin(companies, eq(companies.id, invitations.companyId))
    .leftJoin(
      departments,
      and(eq(departments.id, invitations.departmentId), scope.companyCondition(departments)),
    )
    .for("update", { of: invitations });
  if (found === undefined) throw new AppError("request.not-found");
  refuseLocked(found);
  refuseClosed(found, now);
  const asksOf = (employee: typeof employees.$inferSelect | null) =>
    askedFields(scope, { position: found.position, employee });
  if (found.forEmployee) {
    const { employeeId } = found;
    const [employee] =
      employeeId === null ? [] : await scope.rows(employees, eq(employees.id, employeeId));
    const { department, position } = refuseEmployee(employee);
    // The number that the company wrote down decides, which may have changed since the SMS.
    return { ...found, department, position, mobile: null, asks: await asksOf(employee ?? null) };
  }
  return { ...found, asks: await asksOf(null) };
}

/**
 * Why an invitation does not open: as many joined by it as may, its time is over, the company revoked it, or its employee has an
 * account, has left, or is deleted, or the platform has locked the company.
 */
export const WHY_CLOSED = [
  "used",
  "expired",
  "revoked",
  "bound",
  "left",
  "gone",
  "locked",
] as const;
type WhyClosed = (typeof WHY_CLOSED)[number];

const closed = (message: string, why: WhyClosed): AppError =>
  new AppError("invite.closed", { message, details: { why } });

/** @throws AppError invite.closed while the platform keeps the company locked; the link opens again afterwards */
export function refuseLocked({ lockedAt }: { readonly lockedAt: Date | null }): void {
  if (lockedAt !== null) throw closed("该企业已被平台锁定，暂时不能加入，请联系企业", "locked");
}

/** @throws AppError invite.closed when nobody can join by the invitation any more */
export function refuseClosed(
  invitation: Pick<typeof invitations.$inferSelect, "uses" | "usesMax" | "revokedAt" | "expiresAt">,
  now: Date,
): void {
  const { uses, usesMax, revokedAt, expiresAt } = invitation;
  if (revokedAt !== null) throw closed("企业已撤回该邀请，请联系企业重新邀请", "revoked");
  if (uses >= usesMax) {
    const used = usesMax === 1 ? "该邀请已被使用" : "该邀请的名额已用完";
    throw closed(`${used}，请联系企业重新邀请`, "used");
  }
  if (expiresAt.getTime() <= now.getTime())
    throw closed("该邀请已过期，请联系企业重新邀请", "expired");
}

/**
 * @param employee the one for whom the invitation is; undefined when the row is deleted
 * @throws AppError invite.closed when nobody can become this employee any more
 */
export function refuseEmployee(
  employee: typeof employees.$inferSelect | undefined,
): typeof employees.$inferSelect {
  if (employee === undefined) throw closed("该员工的资料已被删除，请联系企业重新邀请", "gone");
  if (employee.dimissionAt !== null) throw closed("该员工已离职，请联系企业重新邀请", "left");
  if (employee.accountId !== null) throw closed("该员工已绑定账号，请联系企业核对", "bound");
  return employee;
}

/** The middle is hidden: the link alone must not show whose number it wants. */
export const masked = (mobile: string): string => `${mobile.slice(0, 3)}****${mobile.slice(-4)}`;

/** @throws AppError request.conflict for another number than the one that the invitation went to */
export function refuseNumber({ mobile }: Pick<Invitation, "mobile">, given: string): void {
  if (mobile === null || mobile === given) return;
  const message = `请使用收到邀请短信的手机号 ${masked(mobile)}`;
  throw new AppError("request.conflict", { message, details: { fields: { mobile: message } } });
}

/** @returns whether nobody had opened the page of the invitation before */
export async function noteOpened(scope: CompanyScope, id: string, now: Date): Promise<boolean> {
  const first = await scope
    .update(
      invitations,
      { openedAt: now },
      and(eq(invitations.id, id), isNull(invitations.openedAt), isNotNull(invitations.mobile)),
    )
    .returning({ id: invitations.id });
  return first.length > 0;
}

/** Deletes invitations by which nobody joined and that expired before the given time. */
export const forgetInvitations = (scope: CompanyScope, before: Date) =>
  scope.remove(
    invitations,
    sql`${invitations.uses} = 0 AND ${invitations.expiresAt} < ${before.toISOString()}::timestamptz`,
  );
