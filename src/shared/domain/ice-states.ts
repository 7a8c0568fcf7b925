/** States of a connection's ICE, as the browser names them. */
export const ICE_STATES = [
  "new",
  "checking",
  "connected",
  "completed",
  "disconnected",
  "failed",
  "closed",
] as const;
export type IceState = (typeof ICE_STATES)[number];
