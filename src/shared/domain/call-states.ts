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

/** idle 0 … chat 7. */
export const callStateNumber = (state: CallState): number => CALL_STATES.indexOf(state);
