/** How an ended call is named: for the other side (docs/calls.md#end-reasons) and for the window that closes here. */
import type { CallEffect, CallEvent } from "../../../shared/domain/call.ts";
import { CALL_TEXTS } from "../../../shared/domain/call-texts.ts";
import { type ErrorCode, errorCodeSchema } from "../../../shared/errors.ts";
import { END_REASON } from "../../../shared/protocol/signalling.ts";

export type Say = keyof typeof CALL_TEXTS;
export const isSay = (effect: CallEffect): effect is Say => effect in CALL_TEXTS;

/** The error code of a failure event; an unknown code becomes call.link-failed. */
export function codeOf(event: CallEvent): ErrorCode {
  const parsed = errorCodeSchema.safeParse(event.code);
  return parsed.success ? parsed.data : "call.link-failed";
}

/** Why this side ends it (docs/calls.md#ending). */
export function reasonOf(event: CallEvent): number {
  if (event.type === "timeout") return END_REASON.noResponse;
  if (event.type === "hangup" || event.type === "sessionEnded") return END_REASON.hangup;
  return END_REASON.fail;
}

/** The outcome for this side: named by the text that was shown, else by the event. */
export function outcomeOf(event: CallEvent, from: string, effects: readonly CallEffect[]): string {
  for (const effect of effects) {
    const named = isSay(effect) ? CALL_TEXTS[effect].outcome : undefined;
    if (named !== undefined) return named;
  }
  if (event.code !== undefined) return codeOf(event);
  if (event.type === "refuse" || from === "confirmRing") return "refused";
  return from === "sendRing" || from === "receivedRing" ? "cancelled" : "ended";
}
