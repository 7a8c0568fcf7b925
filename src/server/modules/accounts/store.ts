/** Database queries about accounts. An account belongs to a company while it has a current employee record there. */
import { and, eq, gt, inArray, isNull, lt, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Role } from "../../../shared/protocol/rest/entities.ts";
import type { LoginEnd } from "../../base/cluster/access.ts";
import { countOf } from "../../base/tasks/index.ts";
import { isOpen } from "../../base/database/companies.ts";
import type { Grant } from "../../base/module.ts";
import {
  accountRoles,
  accounts,
  companies,
  employees,
  roles,
  sessions,
} from "../../base/database/schema/base.ts";

export type AccountRow = typeof accounts.$inferSelect;
export type SessionRow = typeof sessions.$inferSelect;

export interface LiveSession {
  readonly username: string;
  readonly chatUserName: string;
  readonly supplierIds: readonly string[];
  /** Roles in the companies to which the account belongs, ordered by role id. */
  readonly grants: readonly Grant[];
}

export type AccountStore = ReturnType<typeof createAccountStore>;

export function createAccountStore(db: NodePgDatabase) {
  return {
    /** Ignores case. Returns a disabled account too. */
    async byUsername(username: string): Promise<AccountRow | null> {
      const [row] = await db
        .select()
        .from(accounts)
        .where(sql`lower(${accounts.username}) = lower(${username})`);
      return row ?? null;
    },

    async byId(id: string): Promise<AccountRow | null> {
      const [row] = await db.select().from(accounts).where(eq(accounts.id, id));
      return row ?? null;
    },

    /** Null also for a disabled account. */
    async byChatName(name: string): Promise<AccountRow | null> {
      const [row] = await db
        .select()
        .from(accounts)
        .where(and(eq(accounts.chatUserName, name), isNull(accounts.disabledAt)));
      return row ?? null;
    },

    /** Ids of the companies to which the account belongs, in the order in which it joined them. */
    async memberships(accountId: string): Promise<string[]> {
      const rows = await db
        .select({ companyId: employees.companyId })
        .from(employees)
        .where(
          and(
            eq(employees.accountId, accountId),
            isNull(employees.dimissionAt),
            isOpen(employees.companyId),
          ),
        )
        .orderBy(employees.id);
      return rows.map((row) => row.companyId);
    },

    /** Roles that are in effect: those in companies to which the account belongs. */
    async roles(accountId: string): Promise<(Required<Role> & { permissions: string[] })[]> {
      return db
        .select({
          roleId: roles.id,
          supplierId: roles.companyId,
          roleCode: roles.code,
          roleName: roles.name,
          permissions: roles.permissions,
        })
        .from(accountRoles)
        .innerJoin(roles, eq(roles.id, accountRoles.roleId))
        .innerJoin(
          employees,
          and(
            eq(employees.companyId, roles.companyId),
            eq(employees.accountId, accountRoles.accountId),
            isNull(employees.dimissionAt),
            isOpen(employees.companyId),
          ),
        )
        .where(eq(accountRoles.accountId, accountId))
        .orderBy(roles.id);
    },

    /** Chat user names of the other accounts that share a company with this one. */
    async colleagues(chatUserName: string): Promise<string[]> {
      const me = alias(accounts, "me");
      const ownEmployee = alias(employees, "own");
      const rows = await db
        .selectDistinct({ name: accounts.chatUserName })
        .from(me)
        .innerJoin(
          ownEmployee,
          and(
            eq(ownEmployee.accountId, me.id),
            isNull(ownEmployee.dimissionAt),
            isOpen(ownEmployee.companyId),
          ),
        )
        .innerJoin(
          employees,
          and(eq(employees.companyId, ownEmployee.companyId), isNull(employees.dimissionAt)),
        )
        .innerJoin(accounts, and(eq(accounts.id, employees.accountId), isNull(accounts.disabledAt)))
        .where(
          and(eq(me.chatUserName, chatUserName), isNull(me.disabledAt), ne(accounts.id, me.id)),
        )
        .orderBy(accounts.chatUserName);
      return rows.map((row) => row.name);
    },

    /** Null when the session or its account is no longer valid. One query, because every request runs it. */
    async liveSession(sessionId: string, accountId: string): Promise<LiveSession | null> {
      const [row] = await db
        .select({
          username: accounts.username,
          chatUserName: accounts.chatUserName,
          supplierIds: sql<
            string[]
          >`coalesce(array_agg(${employees.companyId}::text ORDER BY ${employees.id})
            FILTER (WHERE ${employees.id} IS NOT NULL), '{}')`,
          grants: sql<Grant[]>`(SELECT coalesce(json_agg(json_build_object(
              'supplierId', r.company_id::text, 'roleId', r.id::text, 'roleCode', r.code,
              'permissions', r.permissions) ORDER BY r.id), '[]')
            FROM account_roles ar
            JOIN roles r ON r.id = ar.role_id
            JOIN employees e ON e.company_id = r.company_id AND e.account_id = ar.account_id
              AND e.dimission_at IS NULL AND ${isOpen(sql`e.company_id`)}
            WHERE ar.account_id = ${accounts.id})`,
        })
        .from(sessions)
        .innerJoin(accounts, eq(accounts.id, sessions.accountId))
        .leftJoin(
          employees,
          and(
            eq(employees.accountId, accounts.id),
            isNull(employees.dimissionAt),
            isOpen(employees.companyId),
          ),
        )
        .where(
          and(
            eq(sessions.id, sessionId),
            eq(sessions.accountId, accountId),
            isNull(sessions.revokedAt),
            isNull(accounts.disabledAt),
          ),
        )
        .groupBy(accounts.id);
      return row ?? null;
    },

    /**
     * The lock that keeps the person out of the platform: of the only company, or of one where all are locked.
     *
     * @returns null when a company of the person is open, and for who belongs to none
     */
    async lockedOut(accountId: string): Promise<{ company: string; reason: string } | null> {
      const rows = await db
        .select({
          company: companies.name,
          reason: companies.lockReason,
          lockedAt: companies.lockedAt,
        })
        .from(employees)
        .innerJoin(companies, eq(companies.id, employees.companyId))
        .where(and(eq(employees.accountId, accountId), isNull(employees.dimissionAt)))
        .orderBy(employees.id);
      const [first] = rows;
      return first === undefined || rows.some(({ lockedAt }) => lockedAt === null) ? null : first;
    },

    async createSession(row: typeof sessions.$inferInsert): Promise<void> {
      await db.insert(sessions).values(row);
    },

    /** A session that was not ended, of an enabled account. It may have expired. */
    async session(id: string): Promise<SessionRow | null> {
      const [row] = await db
        .select({ session: sessions })
        .from(sessions)
        .innerJoin(accounts, eq(accounts.id, sessions.accountId))
        .where(and(eq(sessions.id, id), isNull(sessions.revokedAt), isNull(accounts.disabledAt)));
      return row?.session ?? null;
    },

    /**
     * Replaces the hash of the refresh token in one step, so that of parallel requests with one token only one succeeds.
     *
     * @returns false when `oldHash` is not the current one, or the session or its account is no longer valid
     */
    async rotate(id: string, oldHash: string, newHash: string, at: Date, expires: Date) {
      const rows = await db
        .update(sessions)
        .set({ refreshHash: newHash, refreshedAt: at, expiresAt: expires })
        .where(
          and(
            eq(sessions.id, id),
            eq(sessions.refreshHash, oldHash),
            isNull(sessions.revokedAt),
            gt(sessions.expiresAt, at),
            inArray(
              sessions.accountId,
              db.select({ id: accounts.id }).from(accounts).where(isNull(accounts.disabledAt)),
            ),
          ),
        )
        .returning({ id: sessions.id });
      return rows.length === 1;
    },

    /** Why a session ended (LoginEnd); null when no reason is known. */
    async endOf(id: string): Promise<string | null> {
      const [row] = await db
        .select({ reason: sessions.endReason, disabledAt: accounts.disabledAt })
        .from(sessions)
        .innerJoin(accounts, eq(accounts.id, sessions.accountId))
        .where(eq(sessions.id, id));
      if (row === undefined) return null;
      return row.disabledAt === null ? row.reason : ("disabled" satisfies LoginEnd);
    },

    /** Those of these logins that have ended, also by the disabling of the account. A login that is unknown has no account. */
    async endedOf(
      ids: readonly string[],
    ): Promise<{ id: string; accountId: string; reason: string | null; disabled: boolean }[]> {
      const { rows } = await db.execute<{
        id: string;
        accountId: string;
        reason: string | null;
        disabled: boolean;
      }>(sql`
        SELECT open.id, coalesce(s.account_id::text, '') AS "accountId", s.end_reason AS reason,
          a.disabled_at IS NOT NULL AS disabled
        FROM unnest(${sql.param([...ids])}::text[]) AS open (id)
          LEFT JOIN sessions s ON s.id = open.id
          LEFT JOIN accounts a ON a.id = s.account_id
        WHERE s.id IS NULL OR s.revoked_at IS NOT NULL OR a.disabled_at IS NOT NULL`);
      return rows;
    },

    /** Removes sessions that expired before the given time. */
    sweep: (before: Date): Promise<number> =>
      countOf(db.delete(sessions).where(lt(sessions.expiresAt, before))),
  };
}
