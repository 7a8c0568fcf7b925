/**
 * An invited person joins the company (docs/server.md#invitations): proves the mobile number, gets an account unless the number has
 * one, and is bound to the employee. All of it is one transaction, outside of the company's scope because it makes an account.
 */
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import type { Join } from "../../../shared/protocol/rest/joining.ts";
import { SYSTEM_HEADER_VALUE } from "../../../shared/protocol/system-names.ts";
import { auditCompany } from "../../base/audit/index.ts";
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import { isDuplicate } from "../../base/database/common.ts";
import type { Transaction } from "../../base/database/companies.ts";
import { companies, employees } from "../../base/database/schema/base.ts";
import {
  departments,
  invitations,
  membershipApplies,
} from "../../base/database/schema/employees.ts";
import type { ServerDeps } from "../../base/module.ts";
import { concern } from "../accounts/access.ts";
import type { CheckCredentials, Credentials } from "../accounts/sessions.ts";
import { accountOf, provenAccount, wrong } from "./joiner-account.ts";
import { type JoinerAnswers, newAnswers, readAnswers } from "./joiner-fields.ts";
import { giveRoles, rolesOfInvitation } from "./joiner-roles.ts";
import type { SmsCodes } from "../sms/index.ts";
import {
  type InviteToken,
  masked,
  refuseClosed,
  refuseEmployee,
  refuseLocked,
  refuseNumber,
} from "./invites.ts";

export type JoinDeps = Pick<ServerDeps, "db" | "clock" | "bus" | "tenants"> & {
  readonly codes: SmsCodes;
  readonly hash: (password: string) => Promise<string>;
  readonly checkCredentials: CheckCredentials;
};

/**
 * @param from the client, for limits and the list of logins
 * @returns the user name with which the person logs in, and whether the company decides first
 * @throws AppError request.invalid for a wrong code or a missing user name, request.conflict for a user name that is taken and for
 *   a member, invite.closed; for an account that exists as `CheckCredentials`
 */
export async function join(
  deps: JoinDeps,
  { companyId, id }: InviteToken,
  given: Join,
  from: Credentials["from"],
): Promise<{ username: string; applied: boolean }> {
  const { db, clock, codes } = deps;
  const code = await codes.check({ ...given, address: from.key });
  const answers = await answersOf(deps, companyId, id, given);
  // Only who proved a mobile number tries passwords.
  const known =
    given.as === "login"
      ? await deps.checkCredentials({
          username: given.username,
          password: given.password,
          code: given.code,
          from,
          systemName: SYSTEM_HEADER_VALUE,
        })
      : null;
  const passwordHash =
    given.as === "login" || given.password === undefined ? null : await deps.hash(given.password);
  const now = new Date(clock.now());
  const joined = await db
    .transaction(async (tx) => {
      await codes.use(tx, code);
      const [invitation] = await tx
        .select()
        .from(invitations)
        .where(and(eq(invitations.id, id), eq(invitations.companyId, companyId)))
        .for("update");
      if (invitation === undefined) throw new AppError("request.not-found");
      const [company] = await tx
        .select({ lockedAt: companies.lockedAt })
        .from(companies)
        .where(eq(companies.id, companyId));
      refuseLocked(company ?? { lockedAt: null });
      refuseClosed(invitation, now);
      if (!invitation.forEmployee) refuseNumber(invitation, given.mobile);
      const account =
        known === null
          ? await accountOf(tx, given, passwordHash)
          : await provenAccount(tx, known, given.mobile);
      await refuseMember(tx, companyId, account.id, given.as);
      await tx
        .update(invitations)
        .set({ uses: invitation.uses + 1, usedAt: now })
        .where(eq(invitations.id, id));
      const place = await departmentOf(tx, invitation);
      const apply = {
        companyId,
        invitationId: id,
        accountId: account.id,
        name: given.name,
        phone: given.mobile,
        ...place,
        position: invitation.position ?? positionOf(answers),
        createdAt: now,
      };
      const audited = (entity: string, entityId: string, roleIds: readonly string[]) =>
        auditCompany(
          tx,
          companyId,
          { accountId: account.id },
          {
            action: invitation.approval ? "apply" : "join",
            entity,
            entityId,
            after: { accountId: account.id, username: account.username, roleIds },
          },
        );
      if (invitation.approval) {
        await refuseSecondApply(tx, companyId, account.id);
        const [made] = await tx
          .insert(membershipApplies)
          .values({ ...apply, answers, status: "pending" })
          .returning({ id: membershipApplies.id });
        await audited("membership-apply", made?.id ?? "", []);
        return { ...account, applied: true };
      }
      const employeeId = await employeeOf(tx, account.id, invitation, given, place, answers);
      const reader = {
        sql: async <R extends Record<string, unknown>>(text: SQL) =>
          (await tx.execute(text)).rows as R[],
      };
      const invited = await rolesOfInvitation(reader, companyId, id);
      const roleIds = await giveRoles(reader, companyId, account.id, invited);
      await tx
        .insert(membershipApplies)
        .values({ ...apply, status: "approved", employeeId, decidedAt: now });
      await audited("employee", employeeId, roleIds);
      return { ...account, applied: false };
    })
    .catch((error: unknown) => {
      // Somebody took the user name or the mobile number between the check and the write.
      if (isDuplicate(error)) throw wrong("request.conflict", "username", "用户名或手机号已被使用");
      throw error;
    });
  const changes: DataChanges = {
    supplierId: companyId,
    tags: ["applies", "departments", "employees", "invitations", "roles"],
    only: null,
    except: null,
  };
  await deps.bus.publish(DATA_CHANGES, changes);
  await concern(deps.bus, companyId, joined.id);
  return { username: joined.username, applied: joined.applied };
}

