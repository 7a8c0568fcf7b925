/**
 * A person whom this side rings for a group call, as one table (docs/calls.md#group-calls). Each person times out alone; the call goes
 * on. The core interprets the effects.
 */
import type { ErrorCode } from "../errors.ts";
import { ANSWER_ACCEPT, type CallMessage } from "../protocol/call-message.ts";
import { type Guards, type MachineTable, type Rule, type Step, step } from "./machine.ts";

export const GROUP_PERSON_STATES = [
  /** Nobody here rings this person. */
  "none",
  "invited",
  "ringing",
  "joined",
  "refused",
  "busy",
  /** The person does not want to be disturbed (docs/calls.md#do-not-disturb). */
  "quiet",
  "timeout",
  "left",
  /** The ring could not be sent, or the answer named another conference. */
  "failed",
] as const;
export type GroupPersonState = (typeof GROUP_PERSON_STATES)[number];

type MessageOf<A extends CallMessage["action"]> = Extract<CallMessage, { action: A }>;
export type GroupPersonEvent =
  | { readonly type: "rxConfirmRing"; readonly message: MessageOf<"confirmRing"> }
  | { readonly type: "rxAnswer"; readonly message: MessageOf<"sendAnswer"> }
  | { readonly type: "ringSendFailed" | "confirmSendFailed"; readonly code: ErrorCode }
  | {
      readonly type:
        | "invite"
        | "ringSent"
        /** The person has entered the conference, or has left it. */
        | "entered"
        | "gone"
        | "timeout";
    };
export type GroupPersonEventType = GroupPersonEvent["type"];
export type GroupPersonGuard =
  | "sameChannel"
  | "sameCall"
  | "statusTrue"
  | "peerQuiet"
  | "accepted"
  /** Nobody else is inside or is still being rung. */
  | "lastHope";

/** Effects that show a text of call-texts.ts. */
export type GroupPersonSay =
  | "sayRingSent"
  | "sayRingDelivered"
  | "sayNoResponse"
  | "sayRingChannelMismatch"
  | "sayRingCallMismatch"
  | "sayAnswerChannelMismatch"
  | "sayAnswerCallMismatch"
  | "sayAnswerInCall";
export type GroupPersonEffect =
  /** Rings, and rings again until a device says that it rings. */
  | "sendRing"
  | "stopRinging"
  /** Tells all devices of the person which one is in the call. */
  | "sendConfirm"
  /** Tells the devices that ring that another one of the person is in the call. */
  | "sendTaken"
  /** Ends the ring on the person's other devices. */
  | "sendCancel"
  | "ringTimer"
  | "clearTimer"
  /** Shows the error that the event carries. */
  | "sayFailure"
  | GroupPersonSay;

type PersonRule = Rule<GroupPersonState, GroupPersonEventType, GroupPersonGuard, GroupPersonEffect>;
/** The person may still answer. */
const OPEN = ["invited", "ringing"] as const;
/** The person may still answer, though nobody waits for it. */
const LATE = ["invited", "ringing", "busy", "quiet", "timeout"] as const;
const OUTSIDE = ["none", "refused", "busy", "quiet", "timeout", "left", "failed"] as const;
const INVITE: readonly GroupPersonEffect[] = ["sendRing", "ringTimer"];

