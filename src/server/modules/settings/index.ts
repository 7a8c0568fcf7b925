/** Settings by key: their table, queries and calls. Settings are overridable entries (docs/server.md#tenants); reading is cached. */
import { type SQL, sql } from "drizzle-orm";
import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { AppError } from "../../../shared/errors.ts";
import { configCalls, type ConfigItem } from "../../../shared/protocol/rest/config-items.ts";
import { createCompanyCache } from "../../base/cache/index.ts";
import { anywhere, type Given } from "../../base/database/common.ts";
import { idColumn } from "../../base/database/ids.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import { createOverridableCalls } from "../../base/overridable/index.ts";
import { type OverridableReader, readOverridable } from "../../base/overridable/reader.ts";
import { allOf, createOverridableStore } from "../../base/overridable/store.ts";
import type { Column } from "../../base/xlsx/index.ts";

const time = (name: string) => timestamp(name, { withTimezone: true }).notNull().defaultNow();

/** See 0006_dictionary.sql. */
export const configs = pgTable("configs", {
  id: idColumn("id")
    .primaryKey()
    .default(sql`default`),
  companyId: idColumn("company_id"),
  configKey: text("config_key").notNull(),
  configName: text("config_name").notNull(),
  configValue: text("config_value").notNull(),
  /** Y: built in and cannot be deleted. */
  configType: text("config_type").$type<"Y" | "N">().notNull().default("N"),
  remark: text("remark").notNull().default(""),
  /** Raised by the database with each change. */
  version: integer("version").notNull().default(1),
  createdAt: time("created_at"),
  updatedAt: time("updated_at"),
});

interface ConfigFilters {
  readonly configName?: string | undefined;
  readonly configKey?: string | undefined;
  readonly configType?: "Y" | "N" | undefined;
}

type Fields = Pick<
  ConfigItem,
  "configKey" | "configName" | "configValue" | "configType" | "remark"
>;
type ConfigCreate = Given<Fields> & Pick<Fields, "configKey" | "configName" | "configValue">;

const configItems = createOverridableStore<ConfigItem, Fields>({
  table: configs,
  entity: "config",
  columns: sql`e.config_key AS "configKey", e.config_name AS "configName",
    e.config_value AS "configValue", e.config_type AS "configType", e.remark`,
  order: sql`e.id`,
  sorts: {
    configName: sql`e.config_name`,
    configKey: sql`e.config_key`,
    configType: sql`e.config_type`,
  },
  follows: ({ id }) => sql`e.id > ${id}::bigint`,
  keyOf: ({ configKey }) => configKey,
  unique: { field: "configKey", taken: (key) => `参数键名“${key}”已存在` },
  platformOnly: "平台参数不能修改或删除，可为本企业新增相同键名的参数",
  audited: ["configKey", "configName", "configValue"],
});

function matching({ configName, configKey, configType }: ConfigFilters): SQL {
  const like = (column: SQL, text: string | undefined): SQL | undefined =>
    text === undefined || text === "" ? undefined : sql`${column} ILIKE ${anywhere(text)}`;
  return allOf(
    like(sql`e.config_name`, configName),
    like(sql`e.config_key`, configKey),
    configType === undefined ? undefined : sql`e.config_type = ${configType}`,
  );
}

/** The values that are in effect for the reader, by key. */
async function valuesByKey(reader: OverridableReader): Promise<Map<string, string>> {
  const items = await configItems.inEffect(reader);
  return new Map(items.map((item) => [item.configKey, item.configValue]));
}

/** @throws AppError request.conflict when the company already has the key */
const createItem = (scope: CompanyScope, given: ConfigCreate): Promise<ConfigItem> => {
  const { configKey, configName, configValue, configType = "N", remark = "" } = given;
  return configItems.create(scope, { configKey, configName, configValue, configType, remark });
};

/**
 * Deletes all items or none.
 *
 * @throws AppError as the store's remove, and auth.forbidden for built-in ones
 */
async function deleteItems(scope: CompanyScope, ids: readonly string[]): Promise<void> {
  const gone = await configItems.remove(scope, ids);
  const builtIn = gone.find((row) => row.configType === "Y");
  if (builtIn !== undefined) {
    throw new AppError("auth.forbidden", { message: `内置参数“${builtIn.configKey}”不能删除` });
  }
}

const COLUMNS: readonly Column<ConfigItem>[] = [
  { title: "参数主键", value: (item) => item.id, width: 12 },
  { title: "参数名称", value: (item) => item.configName, width: 24 },
  { title: "参数键名", value: (item) => item.configKey, width: 28 },
  { title: "参数键值", value: (item) => item.configValue, width: 28 },
  { title: "系统内置", value: (item) => (item.configType === "Y" ? "是" : "否"), width: 10 },
  { title: "归属", value: (item) => (item.supplierId === null ? "平台" : "本企业"), width: 8 },
  { title: "备注", value: (item) => item.remark, width: 30 },
  { title: "创建时间", value: (item) => new Date(item.createTime), width: 20 },
];

const FILE = { name: "参数数据.xlsx", columns: COLUMNS };

function createSettingsModule(deps: ServerDeps): ServerModule {
  const cache = createCompanyCache(deps, "settings.changed", (companyId) =>
    readOverridable(deps, companyId, null, valuesByKey),
  );
  const { run, change, remove, download } = createOverridableCalls(deps, cache);

  return {
    name: "settings",
    // Fixed paths come before the path with an id, which would match them too.
    routes(app) {
      route(app, configCalls.configList, deps, ({ query, principal }) =>
        run(principal, (scope) => configItems.list(scope, matching(query), query)),
      );
      route(app, configCalls.configExport, deps, ({ query, principal, c }) =>
        download<ConfigItem>(principal, c, FILE, (scope, last, limit) =>
          configItems.listAfter(scope, matching(query), last, limit),
        ),
      );
      route(app, configCalls.configRefresh, deps, async ({ principal }) => {
        await cache.forget(requireSupplier(principal));
        return null;
      });
      route(app, configCalls.configGet, deps, ({ params, principal }) =>
        run(principal, (scope) => configItems.byId(scope, params.id)),
      );
      route(app, configCalls.configCreate, deps, ({ body, principal }) =>
        change(principal, (scope) => createItem(scope, body)),
      );
      route(app, configCalls.configUpdate, deps, ({ body, principal }) =>
        change(principal, (scope) => configItems.update(scope, body)),
      );
      route(app, configCalls.configDelete, deps, ({ params, principal }) =>
        remove(principal, params.id, deleteItems),
      );
      route(app, configCalls.configByKey, deps, async ({ params, principal }) => {
        const value = (await cache.get(principal.supplierId)).get(params.key);
        if (value === undefined) throw new AppError("request.not-found");
        return value;
      });
    },
    stop() {
      cache.close();
      return Promise.resolve();
    },
  };
}

export const standalone: StandaloneModule = { area: "server", create: createSettingsModule };
