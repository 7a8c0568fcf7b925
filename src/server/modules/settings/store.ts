/** Database queries of the settings. */
import { eq, inArray, type SQL, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import type { ConfigItem } from "../../../shared/protocol/rest/config-items.ts";
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
import { configs } from "../../base/database/schema/dictionary.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";

export interface ConfigFilters {
  readonly configName?: string | undefined;
  readonly configKey?: string | undefined;
  readonly configType?: "Y" | "N" | undefined;
}

type Fields = Pick<
  ConfigItem,
  "configKey" | "configName" | "configValue" | "configType" | "remark"
>;
export type ConfigUpdate = Given<Fields> & { readonly id: string };
export type ConfigCreate = Given<Fields> & Pick<Fields, "configKey" | "configName" | "configValue">;

/** @param tail conditions starting with AND, order and limit */
const items = (reader: CommonReader, tail: SQL): Promise<ConfigItem[]> =>
  reader.sql<ConfigItem>(sql`
    SELECT c.id::text AS id, c.company_id::text AS "supplierId",
      c.config_key AS "configKey", c.config_name AS "configName",
      c.config_value AS "configValue", c.config_type AS "configType", c.remark,
      ${isoTime("c.created_at")} AS "createTime", ${isoTime("c.updated_at")} AS "updateTime"
    FROM configs c WHERE ${visible(reader, "c")} ${tail}`);

function matching({ configName, configKey, configType }: ConfigFilters): SQL {
  const like = (column: SQL, text: string | undefined): SQL =>
    text === undefined || text === "" ? sql`` : sql` AND ${column} ILIKE ${anywhere(text)}`;
  return sql.join([
    like(sql`c.config_name`, configName),
    like(sql`c.config_key`, configKey),
    configType === undefined ? sql`` : sql` AND c.config_type = ${configType}`,
  ]);
}

/** @returns total 0 when no count was requested */
export async function listItems(
  reader: CommonReader,
  query: ConfigFilters & {
    readonly cursor: number;
    readonly limit: number;
    readonly searchCount: boolean;
  },
) {
  const { cursor, limit, searchCount } = query;
  const where = matching(query);
  const records = await items(
    reader,
    sql`${where} ORDER BY c.id LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`,
  );
  const [counted] = searchCount
    ? await reader.sql<{ total: number }>(
        sql`SELECT count(*)::int AS total FROM configs c WHERE ${visible(reader, "c")} ${where}`,
      )
    : [];
  return { records, total: counted?.total ?? 0, cursor, limit };
}

/** The next items of the list after the given one, for reading all of them in pieces. */
export const itemsAfter = (
  reader: CommonReader,
  filters: ConfigFilters,
  last: ConfigItem | null,
  limit: number,
): Promise<ConfigItem[]> =>
  items(
    reader,
    sql`${matching(filters)} AND c.id > ${last?.id ?? "0"}::bigint ORDER BY c.id LIMIT ${limit}`,
  );

/** @throws AppError request.not-found */
export async function itemById(reader: CommonReader, id: string): Promise<ConfigItem> {
  const [found] = isId(id) ? await items(reader, sql`AND c.id = ${id}::bigint`) : [];
  if (found === undefined) throw new AppError("request.not-found");
  return found;
}

/** The values that are in effect for the reader, by key. A company's value replaces the platform's. */
export async function valuesByKey(reader: CommonReader): Promise<Map<string, string>> {
  const rows = await items(reader, sql`ORDER BY c.company_id NULLS FIRST`);
  return new Map(rows.map((row) => [row.configKey, row.configValue]));
}

/** @throws AppError request.conflict when the company already has the key */
export async function createItem(scope: CompanyScope, given: ConfigCreate): Promise<ConfigItem> {
  const { configKey, configName, configValue, configType = "N", remark = "" } = given;
  const row = { configKey, configName, configValue, configType, remark };
  const [made] = await orTaken(scope.insert(configs, row).returning({ id: configs.id }), configKey);
  const id = made?.id ?? "";
  await audit(scope, { action: "create", entity: "config", entityId: id, after: row });
  return itemById(scope, id);
}

/**
 * @throws AppError request.not-found, auth.forbidden for the platform's item, request.conflict when the company already has the
 *   key
 */
export async function updateItem(scope: CompanyScope, given: ConfigUpdate): Promise<ConfigItem> {
  const { id, ...wanted } = given;
  const [was] = isId(id) ? await scope.rows(configs, eq(configs.id, id)).for("update") : [];
  if (was === undefined) throw await notOwn(scope, configs, [id], NOT_OWN);
  const change = changes(was, wanted);
  if (change === null) return itemById(scope, id);
  await orTaken(
    scope.update(configs, { ...change.after, updatedAt: sql`now()` }, eq(configs.id, id)),
    wanted.configKey ?? was.configKey,
  );
  await audit(scope, { action: "update", entity: "config", entityId: id, ...change });
  return itemById(scope, id);
}

/**
 * Deletes all items or none.
 *
 * @throws AppError request.not-found, auth.forbidden for the platform's items and for built-in ones
 */
export async function deleteItems(scope: CompanyScope, ids: readonly string[]): Promise<void> {
  if (!ids.every(isId)) throw new AppError("request.not-found");
  const gone = await scope.remove(configs, inArray(configs.id, [...ids])).returning();
  if (gone.length < ids.length) throw await notOwn(scope, configs, ids, NOT_OWN);
  const builtIn = gone.find((row) => row.configType === "Y");
  if (builtIn !== undefined) {
    throw new AppError("auth.forbidden", { message: `内置参数“${builtIn.configKey}”不能删除` });
  }
  await audit(
    scope,
    ...gone.map(({ id, configKey, configName, configValue }) => ({
      action: "delete",
      entity: "config",
      entityId: id,
      before: { configKey, configName, configValue },
    })),
  );
}

const NOT_OWN = "平台参数不能修改或删除，可为本企业新增相同键名的参数";

const orTaken = <R>(query: PromiseLike<R>, key: string): Promise<R> =>
  unlessTaken(query, "configKey", `参数键名“${key}”已存在`);
