/** The states, events, guards and effects of the table in call-connection.ts. */

export const CALL_CONNECTION_STATES = [
  "idle",
  "waiting",
  "offering",
  "answering",
  "connecting",
  "connected",
  "silent",
  "weak",
  "restarting",
  "rebuilding",
  "failed",
] as const;
export type CallConnectionState = (typeof CALL_CONNECTION_STATES)[number];

export type CallConnectionEventType =
  | "start"
  | "ownerChanged"
  | "peerOffer"
  | "peerAnswer"
  | "peerWants"
  | "iceUp"
  | "iceDown"
  | "iceFailed"
  /** Nothing arrives any more, although ICE has not failed. */
  | "silent"
  /** Something arrives again. */
  | "heard"
  /** The own network changed. */
  | "networkChanged"
  | "tick"
  | "stop";

export interface CallConnectionEvent {
  readonly type: CallConnectionEventType;
  readonly rtcId?: string;
  readonly sdp?: string;
  readonly iceRestart?: boolean;
  /** The owner is the same tab as before; it keeps its connection until the next one is up. */
  readonly sameTab?: boolean;
}

export type CallConnectionGuard =
  | "caller"
  /** The event concerns the current connection. */
  | "current"
  /** The offer restarts ICE. */
  | "restart"
  /** An offer that was received before: send its answer again. */
  | "repeated"
  /** An abandoned connection; its late messages are ignored. */
  | "retired"
  | "awaitsAnswer"
  | "mayRebuild"
  | "reachable"
  /** The connection has been down for longer than the call waits for it. */
  | "gaveUp";

export type CallConnectionEffect =
  /** Begins a connection with a new rtcId. */
  | "newConnection"
  /** Begins a connection with the rtcId of the other side's offer. */
  | "adopt"
  /** The owner tab makes an offer. */
  | "askOffer"
  /** The owner tab makes an offer that restarts ICE. */
  | "askRestart"
  /** The owner tab gets the other side's offer and answers it. */
  | "feedOffer"
  | "feedAnswer"
  /** Sends the last description again. */
  | "resend"
  /** Asks the other side for an offer. */
  | "wantOffer"
  | "countRebuild"
  /** The connection works: closes the replaced one and resets the counts. */
  | "settle"
  /** Drops everything about this call. */
  | "forget"
  | "connectTimer"
  | "silentTimer"
  | "weakTimer"
  | "restartTimer"
  | "iceTimer"
  | "rebuildTimer"
  | "wantTimer"
  | "clearTimer"
  | "reportUp"
  | "reportDown"
  | "reportWeak"
  | "reportFailed";

/** What the guards read. */
export interface CallConnectionContext {
  /** This side is the caller. */
  readonly caller: boolean;
  /** Id of the current connection. */
  readonly rtcId: string | null;
  /** Description of the other side's last offer for the current connection; null before it. */
  readonly remoteOffer: string | null;
  /** Ids of abandoned connections. */
  readonly retired: ReadonlySet<string>;
  readonly awaitsAnswer: boolean;
  readonly mayRebuild: boolean;
  readonly reachable: boolean;
  readonly gaveUp: boolean;
}
