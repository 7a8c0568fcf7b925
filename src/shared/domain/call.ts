/**
 * The call machine as one table (docs/calls.md#states).
 * The core interprets the effects; nothing here touches a clock, a socket or a device.
 */
import type { CallMessage } from "../protocol/call-message.ts";
import { ANSWER_ACCEPT } from "../protocol/call-message.ts";
import { END_REASON } from "../protocol/signalling.ts";
import { CALL_STATES, type CallState } from "./call-states.ts";
import { type Guards, type MachineTable, type Step, step } from "./machine.ts";

/** ms, docs/calls.md#timeouts */
export const CALL_TIMEOUTS = { ring: 30_000, answer: 30_000, confirm: 60_000 } as const;

export type CallEventType =
  | "dial"
  | "ringSent"
  | "ringSendFailed"
  | "prepareFailed"
  | "rxRing"
  | "rxConfirmRing"
  | "rxAnswer"
  | "rxConfirmAnswer"
  | "rxCancel"
  | "rxTerminate"
  | "accept"
  | "refuse"
  | "answerSendFailed"
  | "confirmHanded"
  | "confirmSent"
  | "confirmSendFailed"
  | "hangup"
  | "timeout"
  | "mediaFailed"
  | "sessionEnded";

export interface CallEvent {
  readonly type: CallEventType;
  /** The received message, for rx… events. */
  readonly message?: CallMessage;
  /** Error code of …Failed events. `reason`: the end reason of rxTerminate. */
  readonly code?: string;
  readonly reason?: number;
}

export type CallGuard =
  | "toSelf"
  | "sameChannel"
  | "sameCall"
  | "forThisDevice"
  | "statusTrue"
  | "accepted"
  /** The server says that another device of this person has the call (end reason 10). */
  | "elsewhere"
  | "group"
  /** Glare: the ring is from the person whom this side is ringing. */
  | "crossing"
  /** In a glare the call with the smaller id continues; here that is the other side's. */
  | "yields"
  /** Dialling the person who is ringing. */
  | "toRinger"
  /** The person is in a conference; a call would need the same microphone. */
  | "inConference";

export type CallEffect =
  // messages to the other side
  | "sendRing"
  | "replyRingTrue"
  | "replyRingFalse"
  | "sendAccept"
  | "sendRefuse"
  | "sendConfirm"
  | "sendCancel"
  /** Like sendCancel, but shows this person no text about the cancellation. */
  | "sendCancelQuietly"
  | "sendTerminate"
  // this side
  | "begin"
  | "adopt"
  /** Drops this side's call without a message to the other side, which continues with its own call. */
  | "abandon"
  | "prepareMedia"
  | "enterRoom"
  | "startMedia"
  | "markStarted"
  | "ringTimer"
  | "answerTimer"
  | "confirmTimer"
  | "clearTimer"
  | "ringSound"
  | "close"
  // texts (docs/calls.md#texts)
  | "sayBusySelf"
  | "saySelf"
  | "sayRingSent"
  | "sayRingDelivered"
  | "sayFailure"
  | "sayPeerBusy"
  | "sayPeerRefused"
  | "sayPeerCancelled"
  | "sayPeerEnded"
  | "sayNoResponse"
  | "sayNotAnswered"
  | "sayNoConfirm"
  | "sayElsewhere"
  /** An unobtrusive notice about a ring that was answered with busy. */
  | "noticeMissed"
  | "sayRingChannelMismatch"
  | "sayRingCallMismatch"
  | "sayAnswerChannelMismatch"
  | "sayAnswerCallMismatch"
  | "sayAnswerInCall"
  | "sayConfirmChannelMismatch"
  | "sayConfirmCallMismatch"
  | "sayConfirmInCall";

type CallTable = MachineTable<CallState, CallEventType, CallGuard, CallEffect>;

const OUTGOING: readonly CallState[] = ["sendRing", "receivedRing"];
const ACTIVE: readonly CallState[] = CALL_STATES.filter((s) => s !== "idle");
const ACCEPT: readonly CallEffect[] = [
  "clearTimer",
  "confirmTimer",
  "sendAccept",
  "prepareMedia",
  "enterRoom",
];

