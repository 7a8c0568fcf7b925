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
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { holds, requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import {
  bulletinEditors,
  bulletinById,
  createBulletin,
  deleteBulletins,
  listBulletins,
  markRead,
  topBulletins,
  updateBulletin,
} from "./store.ts";

function createBulletinsModule(
  deps: Pick<ServerDeps, "bus" | "clock" | "directory" | "tenants">,
): ServerModule {
  const { bus, clock, directory, tenants } = deps;
  const run = <R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>): Promise<R> =>
    tenants.run(requireSupplier(principal), principal, work);
  const now = (): Date => new Date(clock.now());
  /** Their list counts the readers. When many read at once, it follows every few seconds. */
  const tellEditors = async (supplierId: string, people: readonly string[]): Promise<void> => {
    if (people.length === 0) return;
    const changes: DataChanges = {
      supplierId,
      tags: ["bulletins"],
      steady: true,
      except: null,
      only: null,
      people: [...people],
    };
    await bus.publish(DATA_CHANGES, changes);
  };

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
        const editors = await run(principal, async (scope) => {
          const isNew = await markRead(scope, principal.accountId, now(), body.noticeIds);
          return isNew ? await bulletinEditors(scope) : [];
        });
        await tellEditors(requireSupplier(principal), editors);
        return null;
      });
    },
  };
}

export const standalone: StandaloneModule = { area: "server", create: createBulletinsModule };
