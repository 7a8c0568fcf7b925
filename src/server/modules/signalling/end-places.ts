/** Ends the places in calls and conferences of people who lose access (docs/server.md#end-of-access), at this process. */
import type { Logger } from "pino";
import { ACCESS_END, type AccessEnd, type PlaceOfPerson } from "../../base/cluster/access.ts";
import { createAfterLoss } from "../../base/cluster/after-loss.ts";
import type { Bus, Clock } from "../../base/module.ts";
import type { Calls } from "../calls/index.ts";
import type { Conferences } from "../conferences/index.ts";

const FAILED = "people without access are still in calls or conferences";

/**
 * @param deps.track registers work that a stop waits for
 * @returns what to do at an end of access
 */
export function createEndPlaces(deps: {
  readonly bus: Pick<Bus, "publish" | "subscribe">;
  readonly clock: Pick<Clock, "setTimeout">;
  readonly log: Logger;
  readonly calls: Pick<Calls, "sockets" | "endForbidden">;
  readonly conferences: Pick<Conferences, "sockets" | "putOutForbidden">;
  readonly track: (work: Promise<void>) => void;
}): {
  readonly end: (end: AccessEnd) => void;
  /** The logins whose sockets are open here. */
  readonly logins: () => string[];
  readonly stop: () => Promise<void>;
} {
  const { calls, conferences } = deps;

  /** @param userName null: everybody's */
  async function putOut(userName: string | null, callsToo: boolean): Promise<void> {
    const publishing: Promise<void>[] = [];
    /** Each place at once: who is put out already is not found by another attempt. */
    const publishAll = async (places: AsyncIterable<PlaceOfPerson>): Promise<void> => {
      for await (const place of places) {
        publishing.push(deps.bus.publish(ACCESS_END, { of: "place", ...place }));
      }
    };
    await Promise.all([
      publishAll(conferences.putOutForbidden(userName)),
      ...(callsToo ? [publishAll(calls.endForbidden(userName))] : []),
    ]);
    await Promise.all(publishing);
  }
  function begin(userName: string | null, callsToo: boolean): void {
    deps.track(
      putOut(userName, callsToo).catch((error: unknown) => {
        deps.log.error({ err: error }, FAILED);
        afterLoss.begin();
      }),
    );
  }

  // Which companies and rights have ended unheard is unknown, so everybody is looked at. Ended logins are looked up elsewhere.
  const afterLoss = createAfterLoss({ ...deps, look: () => putOut(null, true), failed: FAILED });

  return {
    stop: afterLoss.stop,
    end(end) {
      if (end.of === "login") {
        calls.sockets.endSession(end.sessionId);
        conferences.sockets.endSession(end.sessionId);
      } else if (end.of === "company") begin(end.userName, true);
      // A right ends no call.
      else if (end.of === "rights") begin(null, false);
    },
    logins: () => [...calls.sockets.loginSessions(), ...conferences.sockets.loginSessions()],
  };
}
