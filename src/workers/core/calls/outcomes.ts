/** How an ended call is named: for the other side (docs/calls.md#end-reasons) and for the window that closes here. */
import type { CallEffect, CallEvent, CallSay } from "../../../shared/domain/call-events.ts";
import { callResultOf } from "../../../shared/domain/call-results.ts";
import type { CallState } from "../../../shared/domain/call-states.ts";
import { CALL_TEXTS } from "../../../shared/domain/call-texts.ts";
import type { Step } from "../../../shared/domain/machine.ts";
import type { CallReport } from "../../../shared/protocol/rest/call-records.ts";
import { END_REASON } from "../../../shared/protocol/signalling.ts";
import type { CallMessage } from "../../../shared/protocol/call-message.ts";
import type { CallStore } from "./state.ts";

export const isSay = (effect: CallEffect): effect is CallSay => effect in CALL_TEXTS;

/** Why this side ends it (docs/calls.md#ending). */
export function reasonOf(event: CallEvent): number {
  if (event.type === "timeout") return END_REASON.noResponse;
  if (event.type === "hangup") return END_REASON.hangup;
  // The server says the same of a person who has lost access; this side may be first.
  if (event.type === "sessionEnded") return END_REASON.noAccess;
  return END_REASON.fail;
}

/** The outcome for this side: named by the text that was shown, else by the event. */
export function outcomeOf(
  event: CallEvent,
  { from, effects }: Pick<Step<CallState, CallEffect>, "from" | "effects">,
): string {
  for (const effect of effects) {
    const named = isSay(effect) ? CALL_TEXTS[effect].outcome : undefined;
    if (named !== undefined) return named;
  }
  if ("code" in event) return event.code;
  if (event.type === "refuse" || from === "confirmRing") return "refused";
  return from === "sendRing" || from === "receivedRing" ? "cancelled" : "ended";
}

/** The record of the call that ends (docs/calls.md#records). @returns null when another device of the person records it */
export function reportOf(
  { slice, priv }: Pick<CallStore, "slice" | "priv">,
  { outcome, at }: { readonly outcome: string; readonly at: number },
): CallReport | null {
  const { info, direction, peer, startedAt: answeredAt } = slice;
  if (info === null || direction === null || peer === null) return null;
  const result = callResultOf(direction, outcome, answeredAt !== null);
  if (result === null) return null;
  const { callId, channel, type, media } = info;
  // The machine's clock may have been set back during the call.
  const startedAt = Math.min(priv?.beganAt ?? answeredAt ?? at, answeredAt ?? at, at);
  return {
    callId,
    channel,
    type,
    media,
    direction,
    peer: peer.userName,
    result,
    startedAt,
    answeredAt: answeredAt === null ? null : Math.min(answeredAt, at),
    endedAt: at,
  };
}

/** The record of a ring that began no call here. `at` is ms since the epoch. */
export function missedRing(ring: CallMessage, at: number): CallReport {
  const { callId, channel, type, media, fromUser: peer } = ring;
  return {
    callId,
    channel,
    type,
    media,
    direction: "in",
    peer,
    result: "missed",
    startedAt: at,
    answeredAt: null,
    endedAt: at,
  };
}
