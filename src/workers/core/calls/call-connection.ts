/** The connection of the current call, between owner tab and signalling session. It updates the slice and reports problems to quality. */
import type { CallEvent } from "../../../shared/domain/call-events.ts";
import type { CoreEnv } from "../contracts.ts";
import type { Qoe } from "../qoe/contracts.ts";
import type { CallConfig } from "./config.ts";
import { createConnection, type CallConnection } from "./connection.ts";
import type { Owner } from "../media-owner/contracts.ts";
import type { CallSignalling } from "./signalling.ts";
import type { CallStore } from "./state.ts";

export function createCallConnection(deps: {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "report">;
  readonly config: CallConfig;
  readonly calls: CallStore;
  readonly qoe: Pick<Qoe, "event">;
  readonly dispatch: (event: CallEvent) => void;
  readonly owner: Pick<Owner, "send">;
  readonly signalling: Pick<CallSignalling, "relay" | "reachable" | "probe">;
}): CallConnection {
  const { env, config, calls, qoe, owner, signalling } = deps;
  return createConnection({
    env,
    config,
    caller: calls.priv?.caller ?? false,
    toTab: (command) => owner.send(command),
    relay: (body) => signalling.relay(body),
    reachable: () => signalling.reachable,
    live: () => calls.priv?.caller === true || calls.slice.status === "chat",
    onLink(shown, snapshot) {
      calls.keep({ link: snapshot });
      if (calls.slice.link !== shown) calls.patch({ link: shown });
    },
    onReport(what, rtcId) {
      if (what === "up") qoe.event(2, { rtcId });
      else if (what === "down") qoe.event(5, { rtcId });
      else if (what === "weak") {
        qoe.event(4, { rtcId, detail: "weak" });
        // the same loss may have hit the socket, which would notice it only later
        signalling.probe();
      } else {
        qoe.event(4, { rtcId, detail: "failed" });
        deps.dispatch({ type: "mediaFailed", code: "call.link-failed" });
      }
    },
  });
}