export const callTable: CallTable = {
  name: "call",
  initial: "idle",
  states: CALL_STATES,
  rules: [
    // --- dialling
    { from: "*", on: "dial", when: ["toSelf"], to: "same", do: ["saySelf"] },
    {
      from: ["idle"],
      on: "dial",
      to: "sendRing",
      do: ["begin", "prepareMedia", "sendRing"],
      note: "the ring goes out once the ticket is here and the media are open",
    },
    {
      from: ["confirmRing"],
      on: "dial",
      when: ["toRinger"],
      to: "sendAnswer",
      do: ACCEPT,
      note: "calling the person who rings answers them",
    },
    {
      from: ACTIVE,
      on: "dial",
      to: "same",
      do: ["sayBusySelf"],
      note: "refused while one is active",
    },
    { from: ["sendRing"], on: "ringSent", to: "same", do: ["ringTimer", "sayRingSent"] },
    {
      from: ["receivedRing"],
      on: "ringSent",
      to: "same",
      do: ["ringTimer"],
      note: "the reply was faster than the acknowledgement of the ring",
    },
    {
      from: ["sendRing"],
      on: "ringSendFailed",
      to: "idle",
      do: ["clearTimer", "close", "sayFailure"],
    },
    {
      from: ["sendRing", "receivedRing"],
      on: "prepareFailed",
      to: "idle",
      do: ["sendCancelQuietly", "clearTimer", "close", "sayFailure"],
      note: "no device or no permission",
    },
    // --- being rung
    {
      from: ["idle"],
      on: "rxRing",
      when: ["inConference"],
      to: "same",
      do: ["replyRingFalse", "noticeMissed"],
    },
    {
      from: ["idle"],
      on: "rxRing",
      to: "confirmRing",
      do: ["adopt", "replyRingTrue", "answerTimer", "ringSound"],
    },
    {
      from: ["confirmRing"],
      on: "rxRing",
      when: ["sameCall", "sameChannel"],
      to: "same",
      do: ["replyRingTrue"],
      note: "the ring came twice",
    },
    { from: ACTIVE, on: "rxRing", when: ["sameCall", "sameChannel"], to: "same", do: [] },
    {
      from: OUTGOING,
      on: "rxRing",
      when: ["crossing", "yields"],
      to: "sendAnswer",
      do: [
        "clearTimer",
        "abandon",
        "adopt",
        "replyRingTrue",
        "confirmTimer",
        "sendAccept",
        "prepareMedia",
        "enterRoom",
      ],
      note: "both dialled at once: this side answers the other's call",
    },
    {
      from: OUTGOING,
      on: "rxRing",
      when: ["crossing"],
      to: "same",
      do: [],
      note: "both dialled at once: the other side answers this call",
    },
    { from: ACTIVE, on: "rxRing", to: "same", do: ["replyRingFalse"], note: "busy" },
    // --- the caller learns whether the callee's device rings
    {
      from: ["sendRing"],
      on: "rxConfirmRing",
      when: ["!sameChannel"],
      to: "idle",
      do: ["sayRingChannelMismatch", "sendCancelQuietly", "clearTimer", "close"],
    },
    {
      from: ["sendRing"],
      on: "rxConfirmRing",
      when: ["!sameCall"],
      to: "same",
      do: ["sayRingCallMismatch"],
    },
    {
      from: ["sendRing"],
      on: "rxConfirmRing",
      when: ["statusTrue"],
      to: "receivedRing",
      do: ["sayRingDelivered"],
    },
    {
      from: ["sendRing"],
      on: "rxConfirmRing",
      when: ["!statusTrue"],
      to: "idle",
      do: ["clearTimer", "close", "sayPeerBusy"],
    },
    // --- answering
    {
      from: ["confirmRing"],
      on: "accept",
      to: "sendAnswer",
      do: ACCEPT,
    },
    {
      from: ["confirmRing"],
      on: "refuse",
      to: "idle",
      do: ["sendRefuse", "clearTimer", "close"],
    },
    {
      from: ["sendAnswer"],
      on: "answerSendFailed",
      to: "idle",
      do: ["clearTimer", "close", "sayFailure"],
    },
    {
      from: ["sendAnswer"],
      on: "prepareFailed",
      to: "idle",
      do: ["sendTerminate", "clearTimer", "close", "sayFailure"],
      note: "the acceptance is out already: a refusal would not be heard",
    },
    // --- the caller receives the answer
    {
      from: OUTGOING,
      on: "rxAnswer",
      when: ["!sameChannel"],
      to: "idle",
      do: ["sayAnswerChannelMismatch", "sendCancelQuietly", "clearTimer", "close"],
    },
    {
      from: OUTGOING,
      on: "rxAnswer",
      when: ["!sameCall"],
      to: "same",
      do: ["sayAnswerCallMismatch"],
    },
    {
      from: OUTGOING,
      on: "rxAnswer",
      when: ["accepted"],
      to: "receivedAnswer",
      do: ["clearTimer", "enterRoom", "sendConfirm"],
    },
    {
      from: OUTGOING,
      on: "rxAnswer",
      when: ["!accepted"],
      to: "idle",
      do: ["sendCancelQuietly", "clearTimer", "close", "sayPeerRefused"],
      note: "one device refused: the cancel ends the ring on the others",
    },
    {
      from: ["receivedAnswer", "confirmAnswer", "chat"],
      on: "rxAnswer",
      when: ["sameCall", "sameChannel"],
      to: "same",
      do: [],
      note: "a later answer, of another device or repeated: the confirm names the one that counts",
    },
    {
      from: ["confirmRing", "sendAnswer", "receivedAnswer", "confirmAnswer", "chat"],
      on: "rxAnswer",
      to: "same",
      do: ["sayAnswerInCall"],
    },
    { from: ["receivedAnswer"], on: "confirmHanded", to: "confirmAnswer", do: [] },
    {
      from: ["confirmAnswer"],
      on: "confirmSent",
      to: "chat",
      do: ["markStarted", "startMedia"],
    },
    {
      from: ["receivedAnswer", "confirmAnswer"],
      on: "confirmSendFailed",
      to: "idle",
      do: ["sendTerminate", "close", "sayFailure"],
    },
    {
      from: ["receivedAnswer", "confirmAnswer"],
      on: "prepareFailed",
      to: "idle",
      do: ["sendTerminate", "close", "sayFailure"],
    },
    // --- the callee receives the confirmation
    {
      from: ["confirmRing", "sendAnswer"],
      on: "rxConfirmAnswer",
      when: ["sameCall", "sameChannel", "!forThisDevice"],
      to: "idle",
      do: ["clearTimer", "close", "sayElsewhere"],
      note: "another device of this person answered",
    },
    {
      from: ["sendAnswer"],
      on: "rxConfirmAnswer",
      when: ["!sameChannel"],
      to: "idle",
      do: ["sayConfirmChannelMismatch", "sendTerminate", "clearTimer", "close"],
    },
    {
      from: ["sendAnswer"],
      on: "rxConfirmAnswer",
      when: ["!sameCall"],
      to: "same",
      do: ["sayConfirmCallMismatch"],
    },
    {
      from: ["sendAnswer"],
      on: "rxConfirmAnswer",
      when: ["accepted"],
      to: "chat",
      do: ["clearTimer", "markStarted", "startMedia"],
    },
    {
      from: ["sendAnswer"],
      on: "rxConfirmAnswer",
      when: ["!accepted"],
      to: "idle",
      do: ["clearTimer", "close", "sayPeerEnded"],
    },
    {
      from: ["chat"],
      on: "rxConfirmAnswer",
      when: ["sameCall", "sameChannel"],
      to: "same",
      do: [],
      note: "repeated",
    },
    {
      from: ["sendRing", "receivedRing", "receivedAnswer", "confirmAnswer", "chat"],
      on: "rxConfirmAnswer",
      to: "same",
      do: ["sayConfirmInCall"],
    },
    // --- ending
    {
      from: OUTGOING,
      on: "hangup",
      when: ["!group"],
      to: "idle",
      do: ["sendCancel", "clearTimer", "close"],
    },
    { from: OUTGOING, on: "hangup", when: ["group"], to: "idle", do: ["clearTimer", "close"] },
    { from: ["confirmRing"], on: "hangup", to: "idle", do: ["sendRefuse", "clearTimer", "close"] },
    {
      from: ["sendAnswer", "receivedAnswer", "confirmAnswer", "chat"],
      on: "hangup",
      to: "idle",
      do: ["sendTerminate", "clearTimer", "close"],
    },
    {
      from: ACTIVE,
      on: "rxCancel",
      when: ["sameChannel", "sameCall"],
      to: "idle",
      do: ["clearTimer", "close", "sayPeerCancelled"],
    },
    {
      from: ACTIVE,
      on: "rxTerminate",
      when: ["elsewhere"],
      to: "idle",
      do: ["clearTimer", "close", "sayElsewhere"],
    },
    {
      from: ACTIVE,
      on: "rxTerminate",
      to: "idle",
      do: ["clearTimer", "close", "sayPeerEnded"],
    },
    {
      from: OUTGOING,
      on: "timeout",
      when: ["!group"],
      to: "idle",
      do: ["sendCancelQuietly", "clearTimer", "close", "sayNoResponse"],
    },
    { from: OUTGOING, on: "timeout", when: ["group"], to: "same", do: ["clearTimer"] },
    {
      from: ["confirmRing"],
      on: "timeout",
      when: ["!group"],
      to: "idle",
      do: ["clearTimer", "close", "sayNotAnswered"],
    },
    {
      from: ["confirmRing"],
      on: "timeout",
      when: ["group"],
      to: "same",
      do: ["clearTimer"],
      note: "only one-to-one calls hang up on timeout",
    },
    {
      from: ["sendAnswer"],
      on: "timeout",
      to: "idle",
      do: ["sendTerminate", "clearTimer", "close", "sayNoConfirm"],
    },
    {
      from: ["sendAnswer", "receivedAnswer", "confirmAnswer", "chat"],
      on: "mediaFailed",
      to: "idle",
      do: ["sendTerminate", "clearTimer", "close", "sayFailure"],
    },
    {
      from: ["sendRing", "receivedRing"],
      on: "sessionEnded",
      to: "idle",
      do: ["sendCancelQuietly", "clearTimer", "close"],
    },
    {
      from: ["confirmRing"],
      on: "sessionEnded",
      to: "idle",
      do: ["sendRefuse", "clearTimer", "close"],
    },
    {
      from: ["sendAnswer", "receivedAnswer", "confirmAnswer", "chat"],
      on: "sessionEnded",
      to: "idle",
      do: ["sendTerminate", "clearTimer", "close"],
    },
  ],
};

