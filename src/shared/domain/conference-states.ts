/** States of a conference in the core; the table over them is conference-session.ts. */
export const CONFERENCE_STATES = [
  "idle",
  /** Getting the ticket, opening the socket and entering. */
  "connecting",
  "joined",
  /** The socket is lost; members and streams stay visible. */
  "reconnecting",
  "leaving",
] as const;
export type ConferenceState = (typeof CONFERENCE_STATES)[number];

/** States of one connection of one stream; the table over them is conference-connection.ts. */
export const CONFERENCE_CONNECTION_STATES = [
  "none",
  "connecting",
  "connected",
  "weak",
  "restarting",
  "rebuilding",
  "failed",
] as const;
export type ConferenceConnectionState = (typeof CONFERENCE_CONNECTION_STATES)[number];
