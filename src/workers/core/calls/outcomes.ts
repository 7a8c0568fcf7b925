/** How an ended call is named: for the other side (docs/calls.md#end-reasons) and for the window that closes here. */
import type { CallEffect, CallEvent, CallSay } from "../../../shared/domain/call-events.ts";
import type { CallState } from "../../../shared/domain/call-states.ts";
import { CALL_TEXTS } from "../../../shared/domain/call-texts.ts";
import type { Step } from "../../../shared/domain/machine.ts";
import { END_REASON } from "../../../shared/protocol/signalling.ts";

export const isSay = (effect: CallEffect): effect is CallSay => effect in CALL_TEXTS;

/** Why this side ends it (docs/calls.md#ending). */
export function reasonOf(event: CallEvent): number {
  if (event.type === "timeout") return END_REASON.noResponse;
  if (event.type === "hangup" || event.type === "sessionEnded") return END_REASON.hangup;
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
