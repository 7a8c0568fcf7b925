/** The command messages of a call (docs/calls.md#messages): each names its sender, its receiver and their devices. */
import type { CallType } from "../../../shared/domain/call-types.ts";
import type { CallEvent } from "../../../shared/domain/call-events.ts";
import type { CallAction, CallMessage } from "../../../shared/protocol/call-message.ts";
import type { QuietCalls } from "../../../shared/protocol/quiet-calls.ts";
import type { CallSlice } from "../../../shared/protocol/state.ts";
import type { CallPrivate } from "./state.ts";

type Answer = { readonly status?: boolean; readonly result?: string };

interface Envelope {
  readonly channel: string;
  readonly callId: string;
  readonly type: CallType;
  readonly media: "voice" | "video";
  readonly fromUser: string;
  readonly toUser: string;
  readonly fromUserDevId: string;
  readonly toUserDevId: string;
  readonly ts: number;
}

function build(action: CallAction, base: Envelope, answer: Answer): CallMessage {
  switch (action) {
    case "confirmRing":
      return { ...base, action, status: answer.status ?? false };
    case "sendAnswer":
    case "confirmAnswer":
      return { ...base, action, result: answer.result ?? "" };
    default:
      return { ...base, action };
  }
}

/** Builds a message of the current call. `at` is ms since the epoch. */
export function messageOf(
  action: CallAction,
  slice: Readonly<CallSlice>,
  priv: Readonly<CallPrivate>,
  at: number,
  answer: Answer = {},
): CallMessage | null {
  const { info, peer } = slice;
  if (info === null || peer === null) return null;
  return build(
    action,
    {
      channel: info.channel,
      callId: info.callId,
      type: info.type,
      media: info.media,
      fromUser: priv.me,
      toUser: peer.userName,
      fromUserDevId: priv.device,
      // a ring and its cancellation are for all devices of the other side
      toUserDevId: action === "sendRing" || action === "cancelCall" ? "" : priv.peerDevice,
      ts: at,
    },
    answer,
  );
}

/**
 * Builds the reply to a ring, for this call or when this person is busy.
 *
 * @param quiet set when the person does not want to be disturbed
 */
export function ringReply(
  ring: CallMessage,
  status: boolean,
  device: string,
  at: number,
  quiet: QuietCalls | null = null,
): CallMessage {
  return {
    action: "confirmRing",
    status,
    ...(quiet === null ? {} : { quiet: true, note: quiet.note }),
    channel: ring.channel,
    callId: ring.callId,
    type: ring.type,
    media: ring.media,
    fromUser: ring.toUser,
    toUser: ring.fromUser,
    fromUserDevId: device,
    toUserDevId: ring.fromUserDevId,
    ts: at,
  };
}

/** The event that a received message is. */
export function eventOf(message: CallMessage): CallEvent {
  switch (message.action) {
    case "sendRing":
      return { type: "rxRing", message };
    case "confirmRing":
      return { type: "rxConfirmRing", message };
    case "sendAnswer":
      return { type: "rxAnswer", message };
    case "confirmAnswer":
      return { type: "rxConfirmAnswer", message };
    case "cancelCall":
      return { type: "rxCancel", message };
  }
}
