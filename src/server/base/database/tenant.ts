/**
 * The only way to access company data: a transaction in which row-level security shows only one company's rows
 * (0005_tenancy.sql), and a query builder that adds the company's condition to every query. Each of the two is sufficient
 * alone.
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
import { AppError } from "../../../shared/errors.ts";
import { isId } from "./ids.ts";

/** A table whose rows belong to companies. Its migration must call enable_company_rls. */
export type CompanyTable = PgTable & { readonly companyId: AnyPgColumn };
/** Who makes the change, for the audit; null is the platform itself. */
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

/** The query builder of one company. It is usable until its transaction ends. */
export interface CompanyScope {
  readonly companyId: string;
  readonly actor: Actor;
  /**
   * Selects the given columns. Continue with joins, orderBy, limit, offset, for. `where` is set here and cannot be set again.
   * Join a further company table with `and(eq(…), scope.of(table))`.
   */
  select<F extends SelectedFields, T extends CompanyTable>(
    fields: F,
    table: T,
    where?: SQL,
  ): PgSelectWithout<PgSelectBase<GetSelectTableName<T>, F, "partial">, false, "where">;
  /** Selects all columns. */
  rows<T extends CompanyTable>(
    table: T,
    where?: SQL,
  ): PgSelectWithout<
    PgSelectBase<GetSelectTableName<T>, GetSelectTableSelection<T>, "single">,
    false,
    "where"
  >;
  /** @param values without companyId; continue with returning or onConflict… */
  insert<T extends CompanyTable>(
    table: T,
    values: CompanyInsert<T> | CompanyInsert<T>[],
  ): PgInsertBase<T, NodePgQueryResultHKT>;
  /** @param where additional condition within the company; undefined: all its rows */
  update<T extends CompanyTable>(
    table: T,
    set: CompanyUpdate<T>,
    where: SQL | undefined,
  ): PgUpdateWithout<PgUpdateBase<T, NodePgQueryResultHKT>, false, Joins | "where">;
  /** @param where additional condition within the company; undefined: all its rows */
  remove<T extends CompanyTable>(
    table: T,
    where: SQL | undefined,
  ): PgDeleteWithout<PgDeleteBase<T, NodePgQueryResultHKT>, false, "where">;
  /** The condition that a row of the table belongs to the company. */
  companyCondition(table: CompanyTable): SQL;
  /**
   * Runs a query that the builder cannot express: aggregates, or tables that depend on a company's rows (role_menus,
   * account_roles). Only row-level security restricts it, so add the company's condition wherever a column has it.
   */
  sql<R extends Record<string, unknown>>(query: SQL): Promise<R[]>;
}

export interface Tenants {
  /**
   * Runs `work` in one transaction that sees only the company. It commits when `work` resolves and rolls back when it throws.
   * The caller must have checked that the actor belongs to the company (http/route.ts).
   *
   * The embedded database has one connection: inside `work` use only `scope`; a query on `deps.db` would wait forever.
   *
   * @throws AppError request.not-found when the text cannot be a company's id
   */
  run<R>(companyId: string, actor: Actor, work: (scope: CompanyScope) => Promise<R>): Promise<R>;
  /** Whether a query would wait for a connection now. */
  isBusy(): boolean;
}

/** @see 0005_tenancy.sql */
export const TENANT_ROLE = "console_tenant";

export function createTenants(pool: Pool): Tenants {
  return {
    isBusy: () =>
      pool.waitingCount > 0 || (pool.idleCount === 0 && pool.totalCount >= pool.options.max),
    async run(companyId, actor, work) {
      // The id is inserted into the statement's text, because a single round trip takes no parameters. So it must be a valid id.
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
        // Do not reuse a connection whose transaction may still be open.
        client.release(broken);
      }
    },
  };
}

/** Gives access to the connection only while the transaction lasts. A later query would run without the role. */
function createLease(client: PoolClient): { readonly client: PoolClient; end(): void } {
  let ended = false;
  const query = (...args: Parameters<PoolClient["query"]>): unknown =>
    ended
      ? Promise.reject(new Error("the company's transaction has ended"))
      : client.query(...args);
  return {
    // The driver uses nothing else of it.
    client: { query } as unknown as PoolClient,
    end: () => {
      ended = true;
    },
  };
}

function createScope(client: PoolClient, companyId: string, actor: Actor): CompanyScope {
  const tx = drizzle(client);
  const companyCondition = (table: CompanyTable): SQL => eq(table.companyId, companyId);
  const within = (table: CompanyTable, where: SQL | undefined): SQL | undefined =>
    and(companyCondition(table), where);
  // Drizzle's types cannot follow a generic table; the signatures of CompanyScope define the results.
  return {
    companyId,
    actor,
    companyCondition,
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
