/** The demo data of a company: what there is, and its removal (docs/server.md#demo-data). */
import { count, eq, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { demoCalls } from "../../../shared/protocol/rest/demo.ts";
import { companies } from "../../base/database/schema/base.ts";
import { demoRows } from "../../base/database/schema/demo.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import { removeDemoData } from "./fill.ts";

const NAME_DIFFERS = "与企业名称不一致";

function createDemoModule(deps: Pick<ServerDeps, "db" | "tenants" | "directory">): ServerModule {
  const { db, tenants } = deps;
  return {
    name: "demo",
    routes(app) {
      route(app, demoCalls.demoState, deps, ({ principal }) =>
        tenants.run(requireSupplier(principal), principal, async (scope) => {
          const [row] = await scope.select(
            {
              rows: count(),
              employees: sql<number>`count(*) FILTER (WHERE ${demoRows.kind} = 'employee')::int`,
            },
            demoRows,
          );
          return { rows: row?.rows ?? 0, employees: row?.employees ?? 0 };
        }),
      );
      route(app, demoCalls.demoRemove, deps, async ({ body, principal }) => {
        const companyId = requireSupplier(principal);
        const [company] = await db
          .select({ name: companies.name })
          .from(companies)
          .where(eq(companies.id, companyId));
        if (company?.name !== body.name) {
          throw new AppError("request.invalid", {
            message: NAME_DIFFERS,
            details: { fields: { name: NAME_DIFFERS } },
          });
        }
        return { removed: await removeDemoData(db, companyId, principal) };
      });
    },
  };
}

export const standalone: StandaloneModule = { area: "server", create: createDemoModule };
