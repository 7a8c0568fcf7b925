/** The calls of the inaugural documents that a company asks for (docs/server.md#inaugural-documents). */
import { sql } from "drizzle-orm";
import {
  documentKindCreateCall,
  documentKindDeleteCall,
  documentKindListCall,
  documentKindUpdateCall,
} from "../../../shared/protocol/rest/document-kinds.ts";
import { orderBy } from "../../base/database/sorting.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import {
  createDocumentKind,
  deleteDocumentKind,
  listDocumentKinds,
  updateDocumentKind,
} from "./store.ts";

function createDocumentKindsModule(deps: ServerDeps): ServerModule {
  const inCompany = <R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>) =>
    deps.tenants.run(requireSupplier(principal), principal, work);
  return {
    name: "document-kinds",
    routes(app) {
      route(app, documentKindListCall, deps, ({ query, principal }) => {
        const order = orderBy(
          query.sort,
          { title: sql`k.title`, sort: sql`k.sort` },
          sql`k.sort, k.id`,
        );
        return inCompany(principal, (scope) => listDocumentKinds(scope, { ...query, order }));
      });
      route(app, documentKindCreateCall, deps, ({ body, principal }) =>
        inCompany(principal, (scope) => createDocumentKind(scope, body)),
      );
      route(app, documentKindUpdateCall, deps, ({ body, principal }) =>
        inCompany(principal, (scope) => updateDocumentKind(scope, body)),
      );
      route(app, documentKindDeleteCall, deps, async ({ params, principal }) => {
        await inCompany(principal, (scope) => deleteDocumentKind(scope, params.id));
        return null;
      });
    },
  };
}

export const standalone: StandaloneModule = {
  area: "employees",
  create: createDocumentKindsModule,
};
