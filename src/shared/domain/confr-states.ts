/** States of a conference in the core; the table over them is confr-session.ts. */
export const CONFR_STATES = [
  "idle",
  /** Ticket, socket, enter. */
  "connecting",
  "joined",
  /** The socket is lost; members and streams stay on the screen. */
  "reconnecting",
  "leaving",
] as const;
export type ConfrState = (typeof CONFR_STATES)[number];

/** States of one connection of one stream; the table over them is confr-connection.ts. */
export const CONFR_LINK_STATES = [
  "none",
  "connecting",
  "connected",
  "weak",
  "restarting",
  "rebuilding",
  "failed",
] as const;
export type ConfrLinkState = (typeof CONFR_LINK_STATES)[number];
