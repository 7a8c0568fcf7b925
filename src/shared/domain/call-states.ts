/** Call status (docs/calls.md#states): the names in the order of their numbers. */
export const CALL_STATES = [
  "idle",
  "sendRing",
  "confirmRing",
  "receivedRing",
  "sendAnswer",
  "confirmAnswer",
  "receivedAnswer",
  "chat",
] as const;
export type CallState = (typeof CALL_STATES)[number];
/** The states of a caller whose call was not answered yet. */
export const OUTGOING_CALL_STATES: readonly CallState[] = ["sendRing", "receivedRing"];
/** Every state in which there is a call. */
export const ACTIVE_CALL_STATES: readonly CallState[] = CALL_STATES.filter((s) => s !== "idle");

/** idle 0 … chat 7. */
export const callStateNumber = (state: CallState): number => CALL_STATES.indexOf(state);
