/**
 * The call machine as one table (docs/calls.md#states).
 * The core interprets the effects; nothing here touches a clock, a socket or a device.
 */
import { CALL_TYPE, type CallType } from "./call-types.ts";
import { ANSWER_ACCEPT, type CallMessage } from "../protocol/call-message.ts";
import { END_REASON } from "../protocol/signalling.ts";
import { CALL_ENDINGS } from "./call-endings.ts";
import type { CallEffect, CallEvent, CallEventType, CallGuard } from "./call-events.ts";
import { CALL_MOVES } from "./call-moves.ts";
import { CALL_RULES } from "./call-rules.ts";
import { CALL_STATES, type CallState } from "./call-states.ts";
import { type Guards, type MachineTable, type Step, step } from "./machine.ts";

/** ms, docs/calls.md#timeouts */
export const CALL_TIMEOUTS = {
  ring: 30_000,
  answer: 30_000,
  confirm: 60_000,
  /** The device that has the call says what it is. */
  moveAsk: 5_000,
  /** The devices open, which may ask the person, and the other side receives by the new connection. */
  move: 40_000,
} as const;

export const callTable: MachineTable<CallState, CallEventType, CallGuard, CallEffect> = {
  name: "call",
  initial: "idle",
  states: CALL_STATES,
  rules: [...CALL_MOVES, ...CALL_RULES, ...CALL_ENDINGS],
};

/** What the guards read; `call` is null when there is no call. */
export interface CallContext {
  readonly me: string;
  readonly device: string;
  readonly call: {
    readonly channel: string;
    readonly callId: string;
    readonly type: CallType;
  } | null;
  /** Chat user name of the other side. */
  readonly peer?: string | undefined;
  readonly inConference?: boolean;
  readonly quiet?: boolean;
  /** Ids of the calls that ended here last. */
  readonly over?: readonly string[];
  readonly arriving?: boolean;
}

/** The message of a received event; null for the other events. */
const messageOf = (event: CallEvent): CallMessage | null =>
  "message" in event ? event.message : null;

const INTERRUPTED: ReadonlySet<number> = new Set([END_REASON.fail, END_REASON.offline]);

export const callGuards: Guards<CallGuard, CallContext, CallEvent> = {
  toSelf: (c, e) => e.type === "dial" && e.to === c.me,
  sameChannel: (c, e) => c.call !== null && messageOf(e)?.channel === c.call.channel,
  sameCall: (c, e) => c.call !== null && messageOf(e)?.callId === c.call.callId,
  forThisDevice: (c, e) =>
    e.type === "rxConfirmAnswer" && ["", c.device].includes(e.message.toUserDevId),
  statusTrue: (_c, e) => e.type === "rxConfirmRing" && e.message.status,
  accepted: (_c, e) =>
    (e.type === "rxAnswer" || e.type === "rxConfirmAnswer") && e.message.result === ANSWER_ACCEPT,
  noAccess: (_c, e) => e.type === "rxTerminate" && e.reason === END_REASON.noAccess,
  interrupted: (_c, e) => e.type === "rxTerminate" && INTERRUPTED.has(e.reason),
  connectionFailed: (_c, e) => e.type === "mediaFailed" && e.code === "call.connection-failed",
  elsewhere: (_c, e) => e.type === "rxTerminate" && e.reason === END_REASON.otherDevice,
  crossing: (c, e) =>
    e.type === "rxRing" &&
    c.call?.type === CALL_TYPE.single &&
    e.message.type === CALL_TYPE.single &&
    e.message.fromUser === c.peer,
  yields: (c, e) => e.type === "rxRing" && c.call !== null && e.message.callId < c.call.callId,
  toRinger: (c, e) => e.type === "dial" && e.to === c.peer,
  inConference: (c) => c.inConference === true,
  arriving: (c) => c.arriving === true,
  quiet: (c) => c.quiet === true,
  isOver: (c, e) => c.over?.includes(messageOf(e)?.callId ?? "") === true,
  peerQuiet: (_c, e) => e.type === "rxConfirmRing" && e.message.quiet === true,
};

/** One step of the call machine. */
export const callStep = (
  state: CallState,
  context: CallContext,
  event: CallEvent,
): Step<CallState, CallEffect> => step(callTable, callGuards, state, context, event);
