/** The calls of what employees hand in (docs/server.md#inaugural-documents). */
import {
  documentsDecideCall,
  documentsHandInCall,
  documentsHandInOwnCall,
  documentsListCall,
  documentsOwnCall,
} from "../../../shared/protocol/rest/documents.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import { createDocumentLists } from "./list.ts";
import { decide, handIn } from "./handing-in.ts";

function createDocumentsModule(deps: ServerDeps): ServerModule {
  const { clock } = deps;
  const lists = createDocumentLists();
  const inCompany = <R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>) =>
    deps.tenants.run(requireSupplier(principal), principal, work);
  return {
    name: "documents",
    routes(app) {
      route(app, documentsListCall, deps, ({ body, principal }) =>
        inCompany(principal, (scope) => lists.page(scope, body, clock.now())),
      );
      route(app, documentsOwnCall, deps, ({ query, principal }) =>
        inCompany(principal, (scope) => lists.own(scope, principal.accountId, query, clock.now())),
      );
      route(app, documentsHandInOwnCall, deps, async ({ body, principal }) => {
        const by = { accountId: principal.accountId, employeeId: null };
        await inCompany(principal, (scope) => handIn(scope, by, body, clock.now()));
        return null;
      });
      route(app, documentsHandInCall, deps, async ({ body, principal }) => {
        const by = { accountId: principal.accountId, employeeId: body.employeeId };
        await inCompany(principal, (scope) => handIn(scope, by, body, clock.now()));
        return null;
      });
      route(app, documentsDecideCall, deps, async ({ body, principal }) => {
        await inCompany(principal, (scope) => decide(scope, body, clock.now()));
        return null;
      });
    },
  };
}

export const standalone: StandaloneModule = {
  area: "employees",
  create: createDocumentsModule,
};
