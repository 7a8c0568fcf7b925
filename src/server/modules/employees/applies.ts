/** Decisions about the people who apply to the company, and who may be bound to its employees (docs/server.md#membership-applications). */
import { and, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import type { decideMembershipCall } from "../../../shared/protocol/rest/joining.ts";
import { audit } from "../../base/audit/index.ts";
import { anywhere, isoTime } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import { employees } from "../../base/database/schema/base.ts";
import { membershipApplies } from "../../base/database/schema/employees.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Principal } from "../../base/module.ts";
import type { Concerns } from "./in-company.ts";
import { newAnswers } from "./joiner-fields.ts";
import { giveRoles, rolesOfInvitation, rolesToGive } from "./joiner-roles.ts";
import { conflict, notFound } from "./rows.ts";

type Decision = z.output<(typeof decideMembershipCall)["body"]>;
type Apply = typeof membershipApplies.$inferSelect;

/** @throws AppError request.not-found; request.conflict when somebody has decided it */
export async function pendingApply(scope: CompanyScope, id: string): Promise<Apply> {
  const [apply] = isId(id)
    ? await scope.rows(membershipApplies, eq(membershipApplies.id, id)).for("update")
    : [];
  if (apply === undefined) throw notFound();
  if (apply.status !== "pending") throw conflict("该申请已处理");
  return apply;
}

/** Marks a pending application as approved. What the applicant filled in is the employee's where the company knew nothing. */
export async function markApproved(
  scope: CompanyScope,
  id: string,
  employeeId: string,
): Promise<void> {
  const [apply] = await scope
    .update(
      membershipApplies,
      {
        status: "approved",
        employeeId,
        decidedAt: sql`now()`,
        decidedBy: scope.actor?.accountId ?? null,
      },
      eq(membershipApplies.id, id),
    )
    .returning({ answers: membershipApplies.answers });
  if (Object.keys(apply?.answers ?? {}).length > 0) {
    const [was] = await scope.rows(employees, eq(employees.id, employeeId)).for("update");
    const filled = newAnswers(was ?? null, apply?.answers ?? {});
    await scope.update(employees, filled, eq(employees.id, employeeId));
  }
  await audit(scope, {
    action: "approve",
    entity: "membership-apply",
    entityId: id,
    after: { employeeId },
  });
}

/**
 * @param concerns called with the applicant of an approval, who is a member now
 * @returns the applicant's account
 * @throws AppError request.not-found, request.conflict; as rolesToGive
 */
export async function decideMembership(
  scope: CompanyScope,
  principal: Principal,
  id: string,
  decision: Decision,
  concerns: Concerns,
): Promise<string | null> {
  const apply = await pendingApply(scope, id);
  if (decision.status === "refused") {
    await scope.update(
      membershipApplies,
      {
        status: "refused",
        reason: decision.reason,
        decidedAt: sql`now()`,
        decidedBy: principal.accountId,
      },
      eq(membershipApplies.id, id),
    );
    await audit(scope, {
      action: "refuse",
      entity: "membership-apply",
      entityId: id,
      after: { reason: decision.reason },
    });
    return apply.accountId;
  }
  const employeeId = await employeeFor(scope, apply, decision.employeeId ?? null);
  const { accountId } = apply;
  if (accountId !== null) {
    const roleIds =
      decision.roleIds === undefined
        ? await rolesOfInvitation(scope, scope.companyId, apply.invitationId)
        : await rolesToGive(scope, principal, decision.roleIds);
    await giveRoles(scope, scope.companyId, accountId, roleIds);
    concerns(accountId);
  }
  await markApproved(scope, id, employeeId);
  return accountId;
}

/** The employee whom the applicant becomes: the chosen one, the only one without an account who has the number, or a new one. */
async function employeeFor(
  scope: CompanyScope,
  apply: Apply,
  chosen: string | null,
): Promise<string> {
  const { accountId, phone, name, position, departmentId, department } = apply;
  if (accountId !== null) await refuseMember(scope, accountId);
  const free = and(isNull(employees.dimissionAt), isNull(employees.accountId));
  if (chosen !== null) {
    const [was] = isId(chosen)
      ? await scope.rows(employees, eq(employees.id, chosen)).for("update")
      : [];
    if (was === undefined) throw notFound();
    if (was.dimissionAt !== null) throw conflict("该员工已离职，不能绑定账号");
    if (was.accountId !== null) throw conflict("该员工已绑定账号");
  }
  const found =
    chosen === null
      ? await scope.rows(employees, and(free, eq(employees.phone, phone))).for("update")
      : await scope.rows(employees, eq(employees.id, chosen));
  const [only] = found;
  if (only !== undefined && found.length === 1) {
    await scope.update(
      employees,
      { accountId, phone: only.phone ?? phone, updatedAt: sql`now()` },
      eq(employees.id, only.id),
    );
    return only.id;
  }
  const named =
    departmentId === null
      ? []
      : await scope.sql<{ name: string }>(
          sql`SELECT name FROM departments WHERE company_id = ${scope.companyId}::bigint AND id = ${departmentId}::bigint FOR SHARE`,
        );
  const [made] = await scope
    .insert(employees, {
      accountId,
      name,
      phone,
      position,
      departmentId,
      department: named[0]?.name ?? department,
    })
    .returning({ id: employees.id });
  return made?.id ?? "";
}

/** @throws AppError request.conflict for the account of a current employee, who is named */
export async function refuseMember(scope: CompanyScope, accountId: string): Promise<void> {
  const [member] = await scope.rows(
    employees,
    and(isNull(employees.dimissionAt), eq(employees.accountId, accountId)),
  );
  if (member !== undefined) throw conflict(`该账号已绑定员工“${member.name}”`);
}

/** An account with a pending application, which a binding approves. */
export async function approvePending(
  scope: CompanyScope,
  accountId: string,
  employeeId: string,
): Promise<void> {
  const open = await scope
    .rows(
      membershipApplies,
      and(eq(membershipApplies.accountId, accountId), eq(membershipApplies.status, "pending")),
    )
    .for("update");
  for (const { id } of open) await markApproved(scope, id, employeeId);
}

interface Candidate extends Record<string, unknown> {
  readonly id: string;
  readonly userName: string;
  readonly name: string;
  readonly phone: string | null;
  readonly why: "pending" | "former";
}

/** Accounts that may be bound: of people who applied, or belonged to the company, and are no member now; the newest first. */
export async function listCandidates(
  scope: CompanyScope,
  {
    cursor,
    limit,
    searchCount,
    keyword = "",
  }: {
    readonly cursor: number;
    readonly limit: number;
    readonly searchCount: boolean;
    readonly keyword?: string | undefined;
  },
) {
  const company = sql`${scope.companyId}::bigint`;
  const like = anywhere(keyword);
  // A person may be known in several ways: a pending application comes first.
  const known = sql`
    SELECT account_id, name, phone, 'pending' AS why, created_at AS at FROM membership_applies
      WHERE company_id = ${company} AND account_id IS NOT NULL AND status = 'pending'
    UNION ALL
    SELECT account_id, name, phone, 'former', coalesce(decided_at, created_at) FROM membership_applies
      WHERE company_id = ${company} AND account_id IS NOT NULL AND status = 'approved'
    UNION ALL
    SELECT account_id, name, phone, 'former', dimission_at FROM employees
      WHERE company_id = ${company} AND account_id IS NOT NULL AND dimission_at IS NOT NULL
    UNION ALL
    SELECT (r.before->>'accountId')::bigint, e.name, e.phone, 'former', r.created_at
      FROM audit_records r JOIN employees e ON e.company_id = ${company} AND e.id::text = r.entity_id
      WHERE r.company_id = ${company} AND r.entity = 'employee' AND r.action = 'unbind'
        AND r.before->>'accountId' IS NOT NULL`;
  const from = sql`FROM (
      SELECT DISTINCT ON (k.account_id) k.*, a.username FROM (${known}) k
        JOIN accounts a ON a.id = k.account_id AND a.disabled_at IS NULL
      WHERE NOT EXISTS (SELECT FROM employees e WHERE e.company_id = ${company}
        AND e.account_id = k.account_id AND e.dimission_at IS NULL)
      ORDER BY k.account_id, k.why = 'pending' DESC, k.at DESC
    ) c
    ${keyword === "" ? sql`` : sql`WHERE c.name ILIKE ${like} OR c.phone LIKE ${like} OR c.username ILIKE ${like}`}`;
  const records = await scope.sql<Candidate & { since: string }>(sql`
    SELECT c.account_id::text AS id, c.username AS "userName", c.name, c.phone, c.why, ${isoTime("c.at")} AS since
    ${from} ORDER BY c.at DESC, c.account_id DESC LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`);
  const [counted] = searchCount
    ? await scope.sql<{ n: number }>(sql`SELECT count(*)::int AS n ${from}`)
    : [];
  return { records, total: counted?.n ?? 0, cursor, limit };
}
