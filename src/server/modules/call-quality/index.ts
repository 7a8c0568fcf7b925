/** What operations read of calls and conferences (docs/server.md#quality-of-calls). A company sees its own, operators of the platform all. */
import { callViewSteps } from "../../../shared/domain/call-view.ts";
import { doneInSteps } from "../../../shared/domain/steps.ts";
import { AppError } from "../../../shared/errors.ts";
import { writeCallFile } from "../../../shared/protocol/call-file.ts";
import {
  type MeasuredCall,
  measuredCallCall,
  measuredCallsCall,
  measuredFileCall,
  measuredReachCall,
} from "../../../shared/protocol/rest/quality-of-calls.ts";
import { audit, auditCompany } from "../../base/audit/index.ts";
import { isPlatform } from "../../base/database/companies.ts";
import { holds, requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import { pause } from "../../base/pause.ts";
import { cleanName, disposition } from "../../base/storage/names.ts";
import { createCallQualityStore } from "./store.ts";

type Deps = Pick<ServerDeps, "db" | "tenants" | "directory" | "clock" | "log">;

function createCallQualityModule(deps: Deps): ServerModule {
  const { db, tenants } = deps;
  const store = createCallQualityStore(db);

  const runsPlatform = async (principal: Principal, permission: string): Promise<boolean> =>
    holds(principal, permission) && (await isPlatform(db, requireSupplier(principal)));

  /** Who looked at whose call stands in the log of the company, and for a call of another one in that of the platform. */
  async function record(
    principal: Principal,
    own: boolean,
    call: MeasuredCall,
    action: "view" | "export",
  ): Promise<void> {
    const company = requireSupplier(principal);
    const look = {
      action,
      entity: "call",
      entityId: call.id,
      after: { people: call.people.join("、") },
    };
    if (own) await tenants.run(company, principal, (scope) => audit(scope, look));
    else await db.transaction((tx) => auditCompany(tx, company, principal, look));
  }

  /** @throws AppError request.not-found when the caller may not see such a call */
  async function opened(principal: Principal, id: string, action: "view" | "export") {
    const company = requireSupplier(principal);
    const own = holds(principal, "monitor:call:view") ? await store.find(company, id) : null;
    const mayAll = own === null && (await runsPlatform(principal, "platform:call:view"));
    const call = own ?? (mayAll ? await store.find(null, id) : null);
    if (call === null) throw new AppError("request.not-found");
    await record(principal, own !== null, call, action);
    return { call, ...(await store.timeline(own === null ? null : company, call.id)) };
  }

  return {
    name: "call-quality",
    routes(app) {
      route(app, measuredCallsCall, deps, async ({ query, principal }) => {
        const { scope, ...rest } = query;
        const all = scope === "all";
        if (all && !(await runsPlatform(principal, "platform:call:list"))) {
          throw new AppError("request.not-found");
        }
        return store.page(all ? null : requireSupplier(principal), rest);
      });

      route(app, measuredReachCall, deps, async ({ principal }) => ({
        all: await runsPlatform(principal, "platform:call:list"),
      }));

      route(app, measuredCallCall, deps, async ({ params, principal }) => {
        const { call, timeline, ...rest } = await opened(principal, params.id, "view");
        return { ...call, ...rest, view: await doneInSteps(callViewSteps(timeline), pause) };
      });

      route(app, measuredFileCall, deps, async ({ params, principal }) => {
        const { call, timeline, names } = await opened(principal, params.id, "export");
        return new Response(writeCallFile({ timeline, names }), {
          headers: {
            "content-type": "application/json",
            "content-disposition": disposition("call.json", cleanName(`call-${call.id}.json`)),
          },
        });
      });
    },
  };
}

export const standalone: StandaloneModule = { area: "server", create: createCallQualityModule };
