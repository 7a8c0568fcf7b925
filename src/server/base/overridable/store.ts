/**
 * A table of overridable entries (docs/server.md#tenants): the platform's entries, which every company reads, and each company's
 * own, which replace the platform's entries with the same key. Dictionary and settings are two such tables.
 */
import { eq, inArray, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { AppError } from "../../../shared/errors.ts";
import { staleError } from "../../../shared/protocol/rest/conflict.ts";
import { audit } from "../audit/index.ts";
import { changes, type Given, isDuplicate, isoTime } from "../database/common.ts";
import { isId } from "../database/ids.ts";
import type {
  CompanyInsert,
  CompanyScope,
  CompanyTable,
  CompanyUpdate,
} from "../database/tenant.ts";
import { orderBy, type SortColumns } from "../database/sorting.ts";
import { type OverridableReader, visible } from "./reader.ts";

type OverridableTable = CompanyTable & {
  readonly id: AnyPgColumn;
  readonly updatedAt: AnyPgColumn;
  readonly version: AnyPgColumn;
};

/** What every entry has in the answer of a call. */
export interface OverridableEntry {
  readonly id: string;
  /** Null: an entry of the platform. */
  readonly supplierId: string | null;
  readonly version: number;
  readonly createTime: string;
  readonly updateTime: string;
}

export interface Page {
  /** Number of the page, from 1. */
  readonly cursor: number;
  readonly limit: number;
  readonly searchCount: boolean;
  /** One of the kind's `sorts`, with "-" before it downwards. */
  readonly sort?: string | undefined;
}

/** In every SQL text the table has the alias `e`. */
export interface OverridableKind<Entry extends OverridableEntry, Row extends object> {
  readonly table: OverridableTable;
  /** Its name in audit records. */
  readonly entity: string;
  /** The selected columns beyond those of OverridableEntry. */
  readonly columns: SQL;
  /** Joins that the columns need. */
  readonly joins?: (reader: OverridableReader) => SQL;
  /** Order of the list; must be total. */
  readonly order: SQL;
  /** The columns that a caller may choose for the order of a page. */
  readonly sorts: SortColumns<string>;
  /** The condition that a row follows the entry in that order. */
  readonly follows: (entry: Entry) => SQL;
  /** A company's entry replaces the platform's entry that has the same key. */
  readonly keyOf: (entry: Entry) => string;
  /** The field that may exist once per company, and the refusal of a second one. */
  readonly unique: {
    readonly field: keyof Row & string;
    readonly taken: (value: string) => string;
  };
  /** Refusal to change an entry of the platform. */
  readonly platformOnly: string;
  /** The fields of a deleted row that its audit record keeps. */
  readonly audited: readonly (keyof Row)[];
}

export interface OverridableStore<Entry extends OverridableEntry, Row extends object> {
  /** @returns one page of the visible entries; total 0 when no count was requested */
  list(
    reader: OverridableReader,
    where: SQL,
    page: Page,
  ): Promise<{ records: Entry[]; total: number; cursor: number; limit: number }>;
  /** The entries after the given one (null: from the first), for reading all of them in pieces. */
  listAfter(
    reader: OverridableReader,
    where: SQL,
    last: Entry | null,
    limit: number,
  ): Promise<Entry[]>;
  /** @throws AppError request.not-found */
  byId(reader: OverridableReader, id: string): Promise<Entry>;
  /** The entries in effect for the reader, in the order of the list: without the platform's entries that the company replaces. */
  inEffect(reader: OverridableReader): Promise<Entry[]>;
  /** @throws AppError request.conflict when the company already has the unique field's value */
  create(scope: CompanyScope, row: Given<Row>): Promise<Entry>;
  /**
   * @param given.version the one that the writer saw
   * @param around work in the same transaction, before and after the row is written; it does not run when nothing changes
   * @throws AppError request.not-found, auth.forbidden for the platform's entry, request.conflict with both versions for a change
   *   of an older one, and when the company already has the unique field's value
   */
  update(
    scope: CompanyScope,
    given: Given<Row> & { readonly id: string; readonly version: number },
    around?: {
      readonly before?: (after: Partial<Row>) => Promise<void>;
      readonly after?: (was: Row) => Promise<void>;
    },
  ): Promise<Entry>;
  /**
   * Deletes all entries or none.
   *
   * @returns the deleted rows
   * @throws AppError request.not-found, auth.forbidden for the platform's entries
   */
  remove(scope: CompanyScope, ids: readonly string[]): Promise<(Row & { readonly id: string })[]>;
}

/** The conditions that are given, each with an AND before it. */
export const allOf = (...conditions: readonly (SQL | undefined)[]): SQL =>
  sql.join(
    conditions.flatMap((condition) => (condition === undefined ? [] : [sql` AND ${condition}`])),
  );

export function createOverridableStore<Entry extends OverridableEntry, Row extends object>(
  kind: OverridableKind<Entry, Row>,
): OverridableStore<Entry, Row> {
  const { table, entity, columns, order, unique } = kind;
  const { id: idColumn } = table;

  const source = (reader: OverridableReader): SQL =>
    sql`FROM ${table} e ${kind.joins?.(reader) ?? sql``} WHERE ${visible(reader, "e")}`;
  // The columns are those of `kind`, a parameter, so the compiler does not know the rows of these three statements.
  const select = async (reader: OverridableReader, tail: SQL): Promise<Entry[]> =>
    (await reader.sql(sql`
      SELECT e.id::text AS id, e.company_id::text AS "supplierId", e.version, ${columns},
        ${isoTime("e.created_at")} AS "createTime", ${isoTime("e.updated_at")} AS "updateTime"
      ${source(reader)} ${tail}`)) as unknown as Entry[];

  const byId = async (reader: OverridableReader, id: string): Promise<Entry> => {
    const [found] = isId(id) ? await select(reader, sql`AND e.id = ${id}::bigint`) : [];
    if (found === undefined) throw new AppError("request.not-found");
    return found;
  };

  /** The error for rows that are not the company's own: forbidden for the platform's rows, not found for all others. */
  const notOwn = async (scope: CompanyScope, ids: readonly string[]): Promise<AppError> => {
    const known = ids.filter(isId).map((id) => sql`${id}::bigint`);
    const common =
      known.length === 0
        ? []
        : await scope.sql(
            sql`SELECT 1 FROM ${table} WHERE company_id IS NULL AND id IN (${sql.join(known, sql`, `)}) LIMIT 1`,
          );
    return common.length === 0
      ? new AppError("request.not-found")
      : new AppError("auth.forbidden", { message: kind.platformOnly });
  };

  /** Converts a duplicate-row error into one that names the unique field. */
  const unlessTaken = async <R>(query: PromiseLike<R>, value: unknown): Promise<R> => {
    try {
      return await query;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      throw new AppError("request.conflict", {
        message: unique.taken(String(value)),
        details: { fields: { [unique.field]: "已存在" } },
      });
    }
  };

  return {
    async list(reader, where, { cursor, limit, searchCount, sort }) {
      const records = await select(
        reader,
        sql`${where} ORDER BY ${orderBy(sort, kind.sorts, order)} LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`,
      );
      const [counted] = searchCount
        ? await reader.sql<{ total: number }>(
            sql`SELECT count(*)::int AS total ${source(reader)} ${where}`,
          )
        : [];
      return { records, total: counted?.total ?? 0, cursor, limit };
    },

    listAfter(reader, where, last, limit) {
      const afterLast = last === null ? sql`` : sql`AND ${kind.follows(last)}`;
      return select(reader, sql`${where} ${afterLast} ORDER BY ${order} LIMIT ${limit}`);
    },

    byId,

    async inEffect(reader) {
      const all = await select(reader, sql`ORDER BY ${order}`);
      const own = new Set(all.flatMap((e) => (e.supplierId === null ? [] : [kind.keyOf(e)])));
      return all.filter((e) => e.supplierId !== null || !own.has(kind.keyOf(e)));
    },

    async create(scope, row) {
      const [made] = await unlessTaken(
        scope
          .insert(table, row as CompanyInsert<OverridableTable>)
          .returning({ id: idColumn }) as PromiseLike<{ id: string }[]>,
        row[unique.field],
      );
      const id = made?.id ?? "";
      const entry = await byId(scope, id);
      await audit(scope, { action: "create", entity, entityId: id, after: { ...row } });
      return entry;
    },

    async update(scope, given, around = {}) {
      const { id, version, ...wanted } = given;
      // As in `select`.
      const [was] = isId(id)
        ? ((await scope.rows(table, eq(idColumn, id)).for("update")) as unknown as (Row & {
            readonly version: number;
          })[])
        : [];
      if (was === undefined) throw await notOwn(scope, [id]);
      if (was.version !== version) throw staleError(await byId(scope, id), wanted);
      const change = changes<Row>(was, wanted as Given<Row>);
      if (change === null) return byId(scope, id);
      await around.before?.(change.after);
      await unlessTaken(
        scope.update(
          table,
          { ...change.after, updatedAt: sql`now()` } as CompanyUpdate<OverridableTable>,
          eq(idColumn, id),
        ),
        given[unique.field] ?? was[unique.field],
      );
      await around.after?.(was);
      await audit(scope, { action: "update", entity, entityId: id, ...change });
      return byId(scope, id);
    },

    async remove(scope, ids) {
      if (!ids.every(isId)) throw new AppError("request.not-found");
      // As in `select`.
      const gone = (await scope
        .remove(table, inArray(idColumn, [...ids]))
        .returning()) as unknown as (Row & { readonly id: string })[];
      if (gone.length < ids.length) throw await notOwn(scope, ids);
      await audit(
        scope,
        ...gone.map((row) => ({
          action: "delete",
          entity,
          entityId: row.id,
          before: Object.fromEntries(kind.audited.map((field) => [field, row[field]])),
        })),
      );
      return gone;
    },
  };
}
