/** Ends the places in calls and conferences of people who lose access (docs/server.md#end-of-access), at this process. */
import type { Logger } from "pino";
import { ACCESS_END, type AccessEnd } from "../../base/cluster/access.ts";
import type { Bus } from "../../base/module.ts";
import type { Calls } from "../calls/index.ts";
import type { Conferences } from "../conferences/index.ts";

/** @param deps.track registers work that a stop waits for */
export function createEndPlaces(deps: {
  readonly bus: Pick<Bus, "publish">;
  readonly log: Logger;
  readonly calls: Pick<Calls, "sockets" | "endForbidden">;
  readonly conferences: Pick<Conferences, "sockets" | "putOutForbidden">;
  readonly track: (work: Promise<void>) => void;
}): (end: AccessEnd) => void {
  const { calls, conferences } = deps;

  /** @param userName null: everybody's */
  async function putOut(userName: string | null): Promise<void> {
    const [places, ended] = await Promise.all([
      conferences.putOutForbidden(userName),
      userName === null ? [] : calls.endForbidden(userName),
    ]);
    const calling = ended.map((conferenceId) => ({
      userName: userName ?? "",
      confrId: conferenceId,
    }));
    for (const place of [...places, ...calling])
      await deps.bus.publish(ACCESS_END, { of: "place", ...place });
  }

  return (end) => {
    if (end.of === "login") {
      calls.sockets.endSession(end.sessionId);
      conferences.sockets.endSession(end.sessionId);
    } else if (end.of !== "place") {
      const work = putOut(end.of === "company" ? end.userName : null);
      deps.track(
        work.catch((error: unknown) => {
          deps.log.error({ err: error }, "people without access are still in calls or conferences");
        }),
      );
    }
  };
}
