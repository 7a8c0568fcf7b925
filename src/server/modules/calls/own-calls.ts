/** The call of two in which a person is on whichever device, over REST (docs/calls.md#to-another-device). */
import type { Hono } from "hono";
import { type OwnCall, ownCallsCall } from "../../../shared/protocol/rest/own-calls.ts";
import { route } from "../../base/http/route.ts";
import type { HttpEnv, ServerDeps } from "../../base/module.ts";
import type { Homes } from "../../base/cluster/index.ts";
import type { CallStore } from "./store.ts";

export function registerOwnCallsRoute(
  app: Hono<HttpEnv>,
  deps: Pick<ServerDeps, "directory"> & {
    readonly store: Pick<CallStore, "openOf">;
    /** People inside the calls of this process. */
    readonly members: () => ReadonlyMap<string, number>;
    readonly membersElsewhere: Homes["membersElsewhere"];
    readonly isEnding: (conferenceId: string) => boolean;
  },
): void {
  const { directory } = deps;
  route(app, ownCallsCall, deps, async ({ principal: { chatUserName: me } }) => {
    const open = (await deps.store.openOf(me)).filter(({ id }) => !deps.isEnding(id));
    const here = deps.members();
    const elsewhere = await deps.membersElsewhere(open.map(({ id }) => id));
    // The callee enters with the answer, so two are inside once the call is on.
    const on = open.filter(({ id }) => (here.get(id) ?? elsewhere.get(id) ?? 0) === 2);
    const shown = on.map(async ({ id, caller, callee }): Promise<OwnCall> => {
      const outgoing = caller === me;
      const userName = outgoing ? callee : caller;
      const name = (await directory.personByChatName(userName))?.name ?? userName;
      return { confrId: id, userName, name, outgoing };
    });
    return { calls: await Promise.all(shown) };
  });
}
