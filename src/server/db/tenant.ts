/**
 * The one way to company data: a transaction in which the database itself shows only the rows of one company (row-level
 * security, 0005_tenancy.sql), and a builder whose every query bears the company's condition. Either lock holds alone.
 */
import { and, type Column, eq, type GetColumnData, type SQL } from "drizzle-orm";
import { drizzle, type NodePgQueryResultHKT } from "drizzle-orm/node-postgres";
import type {
  AnyPgColumn,
  PgDeleteBase,
  PgDeleteWithout,
  PgInsertBase,
  PgSelectBase,
  PgSelectWithout,
  PgTable,
  PgUpdateBase,
  PgUpdateWithout,
  SelectedFields,
} from "drizzle-orm/pg-core";
import type {
  GetSelectTableName,
  GetSelectTableSelection,
} from "drizzle-orm/query-builders/select.types";
import type { Pool, PoolClient } from "pg";
import { AppError } from "../../shared/errors.ts";
import { isId } from "./ids.ts";

/** A table whose rows belong to companies: the migration calls enable_company_rls for it. */
export type CompanyTable = PgTable & { readonly companyId: AnyPgColumn };
/** Who does it, for the audit; null is the platform itself. */
export type Actor = { readonly accountId: string } | null;

type ColumnsOf<T extends PgTable> = T["_"]["columns"];
export type CompanyInsert<T extends CompanyTable> = {
  [K in keyof Omit<T["$inferInsert"], "companyId">]: T["$inferInsert"][K] | SQL;
};
export type CompanyUpdate<T extends CompanyTable> = {
  [K in keyof Omit<T["$inferInsert"], "companyId">]?:
    | (K extends keyof ColumnsOf<T>
        ? ColumnsOf<T>[K] extends Column
          ? GetColumnData<ColumnsOf<T>[K]>
          : never
        : never)
    | SQL
    | undefined;
};

type Joins = "leftJoin" | "rightJoin" | "innerJoin" | "fullJoin";

/** The builder of one company; it ends with its transaction. */
export interface CompanyScope {
  readonly companyId: string;
  readonly actor: Actor;
  /**
   * Chosen columns: go on with joins, orderBy, limit, offset, for. `where` is taken, and cannot be given again.
   * A further company table is joined with `and(eq(…), scope.of(table))`.
   */
  select<F extends SelectedFields, T extends CompanyTable>(
    fields: F,
    table: T,
    where?: SQL,
  ): PgSelectWithout<PgSelectBase<GetSelectTableName<T>, F, "partial">, false, "where">;
  /** All columns. */
  rows<T extends CompanyTable>(
    table: T,
    where?: SQL,
  ): PgSelectWithout<
    PgSelectBase<GetSelectTableName<T>, GetSelectTableSelection<T>, "single">,
    false,
    "where"
  >;
  /** @param values without companyId; go on with returning or onConflict… */
  insert<T extends CompanyTable>(
    table: T,
    values: CompanyInsert<T> | CompanyInsert<T>[],
  ): PgInsertBase<T, NodePgQueryResultHKT>;
  /** @param where within the company; undefined: all its rows */
  update<T extends CompanyTable>(
    table: T,
    set: CompanyUpdate<T>,
    where: SQL | undefined,
  ): PgUpdateWithout<PgUpdateBase<T, NodePgQueryResultHKT>, false, Joins | "where">;
  /** @param where within the company; undefined: all its rows */
  remove<T extends CompanyTable>(
    table: T,
    where: SQL | undefined,
  ): PgDeleteWithout<PgDeleteBase<T, NodePgQueryResultHKT>, false, "where">;
  /** The condition that a row of the table is the company's. */
  of(table: CompanyTable): SQL;
  /**
   * A query that the builder cannot say: aggregates, tables that hang on a company's rows (role_menus, account_roles). Only
   * row-level security binds it, so name the company in it where a column has it.
   */
  sql<R extends Record<string, unknown>>(query: SQL): Promise<R[]>;
}

export interface Tenants {
  /**
   * Runs `work` in one transaction that sees the company alone; it commits when `work` resolves and is rolled back when it
   * throws. Whether the actor belongs to the company was checked before (http/route.ts).
   *
   * On the embedded database there is one connection: inside `work` ask `scope` alone, a query on `deps.db` would wait for ever.
   *
   * @throws AppError request.not-found when the text can be no company's id
   */
  run<R>(companyId: string, actor: Actor, work: (scope: CompanyScope) => Promise<R>): Promise<R>;
}

/** @see 0005_tenancy.sql */
export const TENANT_ROLE = "console_tenant";

export function createTenants(pool: Pool): Tenants {
  return {
    async run(companyId, actor, work) {
      // it is written into the text of the statement, since one round trip takes no parameters
      if (!isId(companyId)) throw new AppError("request.not-found");
      const client = await pool.connect();
      const lease = createLease(client);
      let broken: Error | undefined;
      try {
        await client.query(
          `BEGIN; SET LOCAL ROLE ${TENANT_ROLE}; SELECT set_config('app.company_id', '${companyId}', true)`,
        );
        const result = await work(createScope(lease.client, companyId, actor));
        lease.end();
        await client.query("COMMIT");
        return result;
      } catch (error) {
        lease.end();
        await client.query("ROLLBACK").catch((failed: unknown) => {
          broken = failed instanceof Error ? failed : new Error(String(failed));
        });
        throw error;
      } finally {
        // a connection whose transaction may still be open is not given to the next
        client.release(broken);
      }
    },
  };
}

/** The connection for as long as the transaction lasts: what is asked later would run without the role. */
function createLease(client: PoolClient): { readonly client: PoolClient; end(): void } {
  let ended = false;
  const query = (...args: Parameters<PoolClient["query"]>): unknown =>
    ended
      ? Promise.reject(new Error("the company's transaction has ended"))
      : client.query(...args);
  return {
    client: { query } as unknown as PoolClient,
    end: () => {
      ended = true;
    },
  };
}

function createScope(client: PoolClient, companyId: string, actor: Actor): CompanyScope {
  const tx = drizzle(client);
  const of = (table: CompanyTable): SQL => eq(table.companyId, companyId);
  const within = (table: CompanyTable, where: SQL | undefined): SQL | undefined =>
    and(of(table), where);
  // drizzle's types do not follow a generic table; the signatures of CompanyScope say what comes out
  return {
    companyId,
    actor,
    of,
    select: (fields, table, where) =>
      tx
        .select(fields)
        .from(table as PgTable)
        .where(within(table, where)) as never,
    rows: (table, where) =>
      tx
        .select()
        .from(table as PgTable)
        .where(within(table, where)) as never,
    insert: (table, values) => {
      const all = (Array.isArray(values) ? values : [values]).map((row) => ({ ...row, companyId }));
      return tx.insert(table).values(all as never) as never;
    },
    update: (table, set, where) =>
      tx
        .update(table)
        .set({ ...set, companyId: undefined } as never)
        .where(within(table, where)) as never,
    remove: (table, where) => tx.delete(table).where(within(table, where)) as never,
    async sql<R extends Record<string, unknown>>(query: SQL) {
      return (await tx.execute(query)).rows as R[];
    },
  };
}
