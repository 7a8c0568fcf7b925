/** What a company announces to its people (docs/session.md#bulletins). */
import {
  BULLETIN_EDIT,
  bulletinCreateCall,
  bulletinDeleteCall,
  bulletinGetCall,
  bulletinListCall,
  bulletinReadCall,
  bulletinTopCall,
  bulletinUpdateCall,
} from "../../../shared/protocol/rest/bulletins.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { holds, requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import {
  bulletinById,
  createBulletin,
  deleteBulletins,
  listBulletins,
  markRead,
  topBulletins,
  updateBulletin,
} from "./store.ts";

function createBulletinsModule(
  deps: Pick<ServerDeps, "clock" | "directory" | "tenants">,
): ServerModule {
  const { clock, directory, tenants } = deps;
  const run = <R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>): Promise<R> =>
    tenants.run(requireSupplier(principal), principal, work);
  const now = (): Date => new Date(clock.now());

  return {
    name: "bulletins",
    // Fixed paths come before the path with an id, which would match them too.
    routes(app) {
      route(app, bulletinListCall, deps, ({ query, principal }) =>
        run(principal, (scope) => listBulletins(scope, query)),
      );
      route(app, bulletinTopCall, deps, ({ query, principal }) =>
        run(principal, (scope) => topBulletins(scope, principal.accountId, query)),
      );
      route(app, bulletinGetCall, deps, ({ params, principal }) =>
        run(principal, (scope) =>
          bulletinById(scope, params.noticeId, holds(principal, BULLETIN_EDIT)),
        ),
      );
      route(app, bulletinCreateCall, deps, async ({ body, principal }) => {
        const author = await directory.personByChatName(principal.chatUserName);
        const name = author?.name ?? principal.chatUserName;
        return run(principal, (scope) =>
          createBulletin(scope, { accountId: principal.accountId, name }, now(), body),
        );
      });
      route(app, bulletinUpdateCall, deps, ({ body, principal }) =>
        run(principal, (scope) => updateBulletin(scope, now(), body)),
      );
      route(app, bulletinDeleteCall, deps, async ({ params, principal }) => {
        await run(principal, (scope) => deleteBulletins(scope, params.id.split(",")));
        return null;
      });
      route(app, bulletinReadCall, deps, async ({ body, principal }) => {
        await run(principal, (scope) =>
          markRead(scope, principal.accountId, now(), body.noticeIds),
        );
        return null;
      });
    },
  };
}

export const standalone: StandaloneModule = { area: "server", create: createBulletinsModule };
