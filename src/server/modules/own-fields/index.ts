/** The calls of the company's own fields of employees (docs/server.md#own-fields). */
import { sql } from "drizzle-orm";
import {
  ownFieldCreateCall,
  ownFieldDeleteCall,
  ownFieldListCall,
  ownFieldUpdateCall,
} from "../../../shared/protocol/rest/own-fields.ts";
import { orderBy } from "../../base/database/sorting.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import { createOwnField, deleteOwnField, listOwnFields, updateOwnField } from "./store.ts";

function createOwnFieldsModule(deps: ServerDeps): ServerModule {
  const inCompany = <R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>) =>
    deps.tenants.run(requireSupplier(principal), principal, work);
  return {
    name: "own-fields",
    routes(app) {
      route(app, ownFieldListCall, deps, ({ query, principal }) => {
        const order = orderBy(
          query.sort,
          { label: sql`f.label`, type: sql`f.type`, sort: sql`f.sort` },
          sql`f.sort, f.id`,
        );
        return inCompany(principal, (scope) => listOwnFields(scope, { ...query, order }));
      });
      route(app, ownFieldCreateCall, deps, ({ body, principal }) =>
        inCompany(principal, (scope) => createOwnField(scope, body)),
      );
      route(app, ownFieldUpdateCall, deps, ({ body, principal }) =>
        inCompany(principal, (scope) => updateOwnField(scope, body)),
      );
      route(app, ownFieldDeleteCall, deps, async ({ params, principal }) => {
        await inCompany(principal, (scope) => deleteOwnField(scope, params.id));
        return null;
      });
    },
  };
}

export const standalone: StandaloneModule = { area: "employees", create: createOwnFieldsModule };
