/** What happens to this person's side of a group call: the events of the table in group-call.ts. */
import type { ErrorCode } from "../errors.ts";
import type { CallMessage } from "../protocol/call-message.ts";

type MessageOf<A extends CallMessage["action"]> = Extract<CallMessage, { action: A }>;
export type GroupCallEvent =
  | {
      readonly type: "start";
      readonly media: "voice" | "video";
      /** The chat group that calls; null: people were chosen. */
      readonly groupId: string | null;
      /** Chat user names of those to ring. */
      readonly people: readonly string[];
      /** The tab of the click. */
      readonly tabId: string;
    }
  | {
      readonly type: "join";
      readonly channel: string;
      readonly callId: string;
      readonly media: "voice" | "video";
      readonly groupId: string | null;
      readonly tabId: string;
    }
  /** The call of two that is on becomes a group call (call-growth.ts). */
  | {
      readonly type: "grow";
      readonly media: "voice" | "video";
      readonly people: readonly string[];
      readonly tabId: string;
    }
  /** A call of two becomes this group call, and the other side added the people. */
  | {
      readonly type: "growIn";
      readonly channel: string;
      readonly callId: string;
      readonly media: "voice" | "video";
      /** Chat user name of the person who added people to the call. */
      readonly by: string;
      readonly tabId: string;
    }
  | { readonly type: "invite"; readonly people: readonly string[] }
  | { readonly type: "accept"; readonly tabId: string }
  | { readonly type: "rxRing"; readonly message: MessageOf<"sendRing"> }
  | { readonly type: "rxCancel"; readonly message: MessageOf<"cancelCall"> }
  | { readonly type: "rxConfirmAnswer"; readonly message: MessageOf<"confirmAnswer"> }
  | { readonly type: "enterFailed" | "answerSendFailed"; readonly code: ErrorCode }
  | {
      readonly type:
        | "refuse"
        | "leave"
        /** The one timer of this side ran out. */
        | "timeout"
        /** The conference of the call was entered. */
        | "entered"
        /** The conference of the call has ended on this side. */
        | "exited"
        /** The server says that the call that rings here is over. */
        | "over"
        | "sessionEnded";
    };
export type GroupCallEventType = GroupCallEvent["type"];
