/**
 * A call goes on on another device of the person (docs/calls.md#to-another-device). The device that has the call says what it is; the one
 * to which it goes has a connection of its own beside, and takes the call when the other side receives by it.
 */
import type { CallEvent } from "../../../shared/domain/call-events.ts";
import type { MovedCall, MoveNews } from "../../../shared/protocol/call-move.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv } from "../contracts.ts";
import { createRestartableTimer } from "../restartable-timer.ts";
import type { CallConfig } from "./config.ts";
import type { createCallConnection } from "./call-connection.ts";
import type { CallConnection } from "./connection.ts";
import type { CallSignalling } from "./signalling.ts";
import type { CallStore } from "./state.ts";

type TakingOver = NonNullable<Parameters<typeof createCallConnection>[0]["takingOver"]>;

export interface Arriving {
  /** Of the server: what the other device of this person does. */
  news(news: MoveNews): void;
  /** The session was entered again with the call: the answer to the wish to take it was lost. */
  resumed(): void;
  /** What the connection of the device that takes over reports. */
  readonly takingOver: TakingOver;
  stop(): void;
}

export function createArriving(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly config: CallConfig;
  readonly calls: CallStore;
  readonly signalling: Pick<CallSignalling, "move" | "tellStreams">;
  readonly dispatch: (event: CallEvent) => void;
  /** Something else needs the microphone, or both sides are becoming a group call. */
  readonly beside: () => boolean;
  readonly connection: () => CallConnection | null;
  /** This device has the call from now on. */
  readonly onTaken: () => void;
}): Arriving {
  const { calls, signalling } = deps;
  const late = createRestartableTimer(deps.env.clock);
  let taking = false;

  /** @returns null when the call cannot leave this device now */
  function described(): MovedCall | null {
    const { status, info, startedAt, local, owner } = calls.slice;
    const { priv } = calls;
    if (status !== "chat" || info === null || priv === null) return null;
    if (owner?.ready !== true || deps.beside()) return null;
    const now = deps.env.clock.now();
    const since = (at: number | null): number => Math.max(0, Math.round(now - (at ?? now)));
    return {
      callId: info.callId,
      media: info.media,
      peerDevice: priv.peerDevice,
      began: since(priv.beganAt),
      on: since(startedAt),
      audioMuted: local.audioMuted,
      videoOff: local.videoOff,
    };
  }

  function taken(): void {
    if (calls.priv?.arriving !== true) return;
    late.cancel();
    calls.keep({ arriving: false });
    deps.dispatch({ type: "moved" });
    deps.connection()?.show();
    deps.onTaken();
    signalling.tellStreams();
  }

  async function takeCall(): Promise<void> {
    if (taking || calls.priv?.arriving !== true) return;
    taking = true;
    const callId = calls.slice.info?.callId;
    const result = await signalling.move({ step: "take" });
    taking = false;
    if (calls.slice.info?.callId !== callId || calls.priv?.arriving !== true) return;
    if (result === RESULT.ok) taken();
    else if (result === RESULT.clientFailure || result === RESULT.requestTimeout) {
      // The socket is opened again, and its enter says who has the call.
      late.start(deps.config.formerMillis, () => void takeCall());
    } else deps.dispatch({ type: "moveFailed" });
  }

  return {
    news(news) {
      if (news.step === "ask") {
        const call = described();
        void signalling.move(call === null ? { step: "refuse" } : { step: "call", call });
      } else if (news.step === "call") deps.dispatch({ type: "moveTold", call: news.call });
      else if (news.step === "refuse") deps.dispatch({ type: "moveFailed" });
      else if (news.renew && calls.slice.status === "chat") deps.connection()?.renew();
    },
    resumed: taken,
    takingOver: {
      over: () => calls.priv?.arriving !== true,
      // An older client does not say that it receives by the new connection.
      onUp() {
        if (calls.priv?.arriving === true) {
          late.start(deps.config.formerMillis, () => void takeCall());
        }
      },
      onFlows: () => void takeCall(),
      onFailed: ({ code }) => deps.dispatch({ type: "mediaFailed", code }),
    },
    stop: () => late.cancel(),
  };
}
