/**
 * The states of a signalling session, the same for calls (docs/calls.md#signalling-session) and conferences
 * (docs/conferences.md#session). A session outlives its socket: when the socket is lost, the session is resumed over a new one. It
 * ends when the server refuses it, when another device replaces it, or when this side leaves. Only a session that has not been
 * entered yet gives up after a number of attempts.
 */
import { END_REASON, RESULT } from "../protocol/signalling.ts";
import { type Guards, type MachineTable, type Step, step } from "./machine.ts";

export const SIGNALLING_STATES = ["closed", "entering", "entered", "resuming", "leaving"] as const;
export type SignallingState = (typeof SIGNALLING_STATES)[number];

/** @typeParam A the server's answer to an enter */
export type SignallingEvent<A = unknown> =
  | { readonly type: "open" | "entryTimeout" | "leave" | "left" | "close" }
  | { readonly type: "accepted"; readonly answer: A }
  | { readonly type: "refused"; readonly result: number; readonly msg: string }
  | {
      readonly type: "lost";
      readonly why: "bad-ticket" | "replaced" | "failed";
      /** Attempts to connect since the last stable connection. */
      readonly attempts: number;
    };

export type SignallingGuard =
  /** An earlier core had entered: the session is resumed. */
  | "known"
  /** Another device of this person has replaced this session for good. */
  | "replaced"
  /** The server refuses the ticket, which was not renewed since the last enter. */
  | "mayRenew"
  | "outOfAttempts";

export type SignallingEffect =
  | "connect"
  | "entryTimer"
  | "clearEntryTimer"
  | "releaseHeld"
  | "renewTicket"
  | "reportEntered"
  | "reportLost"
  | "shut"
  | "reportRefused";

const OUTSIDE: readonly SignallingState[] = ["entering", "resuming"];
const ACTIVE: readonly SignallingState[] = ["entering", "resuming", "entered"];

export const signallingSessionTable: MachineTable<
  SignallingState,
  SignallingEvent["type"],
  SignallingGuard,
  SignallingEffect
> = {
  name: "signalling-session",
  initial: "closed",
  states: SIGNALLING_STATES,
  rules: [
    { from: ["closed"], on: "open", when: ["known"], to: "resuming", do: ["connect"] },
    { from: ["closed"], on: "open", to: "entering", do: ["entryTimer", "connect"] },
    {
      from: OUTSIDE,
      on: "accepted",
      to: "entered",
      do: ["clearEntryTimer", "releaseHeld", "reportEntered"],
    },
    { from: OUTSIDE, on: "refused", to: "closed", do: ["shut", "reportRefused"] },
    { from: ["entering"], on: "entryTimeout", to: "closed", do: ["shut", "reportRefused"] },
    {
      from: ACTIVE,
      on: "lost",
      when: ["replaced"],
      to: "closed",
      do: ["shut", "reportRefused"],
      note: "entering again would replace the other device in turn, endlessly",
    },
    {
      from: ["entering"],
      on: "lost",
      when: ["outOfAttempts"],
      to: "closed",
      do: ["shut", "reportRefused"],
    },
    { from: OUTSIDE, on: "lost", when: ["mayRenew"], to: "same", do: ["renewTicket"] },
    {
      from: ["entered"],
      on: "lost",
      when: ["mayRenew"],
      to: "resuming",
      do: ["reportLost", "renewTicket"],
    },
    { from: ["entered"], on: "lost", to: "resuming", do: ["reportLost"] },
    {
      from: ["entered"],
      on: "leave",
      to: "leaving",
      do: [],
      note: "the request to leave was sent and is not answered yet",
    },
    { from: ["leaving"], on: "lost", to: "closed", do: ["shut"] },
    { from: ["leaving"], on: "left", to: "closed", do: ["shut"] },
    { from: [...ACTIVE, "leaving"], on: "close", to: "closed", do: ["shut"] },
  ],
};

/** What the guards read. */
export interface SignallingContext {
  /** There is a session id to resume with. */
  readonly known: boolean;
  /** Several devices of this person may enter for a moment. A replaced device then enters again. */
  readonly contended: boolean;
  /** The ticket was not renewed since the last enter. */
  readonly fresh: boolean;
  /** Attempts after which a session that has not been entered fails; null for no limit. */
  readonly maxAttempts: number | null;
}

export const signallingSessionGuards: Guards<SignallingGuard, SignallingContext, SignallingEvent> =
  {
    known: (c) => c.known,
    replaced: (c, e) => e.type === "lost" && e.why === "replaced" && !c.contended,
    mayRenew: (c, e) => e.type === "lost" && e.why === "bad-ticket" && c.fresh,
    outOfAttempts: (c, e) =>
      e.type === "lost" && c.maxAttempts !== null && e.attempts >= c.maxAttempts,
  };

/** One step of the session's machine. */
export const signallingSessionStep = (
  state: SignallingState,
  context: SignallingContext,
  event: SignallingEvent,
): Step<SignallingState, SignallingEffect> =>
  step(signallingSessionTable, signallingSessionGuards, state, context, event);

/** The end reason of a refused enter (docs/calls.md#entering, docs/conferences.md#ends). */
export function refusalReason(result: number): number {
  if ([-9527, -95270, -500, -502, -504, -508, -510].includes(result)) return END_REASON.fail;
  if (result === -506 || result === -501) return END_REASON.closed;
  return END_REASON.reject;
}

export interface SessionEnd {
  /** An end reason (docs/calls.md#end-reasons, docs/conferences.md#ends). */
  readonly reason: number;
  readonly result: number;
  readonly msg: string;
}
/**
 * The end of a session that was refused, replaced by another device, or not entered in time.
 *
 * @param event the event after which the session is closed
 */
export function sessionEnd(event: SignallingEvent): SessionEnd {
  const failed = (result: number, msg: string): SessionEnd => ({
    reason: refusalReason(result),
    result,
    msg,
  });
  if (event.type === "refused") return failed(event.result, event.msg);
  if (event.type === "entryTimeout") return failed(RESULT.clientFailure, "enter timeout");
  if (event.type === "lost" && event.why === "replaced") {
    return { reason: END_REASON.otherDevice, result: RESULT.otherDevice, msg: "replaced" };
  }
  return failed(RESULT.reconnectFailed, "reconnect failed");
}
