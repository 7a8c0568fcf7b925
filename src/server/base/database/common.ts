/**
 * Rows that belong to the platform (company_id null: every company reads them and none changes them) or to one company:
 * dictionaries and settings. Queries over both use raw SQL, because the company's query builder only sees its own rows.
 */
import { type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { AppError } from "../../../shared/errors.ts";
import { isId } from "./ids.ts";
import type { Actor, CompanyScope, CompanyTable, Tenants } from "./tenant.ts";

/** A reader: a company's transaction, or one that sees only the platform's rows. */
export interface CommonReader {
  /** Null: only the platform's rows. */
  readonly companyId: string | null;
  sql<R extends Record<string, unknown>>(query: SQL): Promise<R[]>;
}

/**
 * The condition that a row is visible to the reader.
 *
 * @param alias of the table in the query
 */
export const visible = ({ companyId }: CommonReader, alias: string): SQL => {
  const column = sql.raw(`${alias}.company_id`);
  return companyId === null
    ? sql`${column} IS NULL`
    : sql`(${column} IS NULL OR ${column} = ${companyId}::bigint)`;
};

/** The time as ISO 8601 in UTC. */
export const isoTime = (column: string): SQL =>
  sql.raw(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** A LIKE pattern that finds the text anywhere, with wildcards in the text escaped. */
export const anywhere = (text: string): string =>
  `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Runs `work` as the company, or without a company on the platform's rows. */
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

/** The error for rows that are not the company's own: forbidden for the platform's rows, not found for all others. */
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

/** Fields from a request. A field that was left out is absent or undefined. */
export type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The fields that differ, with old and new values; null when none differ. */
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

/** Whether a query failed because of a duplicate row (SQLSTATE 23505), however the error is wrapped. */
export function isDuplicate(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && at.code === "23505") return true;
  }
  return false;
}