const RULES: readonly PersonRule[] = [
  { from: OUTSIDE, on: "invite", to: "invited", do: INVITE },
  { from: ["invited"], on: "ringSent", to: "same", do: ["sayRingSent"] },
  {
    from: ["invited"],
    on: "ringSendFailed",
    to: "failed",
    do: ["stopRinging", "clearTimer", "sayFailure"],
  },
  // --- a device of the person says whether it rings
  {
    from: OPEN,
    on: "rxConfirmRing",
    when: ["!sameChannel"],
    to: "failed",
    do: ["sayRingChannelMismatch", "sendCancel", "stopRinging", "clearTimer"],
    note: "only this person's ring ends; others are in the call",
  },
  {
    from: OPEN,
    on: "rxConfirmRing",
    when: ["!sameCall"],
    to: "same",
    do: ["sayRingCallMismatch"],
  },
  {
    from: ["invited", "busy"],
    on: "rxConfirmRing",
    when: ["statusTrue", "sameChannel", "sameCall"],
    to: "ringing",
    do: ["stopRinging", "ringTimer", "sayRingDelivered"],
    note: "after busy: another device of the person is free",
  },
  {
    from: ["invited"],
    on: "rxConfirmRing",
    when: ["!statusTrue", "peerQuiet"],
    to: "quiet",
    do: ["stopRinging", "clearTimer"],
  },
  {
    from: ["invited"],
    on: "rxConfirmRing",
    when: ["!statusTrue"],
    to: "busy",
    do: ["stopRinging", "clearTimer"],
  },
  // --- the person answers
  {
    from: LATE,
    on: "rxAnswer",
    when: ["!sameChannel"],
    to: "failed",
    do: ["sayAnswerChannelMismatch", "sendCancel", "stopRinging", "clearTimer"],
  },
  { from: LATE, on: "rxAnswer", when: ["!sameCall"], to: "same", do: ["sayAnswerCallMismatch"] },
  {
    from: LATE,
    on: "rxAnswer",
    when: ["accepted"],
    to: "joined",
    do: ["stopRinging", "clearTimer", "sendConfirm"],
  },
  {
    from: LATE,
    on: "rxAnswer",
    to: "refused",
    do: ["stopRinging", "clearTimer", "sendCancel"],
    note: "one device refused: the cancellation ends the ring on the others",
  },
  {
    from: ["joined", "refused", "left", "failed"],
    on: "rxAnswer",
    when: ["sameChannel", "sameCall"],
    to: "same",
    do: [],
    note: "an answer of another device, or a repeated one: the confirmation names the device that counts",
  },
  {
    from: ["joined", "refused", "left", "failed"],
    on: "rxAnswer",
    to: "same",
    do: ["sayAnswerInCall"],
  },
  { from: ["joined"], on: "confirmSendFailed", to: "same", do: ["sayFailure"] },
  // --- the person in the conference
  {
    from: OPEN,
    on: "entered",
    to: "joined",
    do: ["stopRinging", "clearTimer", "sendTaken"],
    note: "joined without answering the ring, as from the group's banner",
  },
  {
    from: OUTSIDE,
    on: "entered",
    to: "joined",
    do: [],
  },
  { from: ["joined"], on: "gone", to: "left", do: [] },
  // --- nobody answers
  {
    from: OPEN,
    on: "timeout",
    when: ["lastHope"],
    to: "timeout",
    do: ["stopRinging", "clearTimer", "sayNoResponse"],
    note: "the person stays in the call and may ring others",
  },
  { from: OPEN, on: "timeout", to: "timeout", do: ["stopRinging", "clearTimer"] },
];

export const groupCallPersonTable: MachineTable<
  GroupPersonState,
  GroupPersonEventType,
  GroupPersonGuard,
  GroupPersonEffect
> = {
  name: "group-call-person",
  initial: "none",
  states: GROUP_PERSON_STATES,
  rules: RULES,
};

export interface GroupPersonContext {
  readonly call: { readonly channel: string; readonly callId: string };
  readonly lastHope: boolean;
}
const messageOf = (event: GroupPersonEvent): CallMessage | null =>
  "message" in event ? event.message : null;

const guards: Guards<GroupPersonGuard, GroupPersonContext, GroupPersonEvent> = {
  sameChannel: (c, e) => messageOf(e)?.channel === c.call.channel,
  sameCall: (c, e) => messageOf(e)?.callId === c.call.callId,
  statusTrue: (_c, e) => e.type === "rxConfirmRing" && e.message.status,
  peerQuiet: (_c, e) => e.type === "rxConfirmRing" && e.message.quiet === true,
  accepted: (_c, e) => e.type === "rxAnswer" && e.message.result === ANSWER_ACCEPT,
  lastHope: (c) => c.lastHope,
};

/** One step of one rung person. */
export const groupPersonStep = (
  state: GroupPersonState,
  context: GroupPersonContext,
  event: GroupPersonEvent,
): Step<GroupPersonState, GroupPersonEffect> =>
  step(groupCallPersonTable, guards, state, context, event);
