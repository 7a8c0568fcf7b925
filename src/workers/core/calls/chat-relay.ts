/**
 * What the two sides of a call say to each other where no signalling session exists, as in a call by the Agora engine
 * (docs/calls.md#adding-people): each message goes to the other side's device as a signal of chat, and that device confirms it.
 */
import type { GrowthMessage } from "../../../shared/protocol/call-growth.ts";
import type { CallSignal, SignalBody } from "../../../shared/protocol/call-signal.ts";
import { OP, RESULT } from "../../../shared/protocol/signalling.ts";
import type { ChatSignals, CoreEnv } from "../contracts.ts";
import type { CallConfig } from "./config.ts";
import type { CallStore } from "./state.ts";

export interface ChatRelay {
  /** @returns whether the other side's device confirmed it in time */
  tellGrowth(message: GrowthMessage): Promise<boolean>;
  /** Listens no more. What waits for a confirmation counts as not confirmed. */
  stop(): void;
}

export function createChatRelay(deps: {
  readonly env: Pick<CoreEnv, "clock" | "newId">;
  readonly config: Pick<CallConfig, "relayTimeoutMillis">;
  readonly signals: Pick<ChatSignals, "send" | "onSignal">;
  readonly calls: Pick<CallStore, "slice" | "priv">;
  readonly onGrowth: (message: GrowthMessage) => void;
}): ChatRelay {
  const { env, signals, calls } = deps;
  const waiting = new Map<string, (confirmed: boolean) => void>();

  /** @returns how a signal of the current call begins; null when the other side's device is not known */
  const addressed = (): Omit<CallSignal, "body"> | null => {
    const { priv, slice } = calls;
    const toUserDevId = priv?.peerDevice ?? "";
    if (priv === null || slice.info === null || slice.peer === null || toUserDevId === "") {
      return null;
    }
    return {
      callId: slice.info.callId,
      fromUser: priv.me,
      toUser: slice.peer.userName,
      fromUserDevId: priv.device,
      toUserDevId,
    };
  };
  const received = ({ callId, fromUser, fromUserDevId, body }: CallSignal): void => {
    const own = addressed();
    const isOther =
      own?.callId === callId && own.toUser === fromUser && own.toUserDevId === fromUserDevId;
    if (!isOther) return;
    if (body.op === OP.response) return waiting.get(body.tsxId)?.(body.result === RESULT.ok);
    if (body.op !== OP.relay || body.body.op !== OP.growth) return;
    const answer: SignalBody = { op: OP.response, tsxId: body.tsxId, result: RESULT.ok };
    // Without the answer the other side says it again.
    signals.send({ ...own, body: answer }).catch(() => undefined);
    deps.onGrowth(body.body.body);
  };
  const stopListening = signals.onSignal(received);

  return {
    async tellGrowth(message) {
      const own = addressed();
      if (own === null) return false;
      const tsxId = env.newId();
      const body: SignalBody = { op: OP.relay, tsxId, body: { op: OP.growth, body: message } };
      const confirmed = new Promise<boolean>((resolve) => waiting.set(tsxId, resolve));
      const end = (): void => waiting.get(tsxId)?.(false);
      const timer = env.clock.after(deps.config.relayTimeoutMillis, end);
      signals.send({ ...own, body }).catch(end);
      try {
        return await confirmed;
      } finally {
        timer.cancel();
        waiting.delete(tsxId);
      }
    },
    stop() {
      stopListening();
      for (const end of waiting.values()) end(false);
    },
  };
}
