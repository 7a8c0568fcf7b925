/** A connection of the current call, between owner tab and signalling session. It updates the slice and reports problems to quality. */
import type { CallEvent } from "../../../shared/domain/call-events.ts";
import { QUALITY_EVENT } from "../../../shared/protocol/qoe.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CoreEnv } from "../contracts.ts";
import type { Qoe } from "../qoe/contracts.ts";
import type { CallConfig } from "./config.ts";
import { createConnection, type CallConnection } from "./connection.ts";
import type { Owner } from "../media-owner/contracts.ts";
import type { CallSignalling } from "./signalling.ts";
import type { CallStore } from "./state.ts";

const AUDIO = ["audio"] as const;
const VIDEO = ["video"] as const;

export function createCallConnection(deps: {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "log">;
  readonly config: CallConfig;
  readonly calls: CallStore;
  readonly qoe: Pick<Qoe, "event">;
  readonly dispatch: (event: CallEvent) => void;
  readonly owner: Pick<Owner, "send">;
  readonly signalling: Pick<CallSignalling, "relay" | "reachable" | "probe">;
  /** Set for a connection in a tab that takes over; the call stands on another one until this one carries it. */
  readonly takingOver?: {
    /** It carries the call, or was given up. */
    readonly over: () => boolean;
    readonly onUp: () => void;
    readonly onFlows: () => void;
    readonly onFailed: (error: AppError) => void;
  };
}): CallConnection {
  const { env, config, calls, qoe, owner, signalling } = deps;
  /** The caller's offer waits for the callee. */
  const isRinging = (): boolean => ["sendRing", "receivedRing"].includes(calls.slice.status);
  const isTakingOver = (): boolean => deps.takingOver !== undefined && !deps.takingOver.over();
  return createConnection({
    env,
    config,
    caller: calls.priv?.caller ?? false,
    toTab: (command) => owner.send(command),
    relay: (body) => signalling.relay(body),
    reachable: () => signalling.reachable,
    live: () => (calls.priv?.caller === true ? !isRinging() : calls.slice.status === "chat"),
    sends() {
      const { audioMuted, videoOff, picture } = calls.slice.remote;
      const hasPicture = !videoOff && picture !== "off";
      return new Set([...(audioMuted ? [] : AUDIO), ...(hasPicture ? VIDEO : [])]);
    },
    onFlows: () => deps.takingOver?.onFlows(),
    onShown(shown, snapshot) {
      if (isTakingOver()) return;
      calls.keep({ connection: snapshot });
      if (calls.slice.connection !== shown) calls.patch({ connection: shown });
    },
    onReport(what, rtcId) {
      if (what === "up") {
        qoe.event(QUALITY_EVENT.connected, { rtcId });
        deps.takingOver?.onUp();
      } else if (what === "down") qoe.event(QUALITY_EVENT.disconnected, { rtcId });
      else if (what === "weak") {
        qoe.event(QUALITY_EVENT.poor, { rtcId, detail: "weak" });
        // the same loss may have hit the socket, which would notice it only later
        signalling.probe();
      } else {
        qoe.event(QUALITY_EVENT.poor, { rtcId, detail: "failed" });
        if (isTakingOver())
          return deps.takingOver?.onFailed(new AppError("call.connection-failed"));
        deps.dispatch({ type: "mediaFailed", code: "call.connection-failed" });
      }
    },
  });
}
