/** Database queries of the dictionary's types. */
import { type SQL, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import type { DictTypeRow } from "../../../shared/protocol/rest/dict.ts";
import { anywhere, type Given } from "../../base/database/common.ts";
import { dictTypes } from "../../base/database/schema/dictionary.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { visible } from "../../base/overridable/reader.ts";
import { allOf, createOverridableStore } from "../../base/overridable/store.ts";

type Fields = Pick<DictTypeRow, "dictType" | "dictName" | "remark">;

export const types = createOverridableStore<DictTypeRow, Fields>({
  table: dictTypes,
  entity: "dict-type",
  columns: sql`e.dict_type AS "dictType", e.dict_name AS "dictName", e.remark, d.entries`,
  joins: (reader) => sql`
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS entries FROM dict_data d
      WHERE d.dict_type = e.dict_type AND ${visible(reader, "d")}) d`,
  order: sql`e.dict_type, e.id`,
  sorts: {
    dictName: sql`e.dict_name`,
    dictType: sql`e.dict_type`,
    entries: sql`d.entries`,
    createTime: sql`e.created_at`,
  },
  follows: ({ dictType, id }) => sql`(e.dict_type, e.id) > (${dictType}, ${id}::bigint)`,
  keyOf: ({ dictType }) => dictType,
  unique: { field: "dictType", taken: (type) => `字典类型“${type}”已存在` },
  platformOnly: "平台字典类型不能修改或删除，可为其新增本企业的条目",
  audited: ["dictType", "dictName", "remark"],
});

const like = (column: SQL, text: string | undefined): SQL | undefined =>
  text === undefined || text === "" ? undefined : sql`${column} ILIKE ${anywhere(text)}`;

export const matchingTypes = (filters: {
  readonly dictName?: string | undefined;
  readonly dictType?: string | undefined;
}): SQL =>
  allOf(like(sql`e.dict_name`, filters.dictName), like(sql`e.dict_type`, filters.dictType));

/** @throws AppError request.conflict when the company or the platform already has the type */
export async function createType(
  scope: CompanyScope,
  { dictType, dictName, remark = "" }: Given<Fields> & Pick<Fields, "dictType" | "dictName">,
): Promise<DictTypeRow> {
  // A company's type of that name would hide behind the platform's.
  const platforms = await scope.sql(
    sql`SELECT 1 FROM dict_types WHERE company_id IS NULL AND dict_type = ${dictType}`,
  );
  if (platforms.length > 0) {
    throw new AppError("request.conflict", {
      message: `字典类型“${dictType}”已存在`,
      details: { fields: { dictType: "已存在" } },
    });
  }
  return types.create(scope, { dictType, dictName, remark });
}

/**
 * Deletes all types or none.
 *
 * @throws AppError as the store's remove, and request.conflict for a type that has entries
 */
export async function deleteTypes(scope: CompanyScope, ids: readonly string[]): Promise<void> {
  const gone = await types.remove(scope, ids);
  for (const { dictType, dictName } of gone) {
    const [entry] = await scope.sql(
      sql`SELECT 1 FROM dict_data WHERE dict_type = ${dictType} LIMIT 1`,
    );
    if (entry !== undefined) {
      throw new AppError("request.conflict", {
        message: `字典“${dictName}”仍有数据，请先删除其数据`,
      });
    }
  }
}
