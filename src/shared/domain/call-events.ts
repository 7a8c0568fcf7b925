/** The events with their data, guards and effects of which the call table (call.ts) consists. */
import type { ErrorCode } from "../errors.ts";
import type { CallMessage } from "../protocol/call-message.ts";
import type { MovedCall } from "../protocol/call-move.ts";
import type { OwnCall } from "../protocol/rest/own-calls.ts";
import type { CallState } from "./call-states.ts";
import type { Rule } from "./machine.ts";

type MessageOf<A extends CallMessage["action"]> = Extract<CallMessage, { action: A }>;

/** Where the events come from: docs/calls.md#events. */
export type CallEvent =
  | {
      readonly type: "dial";
      /** Chat user name of the person to call. */
      readonly to: string;
      /** Name to show; "" uses the one that chat knows. */
      readonly name: string;
      readonly media: "voice" | "video";
      /** The tab of the click. */
      readonly tabId: string;
    }
  | { readonly type: "accept"; readonly tabId: string }
  /** The person goes on here with a call that another device has. */
  | { readonly type: "goOn"; readonly call: OwnCall; readonly tabId: string }
  /** The other device says what the call is. */
  | { readonly type: "moveTold"; readonly call: MovedCall }
  | { readonly type: "rxRing"; readonly message: MessageOf<"sendRing"> }
  | { readonly type: "rxConfirmRing"; readonly message: MessageOf<"confirmRing"> }
  | { readonly type: "rxAnswer"; readonly message: MessageOf<"sendAnswer"> }
  | { readonly type: "rxConfirmAnswer"; readonly message: MessageOf<"confirmAnswer"> }
  | { readonly type: "rxCancel"; readonly message: MessageOf<"cancelCall"> }
  /** `reason` is an end reason (docs/calls.md#end-reasons). */
  | { readonly type: "rxTerminate"; readonly reason: number }
  | {
      readonly type:
        | "ringSendFailed"
        | "prepareFailed"
        | "answerSendFailed"
        | "confirmSendFailed"
        | "mediaFailed";
      readonly code: ErrorCode;
    }
  | {
      readonly type:
        | "ringSent"
        | "refuse"
        | "confirmHanded"
        | "confirmSent"
        | "hangup"
        | "timeout"
        | "sessionEnded"
        /** This device has the call now, which another one had. */
        | "moved"
        /** The other device keeps the call. */
        | "moveFailed"
        /** The call of two became a group call (call-growth.ts). */
        | "grown";
    };
export type CallEventType = CallEvent["type"];
/** The event of this type. */
export type CallEventOf<T extends CallEventType> = Extract<CallEvent, { type: T }>;

export type CallGuard =
  | "toSelf"
  | "sameChannel"
  | "sameCall"
  | "forThisDevice"
  | "statusTrue"
  | "accepted"
  /** The server says that another device of this person has the call (end reason 10). */
  | "elsewhere"
  /** One side has no access any more (end reason 13). */
  | "noAccess"
  /** The other side gave the connection up (end reason 4), or one side was away too long (6). */
  | "interrupted"
  /** The connection did not come back in time. */
  | "connectionFailed"
  /** The call is on its way to this device, and another one of this person has it. */
  | "arriving"
  /** Glare: the ring is from the person whom this side is ringing. */
  | "crossing"
  /** In a glare the call with the smaller id continues; here that is the other side's. */
  | "yields"
  /** Dialling the person who is ringing. */
  | "toRinger"
  /** The person is in a conference; a call would need the same microphone. */
  | "inConference"
  /** The person does not want to be disturbed by calls (docs/calls.md#do-not-disturb). */
  | "quiet"
  | "isOver"
  /** The callee does not want to be disturbed. */
  | "peerQuiet";

/** Effects that show a text (docs/calls.md#texts). */
export type CallSay =
  | "sayBusySelf"
  | "saySelf"
  | "sayRingSent"
  | "sayRingDelivered"
  | "sayPeerBusy"
  | "sayPeerQuiet"
  | "sayPeerRefused"
  | "sayPeerCancelled"
  | "sayPeerEnded"
  | "sayNoAccess"
  | "sayNoResponse"
  | "sayNotAnswered"
  | "sayNoConfirm"
  | "sayElsewhere"
  | "sayMoved"
  | "sayNotMoved"
  | "sayInterrupted"
  | "sayRingChannelMismatch"
  | "sayRingCallMismatch"
  | "sayAnswerChannelMismatch"
  | "sayAnswerCallMismatch"
  | "sayAnswerInCall"
  | "sayConfirmChannelMismatch"
  | "sayConfirmCallMismatch"
  | "sayConfirmInCall";
export type CallEffect =
  // messages to the other side
  | "sendRing"
  | "replyRingTrue"
  | "replyRingFalse"
  | "replyRingQuiet"
  | "sendAccept"
  | "sendRefuse"
  | "sendConfirm"
  | "sendCancel"
  /** Like sendCancel, but shows this person no text about the cancellation. */
  | "sendCancelQuietly"
  | "sendTerminate"
  // this side
  /** Begins an outgoing call. */
  | "begin"
  /** Begins the incoming call of the ring. */
  | "adopt"
  /** Begins the call that another device has, with that device still in it. */
  | "arrive"
  /** Makes the call what the other device says of it, and opens the media here. */
  | "carryOn"
  | "askTimer"
  | "moveTimer"
  /** Drops this side's call without a message to the other side, which continues with its own call. */
  | "abandon"
  /** Gets the ticket and makes a tab the owner of the media. */
  | "prepareMedia"
  /** Enters the signalling session. */
  | "enterSession"
  | "markStarted"
  | "ringTimer"
  | "answerTimer"
  | "confirmTimer"
  | "clearTimer"
  /** Ends the call on this side: media, signalling session and slice. */
  | "close"
  /** An unobtrusive notice about a ring that was answered with busy. */
  | "noticeMissed"
  /** An unobtrusive notice about a ring that came while the person does not want to be disturbed. */
  | "noticeQuiet"
  /** Records the ring, which begins no call here, as missed. */
  | "recordMissed"
  /** Shows the error that the event carries. */
  | "sayFailure"
  | CallSay;

export type CallRule = Rule<CallState, CallEventType, CallGuard, CallEffect>;
