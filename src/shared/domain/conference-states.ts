/**
 * What tabs see of a conference. They follow the states of the signalling session (signalling-session.ts); a conference is
 * "idle" again only when its media and requests are gone too.
 */
export const CONFERENCE_STATES = [
  "idle",
  /** Getting the ticket, opening the socket and entering. */
  "connecting",
  "joined",
  /** The socket is lost; members and streams stay visible. */
  "reconnecting",
  "leaving",
] as const;

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
