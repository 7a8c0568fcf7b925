/**
 * The connection of a one-to-one call as a table (docs/calls.md#connection-recovery). The caller drives: it offers, restarts and
 * rebuilds. The callee asks for an offer, and offers by itself only when its media moved to another tab. When both offer at once,
 * the caller's offer wins. The core runs the effects; nothing here touches a clock or a socket.
 */
import {
  CALL_CONNECTION_STATES,
  type CallConnectionContext,
  type CallConnectionEffect,
  type CallConnectionEvent,
  type CallConnectionEventType,
  type CallConnectionGuard,
  type CallConnectionState,
} from "./call-connection-events.ts";
import { type Guards, type MachineTable, type Step, step } from "./machine.ts";

export {
  CALL_CONNECTION_STATES,
  type CallConnectionContext,
  type CallConnectionEffect,
  type CallConnectionEvent,
  type CallConnectionGuard,
  type CallConnectionState,
} from "./call-connection-events.ts";

type CallConnectionTable = MachineTable<
  CallConnectionState,
  CallConnectionEventType,
  CallConnectionGuard,
  CallConnectionEffect
>;

const NEGOTIATING: readonly CallConnectionState[] = ["answering", "connecting"];
const UP: readonly CallConnectionState[] = ["connected", "silent", "weak"];
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
      from: [...NEGOTIATING, "silent", "weak", ...LOST],
      on: "iceUp",
      to: "connected",
      do: ["clearTimer", "settle", "reportUp"],
    },
    { from: ["connected"], on: "iceUp", to: "same", do: ["clearTimer"] },
    { from: ["connected"], on: "iceDown", to: "same", do: ["weakTimer", "reportDown"] },
    { from: ["connected"], on: "silent", to: "silent", do: ["silentTimer"] },
    { from: ["silent"], on: "heard", to: "connected", do: ["clearTimer"] },
    {
      from: ["weak", "restarting"],
      on: "heard",
      to: "connected",
      do: ["clearTimer", "settle", "reportUp"],
      note: "ICE that never failed reports no state after a restart",
    },
    {
      from: [...UP, "restarting"],
      on: "networkChanged",
      when: ["caller"],
      to: "restarting",
      do: ["askRestart", "iceTimer"],
    },
    {
      from: [...UP, "restarting"],
      on: "networkChanged",
      to: "restarting",
      do: ["wantOffer", "iceTimer"],
    },
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
      from: ["silent"],
      on: "tick",
      when: ["caller"],
      to: "restarting",
      do: ["askRestart", "iceTimer", "reportDown"],
    },
    {
      from: ["silent"],
      on: "tick",
      to: "restarting",
      do: ["wantOffer", "iceTimer", "reportDown"],
    },
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
