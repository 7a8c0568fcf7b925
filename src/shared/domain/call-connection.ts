/**
 * The connection of a one-to-one call as a table (docs/calls.md#connection-recovery). The caller drives: it offers, restarts and
 * rebuilds. The callee asks for an offer, and offers by itself only when its media moved to another tab. When both offer at once,
 * the caller's offer wins. The core runs the effects; nothing here touches a clock or a socket.
 */
import { type Guards, type MachineTable, type Step, step } from "./machine.ts";

export const CALL_CONNECTION_STATES = [
  "idle",
  "waiting",
  "offering",
  "answering",
  "connecting",
  "connected",
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
  | "tick"
  | "stop";

export interface CallConnectionEvent {
  readonly type: CallConnectionEventType;
  readonly rtcId?: string;
  readonly sdp?: string;
  readonly iceRestart?: boolean;
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

type CallConnectionTable = MachineTable<
  CallConnectionState,
  CallConnectionEventType,
  CallConnectionGuard,
  CallConnectionEffect
>;

const NEGOTIATING: readonly CallConnectionState[] = ["answering", "connecting"];
const UP: readonly CallConnectionState[] = ["connected", "weak"];
const LOST: readonly CallConnectionState[] = ["restarting", "rebuilding"];

export const callConnectionTable: CallConnectionTable = {
  name: "call-connection",
  initial: "idle",
  states: CALL_CONNECTION_STATES,
  rules: [
    { from: "*", on: "stop", to: "idle", do: ["clearTimer", "forget"] },
    {
      from: ["idle"],
      on: "start",
      when: ["caller"],
      to: "offering",
      do: ["newConnection", "askOffer", "connectTimer"],
    },
    { from: ["idle"], on: "start", to: "waiting", do: ["wantTimer"] },

    // --- the media moved to another tab of the same person
    {
      from: ["offering", ...NEGOTIATING, ...UP, ...LOST],
      on: "ownerChanged",
      to: "offering",
      do: ["newConnection", "askOffer", "connectTimer"],
    },

    // --- the other side sends an offer
    {
      from: ["offering"],
      on: "peerOffer",
      when: ["caller"],
      to: "same",
      do: ["resend"],
      note: "glare: the caller's offer wins",
    },
    {
      from: ["offering"],
      on: "peerOffer",
      when: ["!restart"],
      to: "answering",
      do: ["adopt", "feedOffer", "connectTimer"],
      note: "glare: the callee drops its own offer",
    },
    {
      from: [...NEGOTIATING, ...UP, ...LOST],
      on: "peerOffer",
      when: ["current", "repeated"],
      to: "same",
      do: ["resend"],
    },
    {
      from: NEGOTIATING,
      on: "peerOffer",
      when: ["current"],
      to: "answering",
      do: ["feedOffer", "connectTimer"],
    },
    {
      from: UP,
      on: "peerOffer",
      when: ["current"],
      to: "same",
      do: ["feedOffer"],
      note: "the other side restarts ICE while the connection works here",
    },
    {
      from: LOST,
      on: "peerOffer",
      when: ["current"],
      to: "restarting",
      do: ["feedOffer", "iceTimer"],
    },
    {
      from: ["waiting", ...NEGOTIATING, ...UP, ...LOST],
      on: "peerOffer",
      when: ["!retired", "!restart"],
      to: "answering",
      do: ["adopt", "feedOffer", "connectTimer"],
    },

    // --- the other side answers
    {
      from: ["offering"],
      on: "peerAnswer",
      when: ["current", "awaitsAnswer"],
      to: "connecting",
      do: ["feedAnswer"],
    },
    {
      from: [...NEGOTIATING, ...UP, ...LOST],
      on: "peerAnswer",
      when: ["current", "awaitsAnswer"],
      to: "same",
      do: ["feedAnswer"],
    },

    // --- the other side asks for an offer
    {
      from: ["offering", "restarting"],
      on: "peerWants",
      when: ["caller"],
      to: "same",
      do: ["resend"],
    },
    {
      from: UP,
      on: "peerWants",
      when: ["caller"],
      to: "restarting",
      do: ["askRestart", "iceTimer"],
    },

    // --- ICE
    {
      from: [...NEGOTIATING, "weak", ...LOST],
      on: "iceUp",
      to: "connected",
      do: ["clearTimer", "settle", "reportUp"],
    },
    { from: ["connected"], on: "iceUp", to: "same", do: ["clearTimer"] },
    { from: ["connected"], on: "iceDown", to: "same", do: ["weakTimer", "reportDown"] },
    {
      from: UP,
      on: "iceFailed",
      when: ["caller"],
      to: "restarting",
      do: ["askRestart", "iceTimer", "reportDown"],
    },
    {
      from: UP,
      on: "iceFailed",
      to: "restarting",
      do: ["wantOffer", "iceTimer", "reportDown"],
    },
    {
      from: ["offering", ...NEGOTIATING],
      on: "iceFailed",
      when: ["reachable", "mayRebuild"],
      to: "rebuilding",
      do: ["countRebuild", "rebuildTimer"],
    },
    {
      from: ["offering", ...NEGOTIATING],
      on: "iceFailed",
      when: ["reachable"],
      to: "failed",
      do: ["clearTimer", "reportFailed"],
    },

    // --- time
    {
      from: ["connected"],
      on: "tick",
      to: "weak",
      do: ["restartTimer", "reportWeak"],
      note: "disconnected for 1 s",
    },
    {
      from: ["weak"],
      on: "tick",
      when: ["caller"],
      to: "restarting",
      do: ["askRestart", "iceTimer"],
    },
    { from: ["weak"], on: "tick", to: "restarting", do: ["wantOffer", "iceTimer"] },
    {
      from: ["waiting", "offering", ...NEGOTIATING, ...LOST],
      on: "tick",
      when: ["gaveUp"],
      to: "failed",
      do: ["clearTimer", "reportFailed"],
    },
    {
      from: ["rebuilding"],
      on: "tick",
      when: ["caller"],
      to: "offering",
      do: ["newConnection", "askOffer", "connectTimer"],
    },
    { from: ["rebuilding"], on: "tick", to: "waiting", do: ["wantOffer", "wantTimer"] },
    {
      from: ["waiting"],
      on: "tick",
      when: ["!reachable"],
      to: "same",
      do: ["wantTimer"],
    },
    {
      from: ["waiting"],
      on: "tick",
      when: ["mayRebuild"],
      to: "same",
      do: ["countRebuild", "wantOffer", "wantTimer"],
    },
    {
      from: ["offering", ...NEGOTIATING],
      on: "tick",
      when: ["!reachable"],
      to: "same",
      do: ["connectTimer"],
      note: "the other side cannot be reached: no rebuild is counted",
    },
    {
      from: ["restarting"],
      on: "tick",
      when: ["!reachable"],
      to: "same",
      do: ["iceTimer"],
    },
    {
      from: ["offering", "restarting", ...NEGOTIATING],
      on: "tick",
      when: ["mayRebuild"],
      to: "rebuilding",
      do: ["countRebuild", "rebuildTimer"],
    },
    {
      from: ["waiting", "offering", "restarting", ...NEGOTIATING],
      on: "tick",
      to: "failed",
      do: ["clearTimer", "reportFailed"],
    },
  ],
};

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

export const callConnectionGuards: Guards<
  CallConnectionGuard,
  CallConnectionContext,
  CallConnectionEvent
> = {
  caller: (c) => c.caller,
  current: (c, e) => e.rtcId !== undefined && e.rtcId === c.rtcId,
  restart: (_c, e) => e.iceRestart === true,
  repeated: (c, e) => e.sdp !== undefined && e.sdp === c.remoteOffer,
  retired: (c, e) => e.rtcId !== undefined && c.retired.has(e.rtcId),
  awaitsAnswer: (c) => c.awaitsAnswer,
  mayRebuild: (c) => c.mayRebuild,
  reachable: (c) => c.reachable,
  gaveUp: (c) => c.gaveUp,
};

/** One step of the connection's machine. */
export const callConnectionStep = (
  state: CallConnectionState,
  context: CallConnectionContext,
  event: CallConnectionEvent,
): Step<CallConnectionState, CallConnectionEffect> =>
  step(callConnectionTable, callConnectionGuards, state, context, event);
