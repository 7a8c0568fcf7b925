/**
 * This person's side of a group call as one table (docs/calls.md#group-calls). Whom this person rings is in group-call-person.ts.
 * The core interprets the effects; nothing here touches a clock, a socket or a device.
 */
import { ANSWER_ACCEPT } from "../protocol/call-message.ts";
import type { GroupCallEvent, GroupCallEventType } from "./group-call-events.ts";
import { type Guards, type MachineTable, type Rule, type Step, step } from "./machine.ts";

export type { GroupCallEvent } from "./group-call-events.ts";

/** ms, docs/calls.md#timeouts */
export const GROUP_CALL_TIMEOUTS = { ring: 30_000, answer: 30_000, confirm: 60_000 } as const;

export const GROUP_CALL_STATES = ["idle", "ringing", "entering", "inCall"] as const;
export type GroupCallState = (typeof GROUP_CALL_STATES)[number];

export type GroupCallGuard =
  /** This person is among those to ring. */
  | "toSelf"
  /** The person is in a call of two or in a conference; a group call would need the same microphone. */
  | "busy"
  /** The person does not want to be disturbed by calls (docs/calls.md#do-not-disturb). */
  | "quiet"
  | "sameChannel"
  | "sameCall"
  | "forThisDevice"
  | "accepted"
  /** This side answered a ring and waits for the confirmation. */
  | "awaitsConfirm";

/** Effects that show a text of call-texts.ts. */
export type GroupCallSay =
  | "saySelf"
  | "sayBusySelf"
  | "sayPeerCancelled"
  | "sayPeerEnded"
  | "sayNotAnswered"
  | "sayNoConfirm"
  | "sayElsewhere"
  | "sayConfirmChannelMismatch"
  | "sayConfirmCallMismatch"
  | "sayConfirmInCall";
export type GroupCallEffect =
  | "replyRingTrue"
  | "replyRingFalse"
  | "replyRingQuiet"
  | "sendAccept"
  | "sendRefuse"
  /** Begins an own call: the server makes its conference. */
  | "begin"
  /** Takes the call of a ring, or of the person's choice to join. */
  | "adopt"
  /** Enters the call's conference; the tab of the click becomes the owner. */
  | "enter"
  /** Lets these people in and rings them. */
  | "ringPeople"
  /** Leaves the conference. */
  | "leaveConference"
  | "answerTimer"
  | "confirmTimer"
  | "clearTimer"
  | "markStarted"
  /** Ends the call on this side: rings, timers and slice. */
  | "close"
  | "noticeMissed"
  | "noticeQuiet"
  /** Shows the error that the event carries. */
  | "sayFailure"
  | GroupCallSay;

type GroupRule = Rule<GroupCallState, GroupCallEventType, GroupCallGuard, GroupCallEffect>;
const ACTIVE = ["ringing", "entering", "inCall"] as const;
const INSIDE = ["entering", "inCall"] as const;
const ACCEPT: readonly GroupCallEffect[] = ["clearTimer", "confirmTimer", "sendAccept", "enter"];

