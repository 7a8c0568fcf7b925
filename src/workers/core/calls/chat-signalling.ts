/**
 * What a call needs beside its session when chat carries the signalling (docs/calls.md#signalling-over-chat): the provisional accept of a
 * ring, the text for a callee who is not online, and the answer to a device that still speaks of a call that is over here.
 */
import { UNHEARD_TEXTS } from "../../../shared/domain/call-texts.ts";
import type { CallMessage } from "../../../shared/protocol/call-message.ts";
import type { CallSignal, SignalBody } from "../../../shared/protocol/call-signal.ts";
import { END_REASON, OP } from "../../../shared/protocol/signalling.ts";
import { chatTransport } from "../signalling/chat-transport.ts";
import type { ConnectTransport } from "../signalling/transport.ts";
import type { ChatCommands, ChatSignals, CoreEnv, Timer } from "../contracts.ts";
import type { CallConfig } from "./config.ts";
import type { CallStore } from "./state.ts";

type Ring = Extract<CallMessage, { action: "sendRing" }>;

export interface ChatSignalling {
  /** The transport of the current call's session. */
  readonly connect: ConnectTransport;
  /** A ring has come: accepts it provisionally and hands it to `onRing` a little later, unless it is taken back before. */
  rung(ring: Ring): void;
  /** The ring is taken back, or another device has answered it. @param by only the person who rings can say so */
  withdrawn(callId: string, by: string): void;
  /** The ring is repeated, so no device of the callee has said that it rings. */
  ringRepeated(): void;
  stop(): void;
}

export function createChatSignalling(deps: {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "log">;
  readonly config: CallConfig;
  readonly chat: Pick<ChatCommands, "me" | "device">;
  readonly signals: ChatSignals;
  readonly sendText: (
    to: string,
    text: string,
    ext: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
  readonly calls: CallStore;
  /** Whether the call of an earlier core is known by now. */
  readonly known: () => boolean;
  readonly onRing: (ring: Ring) => void;
}): ChatSignalling {
  const { env, config, chat, signals, calls } = deps;
  /** Rings that were accepted provisionally and do not show yet. */
  const held = new Map<string, { readonly from: string; readonly timer: Timer }>();

  const sendSignal = (
    to: { readonly callId: string; readonly user: string; readonly device: string },
    body: SignalBody,
  ): void => {
    const me = chat.me();
    if (me === null || to.device === "") return;
    const about = { callId: to.callId, fromUser: me, toUser: to.user };
    const devices = { fromUserDevId: chat.device(), toUserDevId: to.device };
    // The other side asks again for what is lost.
    signals.send({ ...about, ...devices, body }).catch(() => undefined);
  };

  function received({ callId, fromUser, fromUserDevId, body }: CallSignal): void {
    const { info, peer } = calls.slice;
    if (info?.callId === callId) {
      if (body.op === OP.accept && peer?.userName === fromUser) calls.keep({ unheard: false });
      return;
    }
    const speaks = body.op === OP.enter || body.op === OP.ping || body.op === OP.relay;
    if (!speaks || !deps.known()) return;
    const end = { op: OP.terminate, reason: END_REASON.closed } as const;
    sendSignal({ callId, user: fromUser, device: fromUserDevId }, end);
  }
  const unlisten = signals.onSignal(received);

  return {
    connect(user) {
      const { priv, slice } = calls;
      return chatTransport({
        env,
        signals,
        pingIntervalMillis: config.pingIntervalMillis,
        retryMillis: config.ringRetryMillis,
        call: {
          callId: slice.info?.callId ?? "",
          caller: priv?.caller ?? false,
          me: priv?.me ?? "",
          device: priv?.device ?? "",
          peer: slice.peer?.userName ?? "",
          chosen: () => calls.priv?.peerDevice ?? "",
        },
      })(user);
    },
    rung(ring) {
      const { callId, fromUser, fromUserDevId } = ring;
      sendSignal({ callId, user: fromUser, device: fromUserDevId }, { op: OP.accept });
      if (held.has(callId)) return;
      if (calls.slice.info?.callId === callId) return deps.onRing(ring);
      const timer = env.clock.after(config.provisionalRingMillis, () => {
        held.delete(callId);
        if (chat.me() === ring.toUser) deps.onRing(ring);
      });
      held.set(callId, { from: fromUser, timer });
    },
    withdrawn(callId, by) {
      const ring = held.get(callId);
      if (ring?.from !== by) return;
      ring.timer.cancel();
      held.delete(callId);
    },
    ringRepeated() {
      const { priv, slice } = calls;
      if (priv?.unheard !== true || slice.peer === null || slice.info === null) return;
      calls.keep({ unheard: false });
      const { callId, media } = slice.info;
      deps
        .sendText(slice.peer.userName, UNHEARD_TEXTS[media], { callId, callMedia: media })
        .catch((error: unknown) => env.log("calls", "warn", `no text was sent, ${String(error)}`));
    },
    stop() {
      unlisten();
      for (const { timer } of held.values()) timer.cancel();
      held.clear();
    },
  };
}
