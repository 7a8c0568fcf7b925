/** The calls by which a company says which fields it uses (docs/server.md#field-settings). */
import {
  fieldSettingsGetCall,
  fieldSettingsSaveCall,
} from "../../../shared/protocol/rest/field-settings.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import { readFieldSettings, saveFieldSettings } from "./store.ts";

function createFieldSettingsModule(deps: ServerDeps): ServerModule {
  const { tenants } = deps;
  return {
    name: "field-settings",
    routes(app) {
      route(app, fieldSettingsGetCall, deps, ({ params, principal }) =>
        tenants.run(requireSupplier(principal), principal, (scope) =>
          readFieldSettings(scope, params.subject),
        ),
      );
      route(app, fieldSettingsSaveCall, deps, ({ params, body, principal }) =>
        tenants.run(requireSupplier(principal), principal, (scope) =>
          saveFieldSettings(scope, params.subject, body),
        ),
      );
    },
  };
}

export const standalone: StandaloneModule = {
  area: "employees",
  create: createFieldSettingsModule,
};
