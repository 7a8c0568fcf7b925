/** Invitations by mobile number: each goes by SMS, with a link of its own that only this number can use (docs/server.md#invitations). */
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import type { MobileInvited } from "../../../shared/protocol/rest/invitations.ts";
import { audit } from "../../base/audit/index.ts";
import { companies, employees } from "../../base/database/schema/base.ts";
import { invitations } from "../../base/database/schema/employees.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { Principal, ServerDeps } from "../../base/module.ts";
import type { SmsSink } from "../sms/index.ts";
import { INVITE_SMS } from "../sms/limits.ts";
import { createInvitation, refuseClosed, refuseEmployee } from "./invites.ts";
import type { InCompany } from "./in-company.ts";
import { conflict, notFound } from "./rows.ts";

const DAY = 24 * 3_600_000;
type InviteSink = Pick<Required<SmsSink>, "invite">;

export interface MobileInviteDeps extends Pick<ServerDeps, "db" | "clock" | "log"> {
  /** null: nobody sends SMS with invitations. */
  readonly inviteSink: InviteSink | null;
}

interface Post {
  readonly departmentId?: string | null | undefined;
  readonly department?: string | null | undefined;
  readonly position?: string | null | undefined;
  readonly roleIds: readonly string[];
  readonly approval: boolean;
}
/** An invitation whose SMS is about to be sent. */
interface Waiting {
  readonly id: string;
  readonly mobile: string;
  readonly company: string;
  readonly link: string;
}

const sinkOf = ({ inviteSink }: MobileInviteDeps): InviteSink => {
  if (inviteSink !== null) return inviteSink;
  throw new AppError("server.unavailable", { message: "短信邀请未配置，请联系管理员" });
};

/** @throws AppError request.rate-limited when the company may not send as many more today */
async function admitCompany(scope: CompanyScope, count: number, now: number): Promise<void> {
  // One request of a company at a time, so that two cannot both pass the limit.
  await scope.sql(
    sql`SELECT pg_advisory_xact_lock(hashtextextended('invite-sms', ${scope.companyId}::bigint))`,
  );
  const [row] = await scope.sql<{ n: number }>(sql`
    SELECT coalesce(sum(sms_count), 0)::int AS n FROM invitations
    WHERE company_id = ${scope.companyId}::bigint AND sms_at > ${new Date(now - DAY).toISOString()}::timestamptz`);
  if ((row?.n ?? 0) + count <= INVITE_SMS.perCompany) return;
  throw new AppError("request.rate-limited", {
    message: `企业每天最多发送 ${INVITE_SMS.perCompany} 条邀请短信，请明天再试`,
  });
}

/** The numbers that have got as many SMS today as they may, from whatever company. */
async function tired(
  { db, clock }: MobileInviteDeps,
  mobiles: readonly string[],
): Promise<ReadonlySet<string>> {
  const since = new Date(clock.now() - DAY).toISOString();
  const { rows } = await db.execute<{ mobile: string }>(sql`
    SELECT mobile FROM invitations WHERE mobile = ANY(${sql.param([...mobiles])}::text[]) AND sms_at > ${since}::timestamptz
    GROUP BY mobile HAVING sum(sms_count) >= ${INVITE_SMS.perNumber}`);
  return new Set(rows.map(({ mobile }) => mobile));
}

async function companyName(scope: CompanyScope): Promise<string> {
  const [row] = await scope.sql<{ name: string }>(
    sql`SELECT name FROM ${companies} WHERE id = ${scope.companyId}::bigint`,
  );
  return row?.name ?? "";
}

/** Sends what waits, and notes of each whether it was sent. */
async function sendAll(
  deps: MobileInviteDeps,
  run: <R>(work: (scope: CompanyScope) => Promise<R>) => Promise<R>,
  waiting: readonly Waiting[],
): Promise<MobileInvited[]> {
  const sink = sinkOf(deps);
  const done = await Promise.all(
    waiting.map(async ({ id, mobile, company, link }) => {
      try {
        await sink.invite(mobile, { company, link });
        return { id, mobile, sent: true, reason: "" };
      } catch (error) {
        deps.log.warn({ err: error }, "an invitation was not sent by SMS");
        const reason = error instanceof AppError ? error.message : "短信发送失败，请重新发送";
        return { id, mobile, sent: false, reason };
      }
    }),
  );
  await run(async (scope) => {
    for (const { id, sent, reason } of done) {
      await scope.update(invitations, { smsSent: sent, smsReason: reason }, eq(invitations.id, id));
    }
  });
  return done.map(({ mobile, sent, reason }) => ({ mobile, sent, reason }));
}

const UNFINISHED = "短信未发送完成，请重新发送";

/**
 * @param linkOf the whole address of a token's page
 * @returns what became of each number, in their order
 * @throws AppError server.unavailable without a service, request.rate-limited, as createInvitation
 */
