/** Database queries of the dictionary: overridable entries, grouped by types (types.ts). */
import { type SQL, sql } from "drizzle-orm";
import type { DictEntry } from "../../../shared/protocol/rest/dict.ts";
import { anywhere, type Given } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import { dictData, dictTypes } from "../../base/database/schema/dictionary.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { type OverridableReader, visible } from "../../base/overridable/reader.ts";
import { allOf, createOverridableStore } from "../../base/overridable/store.ts";

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
export type DictUpdate = Given<Fields> & { readonly id: string; readonly version: number };
export type DictCreate = Given<Fields> &
  Pick<Fields, "dictType" | "dictLabel" | "dictValue"> & { readonly dictName?: string | undefined };

export const dictEntries = createOverridableStore<DictEntry, Fields>({
  table: dictData,
  entity: "dict-data",
  columns: sql`t.id::text AS "dictId", t.dict_name AS "dictName", e.dict_type AS "dictType",
    e.dict_label AS "dictLabel", e.dict_value AS "dictValue", e.dict_sort AS "dictSort",
    e.list_class AS "listClass", e.css_class AS "cssClass", e.status, e.remark`,
  // The platform's type takes precedence over a company's type of the same name, so that a page's address stays stable.
  joins: (reader) => sql`
    CROSS JOIN LATERAL (
      SELECT t.id, t.dict_name FROM dict_types t
      WHERE t.dict_type = e.dict_type AND ${visible(reader, "t")}
      ORDER BY t.company_id NULLS FIRST LIMIT 1) t`,
  order: sql`e.dict_type, e.dict_sort, e.id`,
  sorts: {
    dictLabel: sql`e.dict_label`,
    dictValue: sql`e.dict_value`,
    dictSort: sql`e.dict_sort`,
    status: sql`e.status`,
  },
  follows: ({ dictType, dictSort, id }) =>
    sql`(e.dict_type, e.dict_sort, e.id) > (${dictType}, ${dictSort}::int, ${id}::bigint)`,
  keyOf: ({ dictType, dictValue }) => `${dictType} ${dictValue}`,
  unique: { field: "dictValue", taken: (value) => `字典键值“${value}”已存在` },
  platformOnly: "平台字典不能修改或删除，可为本企业新增相同键值的条目",
  audited: ["dictType", "dictLabel", "dictValue"],
});

export const matching = ({ dictType, dictId, dictLabel, status }: DictFilters): SQL =>
  allOf(
    dictType === undefined || dictType === "" ? undefined : sql`e.dict_type = ${dictType}`,
    dictId === undefined ? undefined : isId(dictId) ? sql`t.id = ${dictId}::bigint` : sql`false`,
    dictLabel === undefined || dictLabel === ""
      ? undefined
      : sql`e.dict_label ILIKE ${anywhere(dictLabel)}`,
    status === undefined ? undefined : sql`e.status = ${status}`,
  );

export interface Dictionary {
  readonly dictId: string;
  readonly dictType: string;
  readonly dictName: string;
  readonly dictDatas: DictEntry[];
}

/** All dictionaries that are in effect for the reader, by type. */
export async function dictionaries(reader: OverridableReader): Promise<Map<string, Dictionary>> {
  const types = await reader.sql<Omit<Dictionary, "dictDatas">>(sql`
    SELECT DISTINCT ON (t.dict_type)
      t.id::text AS "dictId", t.dict_type AS "dictType", t.dict_name AS "dictName"
    FROM dict_types t WHERE ${visible(reader, "t")}
    ORDER BY t.dict_type, t.company_id NULLS FIRST`);
  const byType = new Map(types.map((type) => [type.dictType, { ...type, dictDatas: [] }]));
  for (const entry of await dictEntries.inEffect(reader)) {
    const list: DictEntry[] | undefined = byType.get(entry.dictType)?.dictDatas;
    list?.push(entry);
  }
  return byType;
}

/** @throws AppError request.conflict when the company already has the value */
export async function createEntry(scope: CompanyScope, given: DictCreate): Promise<DictEntry> {
  const { dictName, dictType, dictLabel, dictValue } = given;
  await ensureType(scope, dictType, dictName);
  return dictEntries.create(scope, {
    dictType,
    dictLabel,
    dictValue,
    dictSort: given.dictSort ?? 0,
    listClass: given.listClass ?? "default",
    cssClass: given.cssClass ?? "",
    status: given.status ?? "0",
    remark: given.remark ?? "",
  });
}

/** @throws AppError as the store's update */
export const updateEntry = (scope: CompanyScope, given: DictUpdate): Promise<DictEntry> =>
  dictEntries.update(scope, given, {
    before: async ({ dictType }) => {
      if (dictType !== undefined) await ensureType(scope, dictType);
    },
  });

/**
 * Deletes all entries or none.
 *
 * @throws AppError as the store's remove
 */
export async function deleteEntries(scope: CompanyScope, ids: readonly string[]): Promise<void> {
  await dictEntries.remove(scope, ids);
}

/** Creates a type for the company when the name is not in use yet. */
async function ensureType(scope: CompanyScope, dictType: string, name = dictType): Promise<void> {
  const known = await scope.sql(
    sql`SELECT 1 FROM dict_types t WHERE t.dict_type = ${dictType} AND ${visible(scope, "t")}`,
  );
  if (known.length > 0) return;
  await scope.insert(dictTypes, { dictType, dictName: name }).onConflictDoNothing();
}
