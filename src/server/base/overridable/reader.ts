/**
 * Reading tables whose rows belong to the platform (company_id null: every company reads them, none changes them) or to one
 * company. Such queries are raw SQL, because the company's query builder sees only the company's own rows.
 */
import { type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Actor, Tenants } from "../database/tenant.ts";

/** A company's transaction, or a reader of the platform's rows alone. */
export interface OverridableReader {
  /** Null: only the platform's rows are visible. */
  readonly companyId: string | null;
  sql<R extends Record<string, unknown>>(query: SQL): Promise<R[]>;
}

/**
 * The condition that a row is visible to the reader.
 *
 * @param alias of the table in the query
 */
export const visible = ({ companyId }: OverridableReader, alias: string): SQL => {
  const column = sql.raw(`${alias}.company_id`);
  return companyId === null
    ? sql`${column} IS NULL`
    : sql`(${column} IS NULL OR ${column} = ${companyId}::bigint)`;
};

/** Runs `work` as the company, or without a company on the platform's rows. */
export function readOverridable<R>(
  deps: { readonly db: NodePgDatabase; readonly tenants: Tenants },
  companyId: string | null,
  actor: Actor,
  work: (reader: OverridableReader) => Promise<R>,
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
