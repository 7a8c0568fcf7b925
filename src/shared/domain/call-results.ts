/** How a call ended, as the list of past calls shows it (docs/calls.md#records). */

/** `missed` is only for incoming calls; `cancelled`, `busy` and `no-response` only for outgoing ones. */
export const CALL_RESULTS = [
  "answered",
  "missed",
  "refused",
  "cancelled",
  "busy",
  "no-response",
  "failed",
] as const;
export type CallResult = (typeof CALL_RESULTS)[number];

/** Outcomes of the call machine that are a result of their own for the caller. */
const OUTGOING: Readonly<Record<string, CallResult>> = {
  busy: "busy",
  refused: "refused",
  cancelled: "cancelled",
  "no-response": "no-response",
  quiet: "no-response",
};

/** Whether the call goes on on another device of the person. @param outcome as the call machine names it */
export const isElsewhere = (outcome: string): boolean =>
  outcome === "elsewhere" || outcome === "moved";

/**
 * @param outcome as the call machine names it (`lastOutcome`)
 * @param answered whether the call connected
 * @returns null for a call that another device of the person answered or went on with, because that device records it
 */
export function callResultOf(
  direction: "in" | "out",
  outcome: string,
  answered: boolean,
): CallResult | null {
  if (isElsewhere(outcome)) return null;
  if (answered) return "answered";
  if (direction === "out") return OUTGOING[outcome] ?? "failed";
  return outcome === "refused" ? "refused" : "missed";
}