/** @throws AppError request.conflict for an account that is bound to a current employee */
async function refuseMember(
  tx: Transaction,
  companyId: string,
  accountId: string,
  as: Join["as"],
): Promise<void> {
  const [member] = await tx
    .select({ id: employees.id })
    .from(employees)
    .where(
      and(
        eq(employees.companyId, companyId),
        isNull(employees.dimissionAt),
        eq(employees.accountId, accountId),
      ),
    );
  if (member === undefined) return;
  if (as === "login") throw wrong("request.conflict", "username", "该账号已是本企业员工");
  throw wrong("request.conflict", "mobile", "该手机号的账号已是本企业员工");
}

/** @throws AppError request.conflict while the company has not decided about the person's application */
async function refuseSecondApply(
  tx: Transaction,
  companyId: string,
  accountId: string,
): Promise<void> {
  const [open] = await tx
    .select({ id: membershipApplies.id })
    .from(membershipApplies)
    .where(
      and(
        eq(membershipApplies.companyId, companyId),
        eq(membershipApplies.accountId, accountId),
        eq(membershipApplies.status, "pending"),
      ),
    );
  if (open !== undefined)
    throw wrong("request.conflict", "mobile", "您已申请加入该企业，请等待企业处理");
}

/** The employee whom the invitation is for. Only the person whose number the company wrote down becomes this employee. */
async function invitedEmployee(
  tx: Transaction,
  { companyId, employeeId }: typeof invitations.$inferSelect,
  mobile: string,
): Promise<typeof employees.$inferSelect> {
  const [found] =
    employeeId === null
      ? []
      : await tx
          .select()
          .from(employees)
          .where(and(eq(employees.id, employeeId), eq(employees.companyId, companyId)))
          .for("update");
  const employee = refuseEmployee(found);
  const phone = employee.phone ?? mobile;
  if (phone !== mobile) {
    throw wrong("request.conflict", "mobile", `请使用企业登记的手机号 ${masked(phone)}`);
  }
  return employee;
}

/**
 * What the person filled in of the fields that the company requires, checked after the code by SMS, so that nobody else tries numbers.
 *
 * @throws AppError as readAnswers
 */
const answersOf = ({ tenants }: JoinDeps, companyId: string, id: string, { more }: Join) =>
  tenants.run(companyId, null, async (scope) => {
    const [invitation] = await scope.rows(invitations, eq(invitations.id, id));
    const employeeId = invitation?.employeeId ?? null;
    const [employee] =
      employeeId === null ? [] : await scope.rows(employees, eq(employees.id, employeeId));
    const known = { position: invitation?.position ?? null, employee: employee ?? null };
    return readAnswers(scope, known, more);
  });

const positionOf = ({ position }: JoinerAnswers): string | null =>
  typeof position === "string" ? position : null;

type Place = Awaited<ReturnType<typeof departmentOf>>;

/** The department of the invitation as it is called now; a text may have become the name of one. */
async function departmentOf(
  tx: Transaction,
  { companyId, departmentId, department }: typeof invitations.$inferSelect,
) {
  const found = await tx
    .select({ departmentId: departments.id, department: departments.name })
    .from(departments)
    .where(
      and(
        eq(departments.companyId, companyId),
        departmentId === null
          ? eq(departments.name, department ?? "")
          : eq(departments.id, departmentId),
      ),
    )
    // A new name waits, so that it reaches the person who joins now.
    .for("share");
  const [only] = found;
  return only !== undefined && found.length === 1 ? only : { departmentId: null, department };
}

/**
 * The employee to whom the account is bound: the one whom the invitation is for, the only one with the mobile number who has no
 * account, or a new one.
 */
async function employeeOf(
  tx: Transaction,
  accountId: string,
  invitation: typeof invitations.$inferSelect,
  { mobile, name }: Join,
  place: Place,
  answers: JoinerAnswers,
): Promise<string> {
  const { companyId } = invitation;
  const current = and(eq(employees.companyId, companyId), isNull(employees.dimissionAt));
  const meant = invitation.forEmployee ? await invitedEmployee(tx, invitation, mobile) : undefined;
  const found =
    meant === undefined
      ? await tx
          .select()
          .from(employees)
          .where(and(current, isNull(employees.accountId), eq(employees.phone, mobile)))
          .for("update")
      : [meant];
  const [only] = found;
  if (only !== undefined && found.length === 1) {
    await tx
      .update(employees)
      .set({ ...newAnswers(only, answers), accountId, phone: mobile, updatedAt: sql`now()` })
      .where(eq(employees.id, only.id));
    return only.id;
  }
  const [made] = await tx
    .insert(employees)
    .values({
      companyId,
      accountId,
      name,
      phone: mobile,
      ...newAnswers(null, answers),
      ...(invitation.position === null ? {} : { position: invitation.position }),
      ...place,
    })
    .returning({ id: employees.id });
  if (made === undefined) throw new Error("an insert returned no row");
  return made.id;
}
