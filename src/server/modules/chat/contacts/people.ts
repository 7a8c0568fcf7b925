/** Whom a person may chat with, read from the companies' tables. */
import { and, asc, desc, eq, gt, ilike, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { placed } from "../../../../shared/domain/department-tree.ts";
import { NO_DEPARTMENT, type ContactDepartment } from "../../../../shared/protocol/rest/im.ts";
import { isOpen } from "../../../base/database/companies.ts";
import { isId } from "../../../base/database/ids.ts";
import { accounts, employees, sessions } from "../../../base/database/schema/base.ts";
import { departments } from "../../../base/database/schema/employees.ts";

export interface Colleague {
  readonly userName: string;
  readonly name: string;
  readonly avatar: string;
  readonly department: string | null;
  readonly position: string | null;
}

export interface People {
  /** Chat user name of an account; null when it has none. */
  chatNameOf(accountId: string): Promise<string | null>;
  /** Whether the account exists and is disabled. */
  isDisabled(userName: string): Promise<boolean>;
  /** Whether a login is valid: not ended, not expired, and its account belongs to the given user and is enabled. */
  sessionAlive(sessionId: string, userName: string, now: number): Promise<boolean>;
  /** Those of the chat user names whose accounts are members of the company. */
  membersAmong(companyId: string, userNames: readonly string[]): Promise<string[]>;
  /**
   * A page of the account's contacts, each person once, sorted by name: employees who hold a role in one of the companies, and
   * friends. An employee without a role is a guest (docs/session.md#user-info), whose console has no chat.
   *
   * @param keyword part of a name, case ignored; empty for all
   * @param departmentId only the employees of this department, or `NO_DEPARTMENT`
   */
  colleagues(
    accountId: string,
    supplierIds: readonly string[],
    keyword: string,
    offset: number,
    limit: number,
    departmentId?: string,
  ): Promise<{ records: Colleague[]; total: number }>;
  /** The departments of a company in the order of the tree, with the account's contacts in each; last, if any, those without one. */
  departments(accountId: string, companyId: string): Promise<ContactDepartment[]>;
}

/** Condition on an employee beside the account: both belong to the companies, and the account has a role there. */
const worksIn = (companyIds: readonly string[]): SQL<boolean> =>
  companyIds.length === 0
    ? // Always false. ORDER BY accepts this form, but no constant.
      sql<boolean>`${employees.companyId} IS NULL`
    : sql<boolean>`(${inArray(employees.companyId, [...companyIds])} AND EXISTS (
        SELECT FROM account_roles ar JOIN roles r ON r.id = ar.role_id
        WHERE ar.account_id = ${accounts.id} AND r.company_id = ${employees.companyId}))`;

export function createPeople(db: NodePgDatabase): People {
  return {
    async chatNameOf(accountId) {
      if (!isId(accountId)) return null;
      const [row] = await db
        .select({ userName: accounts.chatUserName })
        .from(accounts)
        .where(and(eq(accounts.id, accountId), isNull(accounts.disabledAt)));
      return row?.userName ?? null;
    },
    async isDisabled(userName) {
      const [row] = await db
        .select({ disabledAt: accounts.disabledAt })
        .from(accounts)
        .where(eq(accounts.chatUserName, userName));
      return row !== undefined && row.disabledAt !== null;
    },
    async sessionAlive(sessionId, userName, now) {
      const rows = await db
        .select({ id: sessions.id })
        .from(sessions)
        .innerJoin(accounts, eq(accounts.id, sessions.accountId))
        .where(
          and(
            eq(sessions.id, sessionId),
            eq(accounts.chatUserName, userName),
            isNull(sessions.revokedAt),
            isNull(accounts.disabledAt),
            gt(sessions.expiresAt, new Date(now)),
          ),
        );
      return rows.length > 0;
    },
    async membersAmong(companyId, userNames) {
      if (!isId(companyId)) return [];
      const rows = await db
        .selectDistinct({ userName: accounts.chatUserName })
        .from(accounts)
        .innerJoin(employees, eq(employees.accountId, accounts.id))
        .where(
          and(
            eq(employees.companyId, companyId),
            isNull(employees.dimissionAt),
            isOpen(employees.companyId),
            isNull(accounts.disabledAt),
            sql`${accounts.chatUserName} = ANY(${sql.param([...userNames])}::text[])`,
          ),
        );
      return rows.map(({ userName }) => userName);
    },
    async colleagues(accountId, supplierIds, keyword, offset, limit, departmentId) {
      // Friends in other companies are contacts too, but their employment stays hidden.
      const here = worksIn(supplierIds);
      const friend = sql`EXISTS (SELECT FROM im_friends f
        JOIN im_friends g ON g.account_id = f.friend_id AND g.friend_id = f.account_id
        WHERE f.account_id = ${accountId}::bigint AND f.friend_id = ${accounts.id})`;
      const pattern = `%${keyword.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
      const people = db
        .selectDistinctOn([accounts.id], {
          id: accounts.id,
          userName: accounts.chatUserName,
          name: sql<string>`CASE WHEN ${here} THEN ${employees.name} ELSE ${accounts.nickname} END`.as(
            "person_name",
          ),
          avatar: accounts.avatar,
          department: sql<string | null>`CASE WHEN ${here} THEN ${employees.department} END`.as(
            "person_department",
          ),
          position: sql<string | null>`CASE WHEN ${here} THEN ${employees.position} END`.as(
            "person_position",
          ),
        })
        .from(employees)
        .innerJoin(accounts, eq(accounts.id, employees.accountId))
        .where(
          and(
            departmentId === undefined
              ? or(here, friend)
              : and(
                  here,
                  departmentId === NO_DEPARTMENT
                    ? isNull(employees.departmentId)
                    : eq(employees.departmentId, departmentId),
                ),
            isNull(employees.dimissionAt),
            isNull(accounts.disabledAt),
            ne(accounts.id, accountId),
            keyword === ""
              ? undefined
              : or(
                  ilike(employees.name, pattern),
                  ilike(accounts.nickname, pattern),
                  ilike(accounts.chatUserName, pattern),
                ),
          ),
        )
        .orderBy(accounts.id, desc(here), employees.id)
        .as("people");
      const [count] = await db.select({ n: sql<number>`count(*)::int` }).from(people);
      const records = await db
        .select({
          userName: people.userName,
          name: people.name,
          avatar: people.avatar,
          department: people.department,
          position: people.position,
        })
        .from(people)
        .orderBy(asc(people.name), asc(people.id))
        .offset(offset)
        .limit(limit);
      return { records, total: count?.n ?? 0 };
    },
    async departments(accountId, companyId) {
      const rows = await db
        .select({ id: departments.id, parentId: departments.parentId, name: departments.name })
        .from(departments)
        .where(eq(departments.companyId, companyId))
        .orderBy(departments.sort, departments.id);
      const counted = await db
        .select({
          id: employees.departmentId,
          n: sql<number>`count(DISTINCT ${accounts.id})::int`,
        })
        .from(employees)
        .innerJoin(accounts, eq(accounts.id, employees.accountId))
        .where(
          and(
            worksIn([companyId]),
            isNull(employees.dimissionAt),
            isNull(accounts.disabledAt),
            ne(accounts.id, accountId),
          ),
        )
        .groupBy(employees.departmentId);
      const people = new Map(counted.map(({ id, n }) => [id, n]));
      const without = people.get(null) ?? 0;
      return [
        ...placed(rows).map(({ row }) => ({ ...row, people: people.get(row.id) ?? 0 })),
        ...(without === 0
          ? []
          : [{ id: NO_DEPARTMENT, parentId: null, name: "", people: without }]),
      ];
    },
  };
}
