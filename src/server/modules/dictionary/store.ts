/** Database queries of the dictionary. */
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import type { DictEntry } from "../../../shared/protocol/rest/dict.ts";
import { audit } from "../../base/audit/index.ts";
import {
  anywhere,
  changes,
  type CommonReader,
  type Given,
  isoTime,
  notOwn,
  visible,
} from "../../base/database/common.ts";
import { unlessTaken } from "../../base/cache/company-entries.ts";
import { isId } from "../../base/database/ids.ts";
import { dictData, dictTypes } from "../../base/database/schema/dictionary.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";

export interface DictFilters {
  readonly dictType?: string | undefined;
  readonly dictId?: string | undefined;
  readonly dictLabel?: string | undefined;
  readonly status?: "0" | "1" | undefined;
}

type Fields = Pick<
  DictEntry,
  | "dictType"
  | "dictLabel"
  | "dictValue"
  | "dictSort"
  | "listClass"
  | "cssClass"
  | "status"
  | "remark"
>;
export type DictUpdate = Given<Fields> & { readonly id: string };
export type DictCreate = Given<Fields> &
  Pick<Fields, "dictType" | "dictLabel" | "dictValue"> & { readonly dictName?: string | undefined };

/** @param tail conditions starting with AND, order and limit */
const entries = (reader: CommonReader, tail: SQL): Promise<DictEntry[]> =>
  reader.sql<DictEntry>(sql`
    SELECT d.id::text AS id, d.company_id::text AS "supplierId",
      t.id::text AS "dictId", t.dict_name AS "dictName",
      d.dict_type AS "dictType", d.dict_label AS "dictLabel", d.dict_value AS "dictValue",
      d.dict_sort AS "dictSort", d.list_class AS "listClass", d.css_class AS "cssClass",
      d.status, d.remark,
      ${isoTime("d.created_at")} AS "createTime", ${isoTime("d.updated_at")} AS "updateTime"
    FROM dict_data d ${typeOf(reader)}
    WHERE ${visible(reader, "d")} ${tail}`);

/** The platform's type takes precedence over a company's type of the same name, so that a page's address stays stable. */
const typeOf = (reader: CommonReader): SQL => sql`
  CROSS JOIN LATERAL (
    SELECT t.id, t.dict_name FROM dict_types t
    WHERE t.dict_type = d.dict_type AND ${visible(reader, "t")}
    ORDER BY t.company_id NULLS FIRST LIMIT 1) t`;

function matching({ dictType, dictId, dictLabel, status }: DictFilters): SQL {
  const conditions = [
    dictType === undefined || dictType === "" ? undefined : sql`d.dict_type = ${dictType}`,
    dictId === undefined ? undefined : isId(dictId) ? sql`t.id = ${dictId}::bigint` : sql`false`,
    dictLabel === undefined || dictLabel === ""
      ? undefined
      : sql`d.dict_label ILIKE ${anywhere(dictLabel)}`,
    status === undefined ? undefined : sql`d.status = ${status}`,
  ].filter((condition) => condition !== undefined);
  return sql.join(
    conditions.map((condition) => sql`AND ${condition} `),
    sql``,
  );
}

const ORDER = sql`ORDER BY d.dict_type, d.dict_sort, d.id`;

/** @returns total 0 when no count was requested */
export async function listEntries(
  reader: CommonReader,
  query: DictFilters & {
    readonly cursor: number;
    readonly limit: number;
    readonly searchCount: boolean;
  },
) {
  const { cursor, limit, searchCount } = query;
  const where = matching(query);
  const records = await entries(
    reader,
    sql`${where} ${ORDER} LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`,
  );
  const [counted] = searchCount
    ? await reader.sql<{ total: number }>(
        sql`SELECT count(*)::int AS total FROM dict_data d ${typeOf(reader)}
          WHERE ${visible(reader, "d")} ${where}`,
      )
    : [];
  return { records, total: counted?.total ?? 0, cursor, limit };
}

/** The next entries of the list after the given one, for reading all of them in pieces. */
export const entriesAfter = (
  reader: CommonReader,
  filters: DictFilters,
  last: DictEntry | null,
  limit: number,
): Promise<DictEntry[]> => {
  const behind =
    last === null
      ? sql``
      : sql`AND (d.dict_type, d.dict_sort, d.id) > (${last.dictType}, ${last.dictSort}::int, ${last.id}::bigint)`;
  return entries(reader, sql`${matching(filters)} ${behind} ${ORDER} LIMIT ${limit}`);
};

/** @throws AppError request.not-found */
export async function entryById(reader: CommonReader, id: string): Promise<DictEntry> {
  const [found] = isId(id) ? await entries(reader, sql`AND d.id = ${id}::bigint`) : [];
  if (found === undefined) throw new AppError("request.not-found");
  return found;
}

export interface Dictionary {
  readonly dictId: string;
  readonly dictType: string;
  readonly dictName: string;
  readonly dictDatas: DictEntry[];
}