export async function inviteMobiles(
  deps: MobileInviteDeps,
  inCompany: InCompany,
  principal: Principal,
  secret: string,
  given: Post & { readonly mobiles: readonly string[]; readonly expiresInHours: number },
  linkOf: (token: string) => string,
): Promise<MobileInvited[]> {
  sinkOf(deps);
  const { mobiles, expiresInHours, ...post } = given;
  const now = deps.clock.now();
  const tooMany = await tired(deps, mobiles);
  const refused: MobileInvited[] = [];
  const waiting = await inCompany(principal, async (scope) => {
    const wanted: string[] = [];
    for (const mobile of new Set(mobiles)) {
      const reason = tooMany.has(mobile)
        ? "该号码今天收到的邀请短信过多"
        : await whyNot(scope, mobile, new Date(now));
      if (reason === null) wanted.push(mobile);
      else refused.push({ mobile, sent: false, reason });
    }
    await admitCompany(scope, wanted.length, now);
    const company = await companyName(scope);
    const made: Waiting[] = [];
    for (const mobile of wanted) {
      const { id, token } = await createInvitation(
        scope,
        principal,
        secret,
        {
          ...post,
          uses: 1,
          mobile: {
            mobile,
            smsSent: false,
            smsReason: UNFINISHED,
            smsAt: new Date(now),
            smsCount: 1,
          },
        },
        { createdAt: new Date(now), expiresAt: new Date(now + expiresInHours * 3_600_000) },
      );
      made.push({ id, mobile, company, link: linkOf(token) });
    }
    return made;
  });
  const sent = await sendAll(deps, (work) => inCompany(principal, work), waiting);
  const all = [...refused, ...sent];
  return [...new Set(mobiles)].flatMap((mobile) => all.find((one) => one.mobile === mobile) ?? []);
}

/** Why a number is not invited; null: it is. */
async function whyNot(scope: CompanyScope, mobile: string, now: Date): Promise<string | null> {
  const [member] = await scope
    .select(
      { id: employees.id },
      employees,
      and(
        eq(employees.phone, mobile),
        isNull(employees.dimissionAt),
        isNotNull(employees.accountId),
      ),
    )
    .limit(1);
  if (member !== undefined) return "该号码的员工已有账号";
  const open = await scope.rows(invitations, eq(invitations.mobile, mobile));
  const usable = open.some((one) => {
    try {
      refuseClosed(one, now);
      return true;
    } catch {
      return false;
    }
  });
  return usable ? "已有未使用的邀请，可在邀请记录中重新发送" : null;
}

/**
 * Sends the link of an open invitation by SMS once more; that of an import goes to the number of its employee.
 *
 * @throws AppError server.unavailable, request.not-found, invite.closed, request.conflict without a number and when it was not sent,
 *   request.rate-limited
 */
export async function sendAgain(
  deps: MobileInviteDeps,
  inCompany: InCompany,
  principal: Principal,
  id: string,
  linkOf: (companyId: string) => string,
): Promise<void> {
  sinkOf(deps);
  const now = deps.clock.now();
  /** What is sent again, and to whom. */
  const read = async (scope: CompanyScope) => {
    const [was] = await scope.rows(invitations, eq(invitations.id, id)).for("update");
    if (was === undefined) throw notFound();
    refuseClosed(was, new Date(now));
    const mobile = was.forEmployee ? await phoneOf(scope, was.employeeId) : was.mobile;
    if (mobile === null) throw conflict("该邀请没有手机号，请复制链接或二维码");
    return { was, mobile };
  };
  const before = await inCompany(principal, read);
  // Outside of the company's transaction, as it counts those of all companies.
  if ((await tired(deps, [before.mobile])).has(before.mobile)) {
    throw new AppError("request.rate-limited", { message: "该号码今天收到的邀请短信过多" });
  }
  const waiting = await inCompany(principal, async (scope) => {
    const { was, mobile } = await read(scope);
    const next = (was.smsAt?.getTime() ?? 0) + INVITE_SMS.between * 1000;
    if (next > now) {
      throw new AppError("request.rate-limited", {
        message: "该邀请的短信刚刚发送过，请一分钟后再试",
        details: { retryAfter: Math.ceil((next - now) / 1000) },
      });
    }
    await admitCompany(scope, 1, now);
    await scope.update(
      invitations,
      {
        mobile,
        smsSent: false,
        smsReason: UNFINISHED,
        smsAt: new Date(now),
        smsCount: was.smsCount + 1,
      },
      eq(invitations.id, id),
    );
    await audit(scope, { action: "invite", entity: "invitation", entityId: id.slice(0, 6) });
    return { id, mobile, company: await companyName(scope), link: linkOf(scope.companyId) };
  });
  const [done] = await sendAll(deps, (work) => inCompany(principal, work), [waiting]);
  if (done?.sent !== true) throw conflict(done?.reason ?? UNFINISHED);
}

/** The number of the employee for whom an import made the invitation. @throws AppError invite.closed */
async function phoneOf(scope: CompanyScope, employeeId: string | null): Promise<string | null> {
  const [employee] =
    employeeId === null ? [] : await scope.rows(employees, eq(employees.id, employeeId));
  return refuseEmployee(employee).phone;
}
