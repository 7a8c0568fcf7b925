/** Settings by key (docs/server.md#tenants): the platform's and each company's own, which stand before them; reading is cached. */
import { AppError } from "../../../shared/errors.ts";
import {
  configByKeyCall,
  configCreateCall,
  configDeleteCall,
  configExportCall,
  configGetCall,
  type ConfigItem,
  configListCall,
  configRefreshCall,
  configUpdateCall,
} from "../../../shared/protocol/rest/config-items.ts";
import { createCompanyEntries } from "../../base/cache/company-entries.ts";
import { createCompanyCache } from "../../base/cache/index.ts";
import { readCommon } from "../../base/database/common.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule } from "../../base/module.ts";
import type { Column } from "../../base/xlsx/index.ts";
import {
  createItem,
  deleteItems,
  itemById,
  itemsAfter,
  listItems,
  updateItem,
  valuesByKey,
} from "./store.ts";

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

export function createSettingsModule(deps: ServerDeps): ServerModule {
  const cache = createCompanyCache(deps, "settings.changed", (companyId) =>
    readCommon(deps, companyId, null, valuesByKey),
  );
  const { run, change, remove, download } = createCompanyEntries(deps, cache);

  return {
    name: "settings",
    // Fixed paths come before the path with an id, which would match them too.
    routes(app) {
      route(app, configListCall, deps, ({ query, principal }) =>
        run(principal, (scope) => listItems(scope, query)),
      );
      route(app, configExportCall, deps, ({ query, principal, c }) =>
        download<ConfigItem>(principal, c, FILE, (scope, last, limit) =>
          itemsAfter(scope, query, last, limit),
        ),
      );
      route(app, configRefreshCall, deps, async ({ principal }) => {
        await cache.forget(requireSupplier(principal));
        return null;
      });
      route(app, configGetCall, deps, ({ params, principal }) =>
        run(principal, (scope) => itemById(scope, params.id)),
      );
      route(app, configCreateCall, deps, ({ body, principal }) =>
        change(principal, (scope) => createItem(scope, body)),
      );
      route(app, configUpdateCall, deps, ({ body, principal }) =>
        change(principal, (scope) => updateItem(scope, body)),
      );
      route(app, configDeleteCall, deps, ({ params, principal }) =>
        remove(principal, params.id, deleteItems),
      );
      route(app, configByKeyCall, deps, async ({ params, principal }) => {
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