/**
 * All dictionaries that are in effect for the reader, by type. A company's entry replaces the platform's entry with the same
 * value.
 */
export async function dictionaries(reader: CommonReader): Promise<Map<string, Dictionary>> {
  const types = await reader.sql<Omit<Dictionary, "dictDatas">>(sql`
    SELECT DISTINCT ON (t.dict_type)
      t.id::text AS "dictId", t.dict_type AS "dictType", t.dict_name AS "dictName"
    FROM dict_types t WHERE ${visible(reader, "t")}
    ORDER BY t.dict_type, t.company_id NULLS FIRST`);
  const byType = new Map(types.map((type) => [type.dictType, { ...type, dictDatas: [] }]));
  const all = await entries(reader, ORDER);
  const own = new Set(all.flatMap((e) => (e.supplierId === null ? [] : [keyOf(e)])));
  for (const entry of all) {
    if (entry.supplierId === null && own.has(keyOf(entry))) continue;
    const list: DictEntry[] | undefined = byType.get(entry.dictType)?.dictDatas;
    list?.push(entry);
  }
  return byType;
}

const keyOf = ({ dictType, dictValue }: DictEntry): string => `${dictType} ${dictValue}`;

/** @throws AppError request.conflict when the company already has the value */
export async function createEntry(scope: CompanyScope, given: DictCreate): Promise<DictEntry> {
  const { dictName, dictType, dictLabel, dictValue } = given;
  const row = {
    dictType,
    dictLabel,
    dictValue,
    dictSort: given.dictSort ?? 0,
    listClass: given.listClass ?? "default",
    cssClass: given.cssClass ?? "",
    status: given.status ?? "0",
    remark: given.remark ?? "",
  };
  await ensureType(scope, dictType, dictName);
  const [made] = await orTaken(
    scope.insert(dictData, row).returning({ id: dictData.id }),
    dictValue,
  );
  const id = made?.id ?? "";
  await audit(scope, { action: "create", entity: "dict-data", entityId: id, after: row });
  return entryById(scope, id);
}

/**
 * @throws AppError request.not-found, auth.forbidden for the platform's entry, request.conflict when the company already has
 *   the value
 */
export async function updateEntry(scope: CompanyScope, given: DictUpdate): Promise<DictEntry> {
  const { id, ...wanted } = given;
  const [was] = isId(id) ? await scope.rows(dictData, eq(dictData.id, id)).for("update") : [];
  if (was === undefined) throw await notOwn(scope, dictData, [id], NOT_OWN);
  const change = changes(was, wanted);
  if (change === null) return entryById(scope, id);
  if (change.after.dictType !== undefined) await ensureType(scope, change.after.dictType);
  await orTaken(
    scope.update(dictData, { ...change.after, updatedAt: sql`now()` }, eq(dictData.id, id)),
    wanted.dictValue ?? was.dictValue,
  );
  await dropEmptyTypes(scope, [was.dictType]);
  await audit(scope, { action: "update", entity: "dict-data", entityId: id, ...change });
  return entryById(scope, id);
}

/**
 * Deletes all entries or none.
 *
 * @throws AppError request.not-found, auth.forbidden for the platform's entries
 */
export async function deleteEntries(scope: CompanyScope, ids: readonly string[]): Promise<void> {
  if (!ids.every(isId)) throw new AppError("request.not-found");
  const gone = await scope.remove(dictData, inArray(dictData.id, [...ids])).returning();
  if (gone.length < ids.length) throw await notOwn(scope, dictData, ids, NOT_OWN);
  await dropEmptyTypes(
    scope,
    gone.map((row) => row.dictType),
  );
  await audit(
    scope,
    ...gone.map(({ id, dictType, dictLabel, dictValue }) => ({
      action: "delete",
      entity: "dict-data",
      entityId: id,
      before: { dictType, dictLabel, dictValue },
    })),
  );
}

const NOT_OWN = "平台字典不能修改或删除，可为本企业新增相同键值的条目";

const orTaken = <R>(query: PromiseLike<R>, value: string): Promise<R> =>
  unlessTaken(query, "dictValue", `字典键值“${value}”已存在`);

/** Creates a type for the company when the name is not in use yet. */
async function ensureType(scope: CompanyScope, dictType: string, name = dictType): Promise<void> {
  const known = await scope.sql(
    sql`SELECT 1 FROM dict_types t WHERE t.dict_type = ${dictType} AND ${visible(scope, "t")}`,
  );
  if (known.length > 0) return;
  await scope.insert(dictTypes, { dictType, dictName: name }).onConflictDoNothing();
}

/** Removes the company's types without entries, because nobody could see or delete them. */
async function dropEmptyTypes(scope: CompanyScope, types: readonly string[]): Promise<void> {
  const left = sql`NOT EXISTS (SELECT FROM dict_data d WHERE d.dict_type = ${dictTypes.dictType})`;
  await scope.remove(dictTypes, and(inArray(dictTypes.dictType, [...new Set(types)]), left));
}