const RULES: readonly GroupRule[] = [
  // --- beginning and joining
  { from: "*", on: "start", when: ["toSelf"], to: "same", do: ["saySelf"] },
  { from: "*", on: "start", when: ["busy"], to: "same", do: ["sayBusySelf"] },
  { from: ACTIVE, on: "start", to: "same", do: ["sayBusySelf"], note: "one call at a time" },
  { from: ["idle"], on: "start", to: "entering", do: ["begin", "enter"] },
  { from: "*", on: "grow", when: ["toSelf"], to: "same", do: ["saySelf"] },
  { from: ["idle"], on: "grow", to: "entering", do: ["begin", "enter"] },
  { from: ACTIVE, on: "grow", to: "same", do: ["sayBusySelf"] },
  { from: ["idle"], on: "growIn", to: "entering", do: ["adopt", "enter"] },
  { from: ACTIVE, on: "growIn", to: "same", do: ["sayBusySelf"] },
  { from: "*", on: "join", when: ["busy"], to: "same", do: ["sayBusySelf"] },
  {
    from: ["ringing"],
    on: "join",
    when: ["sameChannel"],
    to: "entering",
    do: ACCEPT,
    note: "joining the call that rings answers it",
  },
  {
    from: INSIDE,
    on: "join",
    when: ["sameChannel"],
    to: "same",
    do: [],
    note: "another tab has joined already",
  },
  { from: ACTIVE, on: "join", to: "same", do: ["sayBusySelf"] },
  { from: ["idle"], on: "join", to: "entering", do: ["adopt", "enter"] },
  { from: "*", on: "invite", when: ["toSelf"], to: "same", do: ["saySelf"] },
  { from: INSIDE, on: "invite", to: "same", do: ["ringPeople"] },
  // --- being rung
  {
    from: ["idle"],
    on: "rxRing",
    when: ["busy"],
    to: "same",
    do: ["replyRingFalse", "noticeMissed"],
  },
  {
    from: ["idle"],
    on: "rxRing",
    when: ["quiet"],
    to: "same",
    do: ["replyRingQuiet", "noticeQuiet"],
    note: "the server records the missed call",
  },
  { from: ["idle"], on: "rxRing", to: "ringing", do: ["adopt", "replyRingTrue", "answerTimer"] },
  {
    from: ["ringing"],
    on: "rxRing",
    when: ["sameChannel", "sameCall"],
    to: "same",
    do: ["replyRingTrue"],
    note: "the ring came twice, or of two people inside",
  },
  {
    from: INSIDE,
    on: "rxRing",
    when: ["sameChannel", "sameCall"],
    to: "same",
    do: [],
    note: "the ringing member sees this person inside",
  },
  { from: ACTIVE, on: "rxRing", to: "same", do: ["replyRingFalse"], note: "busy" },
  // --- answering
  { from: ["ringing"], on: "accept", to: "entering", do: ACCEPT },
  { from: ["ringing"], on: "refuse", to: "idle", do: ["sendRefuse", "clearTimer", "close"] },
  { from: ["ringing"], on: "leave", to: "idle", do: ["sendRefuse", "clearTimer", "close"] },
  { from: ["ringing"], on: "timeout", to: "idle", do: ["clearTimer", "close", "sayNotAnswered"] },
  {
    from: ["ringing"],
    on: "rxCancel",
    when: ["sameChannel", "sameCall"],
    to: "idle",
    do: ["clearTimer", "close", "sayPeerCancelled"],
  },
  { from: ["ringing"], on: "over", to: "idle", do: ["clearTimer", "close", "sayPeerEnded"] },
  {
    from: ["ringing"],
    on: "rxConfirmAnswer",
    when: ["sameChannel", "sameCall", "!forThisDevice"],
    to: "idle",
    do: ["clearTimer", "close", "sayElsewhere"],
    note: "another device of this person is in the call",
  },
  {
    from: INSIDE,
    on: "answerSendFailed",
    to: "same",
    do: ["clearTimer", "sayFailure"],
    note: "the conference lets this person in all the same",
  },
  // --- the confirmation from the ringing side
  {
    from: INSIDE,
    on: "rxConfirmAnswer",
    when: ["awaitsConfirm", "!sameChannel"],
    to: "idle",
    do: ["sayConfirmChannelMismatch", "clearTimer", "leaveConference", "close"],
  },
  {
    from: INSIDE,
    on: "rxConfirmAnswer",
    when: ["awaitsConfirm", "!sameCall"],
    to: "same",
    do: ["sayConfirmCallMismatch"],
  },
  {
    from: INSIDE,
    on: "rxConfirmAnswer",
    when: ["awaitsConfirm", "!forThisDevice"],
    to: "idle",
    do: ["clearTimer", "leaveConference", "close", "sayElsewhere"],
    note: "two devices of this person answered, and the other one was first",
  },
  {
    from: INSIDE,
    on: "rxConfirmAnswer",
    when: ["awaitsConfirm", "accepted"],
    to: "same",
    do: ["clearTimer"],
  },
  {
    from: INSIDE,
    on: "rxConfirmAnswer",
    when: ["awaitsConfirm"],
    to: "idle",
    do: ["clearTimer", "leaveConference", "close", "sayPeerEnded"],
  },
  {
    from: INSIDE,
    on: "rxConfirmAnswer",
    when: ["sameChannel", "sameCall"],
    to: "same",
    do: [],
    note: "repeated",
  },
  { from: INSIDE, on: "rxConfirmAnswer", to: "same", do: ["sayConfirmInCall"] },
  {
    from: INSIDE,
    on: "timeout",
    to: "same",
    do: ["clearTimer", "sayNoConfirm"],
    note: "only one-to-one calls hang up on timeout",
  },
  // --- inside
  { from: ["entering"], on: "entered", to: "inCall", do: ["markStarted"] },
  { from: ["entering"], on: "enterFailed", to: "idle", do: ["clearTimer", "close", "sayFailure"] },
  { from: INSIDE, on: "exited", to: "idle", do: ["clearTimer", "close"] },
  { from: INSIDE, on: "leave", to: "idle", do: ["clearTimer", "leaveConference", "close"] },
  { from: ["ringing"], on: "sessionEnded", to: "idle", do: ["sendRefuse", "clearTimer", "close"] },
  { from: INSIDE, on: "sessionEnded", to: "idle", do: ["clearTimer", "leaveConference", "close"] },
];

export const groupCallTable: MachineTable<
  GroupCallState,
  GroupCallEventType,
  GroupCallGuard,
  GroupCallEffect
> = {
  name: "group-call",
  initial: "idle",
  states: GROUP_CALL_STATES,
  rules: RULES,
};

/** What the guards read; `call` is null when there is no group call. */
export interface GroupCallContext {
  readonly me: string;
  readonly device: string;
  readonly call: { readonly channel: string; readonly callId: string } | null;
  readonly busy: boolean;
  readonly quiet: boolean;
  readonly awaitsConfirm: boolean;
}

const named = (event: GroupCallEvent) =>
  "message" in event ? event.message : event.type === "join" ? event : null;

const guards: Guards<GroupCallGuard, GroupCallContext, GroupCallEvent> = {
  toSelf: (c, e) => "people" in e && e.people.includes(c.me),
  busy: (c) => c.busy,
  quiet: (c) => c.quiet,
  sameChannel: (c, e) => c.call !== null && named(e)?.channel === c.call.channel,
  sameCall: (c, e) => c.call !== null && named(e)?.callId === c.call.callId,
  forThisDevice: (c, e) =>
    e.type === "rxConfirmAnswer" && ["", c.device].includes(e.message.toUserDevId),
  accepted: (_c, e) => e.type === "rxConfirmAnswer" && e.message.result === ANSWER_ACCEPT,
  awaitsConfirm: (c) => c.awaitsConfirm,
};

/** One step of this person's side. */
export const groupCallStep = (
  state: GroupCallState,
  context: GroupCallContext,
  event: GroupCallEvent,
): Step<GroupCallState, GroupCallEffect> => step(groupCallTable, guards, state, context, event);
