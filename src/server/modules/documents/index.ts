/** The calls of what employees hand in (docs/server.md#inaugural-documents). */
import { sql } from "drizzle-orm";
import {
  documentsDecideCall,
  documentsHandInCall,
  documentsHandInOwnCall,
  documentsListCall,
  documentsOwnCall,
} from "../../../shared/protocol/rest/documents.ts";
import { orderBy } from "../../base/database/sorting.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import { listDocuments } from "./list.ts";
import { decide, handIn } from "./handing-in.ts";

const SORTS = {
  employeeName: sql`x.name`,
  title: sql`x.title`,
  createTime: sql`x.handed_at`,
  expiresOn: sql`x.expires_on`,
};

function createDocumentsModule(deps: ServerDeps): ServerModule {
  const { clock } = deps;
  const inCompany = <R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>) =>
    deps.tenants.run(requireSupplier(principal), principal, work);
  return {
    name: "documents",
    routes(app) {
      route(app, documentsListCall, deps, ({ body: { sort, ...wanted }, principal }) =>
        inCompany(principal, (scope) =>
          listDocuments(
            scope,
            { ...wanted, order: (usual) => orderBy(sort, SORTS, usual) },
            clock.now(),
          ),
        ),
      );
      route(app, documentsOwnCall, deps, ({ query, principal }) =>
        inCompany(principal, (scope) =>
          listDocuments(scope, { ...query, accountId: principal.accountId }, clock.now()),
        ),
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
