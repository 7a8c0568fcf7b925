/** The calls of the dictionary. Its entries are overridable (docs/server.md#tenants); reading is cached. */
import {
  dictByTypeCall,
  dictCreateCall,
  dictDatasCall,
  dictDeleteCall,
  type DictEntry,
  dictEntryCall,
  dictExportCall,
  dictListCall,
  dictTypeCall,
  dictTypeCreateCall,
  dictTypeDeleteCall,
  dictTypeListCall,
  dictTypeUpdateCall,
  dictUpdateCall,
} from "../../../shared/protocol/rest/dict.ts";
import { createCompanyCache } from "../../base/cache/index.ts";
import { route } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import { createOverridableCalls } from "../../base/overridable/index.ts";
import { readOverridable } from "../../base/overridable/reader.ts";
import type { Column } from "../../base/xlsx/index.ts";
import {
  createEntry,
  deleteEntries,
  dictEntries,
  dictionaries,
  matching,
  updateEntry,
} from "./store.ts";
import { createType, deleteTypes, matchingTypes, types } from "./types.ts";

const COLUMNS: readonly Column<DictEntry>[] = [
  { title: "字典编码", value: (entry) => entry.id, width: 12 },
  { title: "字典名称", value: (entry) => entry.dictName },
  { title: "字典类型", value: (entry) => entry.dictType, width: 20 },
  { title: "字典标签", value: (entry) => entry.dictLabel, width: 20 },
  { title: "字典键值", value: (entry) => entry.dictValue },
  { title: "字典排序", value: (entry) => entry.dictSort, width: 10 },
  { title: "标签样式", value: (entry) => entry.listClass },
  { title: "样式属性", value: (entry) => entry.cssClass },
  { title: "状态", value: (entry) => (entry.status === "0" ? "正常" : "停用"), width: 8 },
  { title: "归属", value: (entry) => (entry.supplierId === null ? "平台" : "本企业"), width: 8 },
  { title: "备注", value: (entry) => entry.remark, width: 30 },
  { title: "创建时间", value: (entry) => new Date(entry.createTime), width: 20 },
];

const FILE = { name: "字典数据.xlsx", columns: COLUMNS };

function createDictionaryModule(deps: ServerDeps): ServerModule {
  const cache = createCompanyCache(deps, "dictionary.changed", (companyId) =>
    readOverridable(deps, companyId, null, dictionaries),
  );
  const { run, change, remove, download } = createOverridableCalls(deps, cache);

  return {
    name: "dictionary",
    // Fixed paths come before the path with an id, which would match them too.
    routes(app) {
      route(app, dictTypeListCall, deps, ({ query, principal }) =>
        run(principal, (scope) => types.list(scope, matchingTypes(query), query)),
      );
      route(app, dictTypeCall, deps, ({ params, principal }) =>
        run(principal, (scope) => types.byId(scope, params.id)),
      );
      route(app, dictTypeCreateCall, deps, ({ body, principal }) =>
        change(principal, (scope) => createType(scope, body)),
      );
      route(app, dictTypeUpdateCall, deps, ({ body, principal }) =>
        change(principal, (scope) => types.update(scope, body)),
      );
      route(app, dictTypeDeleteCall, deps, ({ params, principal }) =>
        remove(principal, params.id, deleteTypes),
      );
      route(app, dictListCall, deps, ({ query, principal }) =>
        run(principal, (scope) => dictEntries.list(scope, matching(query), query)),
      );
      route(app, dictExportCall, deps, ({ query, principal, c }) =>
        download<DictEntry>(principal, c, FILE, (scope, last, limit) =>
          dictEntries.listAfter(scope, matching(query), last, limit),
        ),
      );
      route(app, dictByTypeCall, deps, async ({ params, principal }) => {
        const all = await cache.get(principal.supplierId);
        return all.get(params.type)?.dictDatas ?? [];
      });
      route(app, dictDatasCall, deps, async ({ query, principal }) => {
        const all = Array.from((await cache.get(principal.supplierId)).values());
        if (query.dictTypes === undefined) return all;
        const wanted = new Set(query.dictTypes.split(",").map((type) => type.trim()));
        return all.filter(({ dictType }) => wanted.has(dictType));
      });
      route(app, dictEntryCall, deps, ({ params, principal }) =>
        run(principal, (scope) => dictEntries.byId(scope, params.id)),
      );
      route(app, dictCreateCall, deps, ({ body, principal }) =>
        change(principal, (scope) => createEntry(scope, body)),
      );
      route(app, dictUpdateCall, deps, ({ body, principal }) =>
        change(principal, (scope) => updateEntry(scope, body)),
      );
      route(app, dictDeleteCall, deps, ({ params, principal }) =>
        remove(principal, params.id, deleteEntries),
      );
    },
    stop() {
      cache.close();
      return Promise.resolve();
    },
  };
}

export const standalone: StandaloneModule = { area: "server", create: createDictionaryModule };
