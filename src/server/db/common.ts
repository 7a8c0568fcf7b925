/**
 * Rows that are the platform's (company_id null, read by every company and changed by none) or a company's own: dictionaries and
 * settings. What is read together is asked in raw SQL, since the company's builder knows its own rows alone.
 */
import { type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { AppError } from "../../shared/errors.ts";
import { isId } from "./ids.ts";
import type { Actor, CompanyScope, CompanyTable, Tenants } from "./tenant.ts";

/** Somebody who reads: a company's transaction, or the platform's rows alone. */
export interface CommonReader {
  /** Null: the platform's rows alone. */
  readonly companyId: string | null;
  sql<R extends Record<string, unknown>>(query: SQL): Promise<R[]>;
}

/** That a row is for the reader. @param alias of the table in the query */
export const visible = ({ companyId }: CommonReader, alias: string): SQL => {
  const column = sql.raw(`${alias}.company_id`);
  return companyId === null
    ? sql`${column} IS NULL`
    : sql`(${column} IS NULL OR ${column} = ${companyId}::bigint)`;
};

/** The time as ISO 8601, UTC. */
export const isoTime = (column: string): SQL =>
  sql.raw(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** The text as one to be found anywhere, whatever signs it holds. */
export const anywhere = (text: string): string =>
  `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Runs `work` as the company, or, without one, on the platform's rows. */
export function readCommon<R>(
  deps: { readonly db: NodePgDatabase; readonly tenants: Tenants },
  companyId: string | null,
  actor: Actor,
  work: (reader: CommonReader) => Promise<R>,
): Promise<R> {
  if (companyId !== null) return deps.tenants.run(companyId, actor, work);
  const { db } = deps;
  return work({
    companyId: null,
    async sql<T extends Record<string, unknown>>(query: SQL) {
      return (await db.execute(query)).rows as T[];
    },
  });
}

/** Why rows that were to be changed are not the company's: the platform's are forbidden, all others not found. */
export async function notOwn(
  scope: CompanyScope,
  table: CompanyTable,
  ids: readonly string[],
  message: string,
): Promise<AppError> {
  const known = ids.filter(isId).map((id) => sql`${id}::bigint`);
  const common =
    known.length === 0
      ? []
      : await scope.sql(
          sql`SELECT 1 FROM ${table} WHERE company_id IS NULL AND id IN (${sql.join(known, sql`, `)}) LIMIT 1`,
        );
  return common.length === 0
    ? new AppError("request.not-found")
    : new AppError("auth.forbidden", { message });
}

/** Fields as a request gives them: those left out are not there or undefined. */
export type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Fields that differ, as they were and as they will be; null: none. */
export function changes<T extends object>(
  was: T,
  wanted: Given<T>,
): { before: Partial<T>; after: Partial<T> } | null {
  const before: Partial<T> = {};
  const after: Partial<T> = {};
  for (const name of Object.keys(wanted) as (keyof T)[]) {
    const value = wanted[name];
    if (value === undefined || value === was[name]) continue;
    before[name] = was[name];
    after[name] = value;
  }
  return Object.keys(after).length === 0 ? null : { before, after };
}

/** Whether a query failed because a row like that is there (SQLSTATE 23505), however it was wrapped. */
export function isDuplicate(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && at.code === "23505") return true;
  }
  return false;
}