/** What the guards read; `call` is null when there is no call. */
export interface CallContext {
  readonly me: string;
  readonly device: string;
  readonly call: {
    readonly channel: string;
    readonly callId: string;
    readonly type: 1 | 2;
  } | null;
  /** Chat user name of the other side. */
  readonly peer?: string | undefined;
  /** Target of a dial event. */
  readonly dialTo?: string;
  readonly inConference?: boolean;
}

export const callGuards: Guards<CallGuard, CallContext, CallEvent> = {
  toSelf: (c) => c.dialTo === c.me,
  sameChannel: (c, e) => e.message !== undefined && c.call?.channel === e.message.channel,
  sameCall: (c, e) => e.message !== undefined && c.call?.callId === e.message.callId,
  forThisDevice: (c, e) => e.message?.toUserDevId === "" || e.message?.toUserDevId === c.device,
  statusTrue: (_c, e) => e.message?.action === "confirmRing" && e.message.status,
  accepted: (_c, e) =>
    (e.message?.action === "sendAnswer" || e.message?.action === "confirmAnswer") &&
    e.message.result === ANSWER_ACCEPT,
  elsewhere: (_c, e) => e.reason === END_REASON.otherDevice,
  group: (c) => c.call?.type === 2,
  crossing: (c, e) => c.call?.type === 1 && e.message?.type === 1 && e.message.fromUser === c.peer,
  yields: (c, e) => (e.message?.callId ?? "") < (c.call?.callId ?? ""),
  toRinger: (c) => c.peer !== undefined && c.dialTo === c.peer,
  inConference: (c) => c.inConference === true,
};

/** One step of the call machine. */
export const callStep = (
  state: CallState,
  context: CallContext,
  event: CallEvent,
): Step<CallState, CallEffect> => step(callTable, callGuards, state, context, event);
