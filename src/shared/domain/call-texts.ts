/** Texts of a call (docs/calls.md#texts). Texts that the platform fixes are used word for word; the others follow its tone. */
import type { CallSay } from "./call-events.ts";

export interface CallText {
  readonly style: "info" | "success" | "warning" | "error";
  readonly text: string;
  readonly en: string;
  /** How the call ended on this side; left out when the call continues. */
  readonly outcome?: string;
}

export const CALL_TEXTS: Readonly<Record<CallSay, CallText>> = {
  sayBusySelf: {
    style: "error",
    text: "您当前正在通话中,请结束当前通话后再次发起。",
    en: "You are in a call. End it before you start another.",
  },
  saySelf: { style: "error", text: "不能和自己音视频通话", en: "You cannot call yourself" },
  sayRingSent: { style: "success", text: "通话请求已经发送", en: "Call request sent" },
  sayRingDelivered: {
    style: "success",
    text: "通话请求已经发送成功",
    en: "Call request delivered",
  },
  sayPeerBusy: {
    style: "warning",
    text: "对方正在通话中，请稍后再试。",
    en: "The other person is in a call. Try again later.",
    outcome: "busy",
  },
  sayPeerQuiet: {
    style: "warning",
    text: "对方已开启勿扰，暂时无法接听。",
    en: "The other person does not want to be disturbed right now.",
    outcome: "quiet",
  },
  sayPeerRefused: {
    style: "warning",
    text: "对方已拒绝音视频通话。",
    en: "The other person declined the call.",
    outcome: "refused",
  },
  sayPeerCancelled: {
    style: "info",
    text: "对方已取消音视频通话。",
    en: "The other person cancelled the call.",
    outcome: "cancelled",
  },
  sayPeerEnded: {
    style: "info",
    text: "对方已结束音视频通话。",
    en: "The other person ended the call.",
    outcome: "ended",
  },
  sayNoAccess: {
    style: "warning",
    text: "通话已结束：其中一方已不在企业，或登录已结束。",
    en: "The call has ended: one side has left the company, or their login has ended.",
    outcome: "ended",
  },
  sayNoResponse: {
    style: "warning",
    text: "对方没有回应，可能是不在线，请稍后重试。释放房间",
    en: "No response. The other person may be offline; try again later. The room was released.",
    outcome: "no-response",
  },
  sayNotAnswered: {
    style: "warning",
    text: "长时间未回应对方的音视频通话请求。",
    en: "The call was not answered in time.",
    outcome: "not-answered",
  },
  sayNoConfirm: {
    style: "warning",
    text: "长时间未收到对方的音视频通话确认信息。",
    en: "No confirmation came from the other person in time.",
    outcome: "no-confirm",
  },
  sayElsewhere: {
    style: "info",
    text: "已在其他设备接听。",
    en: "Answered on another device.",
    outcome: "elsewhere",
  },
  sayMoved: {
    style: "info",
    text: "通话已转到您的另一台设备。",
    en: "The call moved to your other device.",
    outcome: "moved",
  },
  sayNotMoved: {
    style: "error",
    text: "未能在此设备继续通话，请在另一台设备上继续。",
    en: "The call could not be continued on this device. It stays on the other one.",
    outcome: "not-moved",
  },
  sayInterrupted: {
    style: "warning",
    text: "通话已结束：连接中断，未能恢复。",
    en: "The call has ended: the connection was interrupted and did not come back.",
    outcome: "interrupted",
  },
  sayRingChannelMismatch: {
    style: "error",
    text: "对方回复的房间号与当前通话不一致，通话已结束。",
    en: "The reply names a different room; the call was ended.",
    outcome: "mismatch",
  },
  sayRingCallMismatch: {
    style: "error",
    text: "收到的回复不属于当前通话请求。",
    en: "The reply does not belong to this call request.",
  },
  sayAnswerChannelMismatch: {
    style: "error",
    text: "对方答复的房间号与当前通话不一致，通话已结束。",
    en: "The answer names a different room; the call was ended.",
    outcome: "mismatch",
  },
  sayAnswerCallMismatch: {
    style: "error",
    text: "收到的答复不是本人发起的通话请求。",
    en: "The answer is for a call that you did not make.",
  },
  sayAnswerInCall: {
    style: "error",
    text: "收到答复时您已在通话中。",
    en: "An answer came while you were in a call.",
  },
  sayConfirmChannelMismatch: {
    style: "error",
    text: "对方确认的房间号已变更，通话已结束。",
    en: "The confirmation names a changed room; the call was ended.",
    outcome: "mismatch",
  },
  sayConfirmCallMismatch: {
    style: "error",
    text: "收到的确认信息不属于当前通话。",
    en: "The confirmation is for another call.",
  },
  sayConfirmInCall: {
    style: "error",
    text: "收到确认信息时您已在通话中。",
    en: "A confirmation came while you were in a call.",
  },
};

/** The platform shows the successful cancellation in the style of an error. */
export const CANCEL_DONE: CallText = {
  style: "error",
  text: "取消音视频通话成功",
  en: "The call was cancelled",
};

/**
 * What a callee who is not online reads in the conversation, with signalling over chat. The caller does not know the callee's language, so
 * one message has both.
 */
export const UNHEARD_TEXTS: Readonly<Record<"voice" | "video", string>> = {
  voice:
    "我正在向您发起语音通话，请打开控制台接听。\nI am calling you by voice: open the console to answer.",
  video:
    "我正在向您发起视频通话，请打开控制台接听。\nI am calling you by video: open the console to answer.",
};

/** onNetWorkDisconnect of the call monitor (docs/calls.md#call-monitor), shown once per direction. */
export const NO_DATA_TEXTS: Readonly<Record<"local" | "remote", CallText>> = {
  local: {
    style: "warning",
    text: "您的网络不稳定，对方可能听不到或看不到您。",
    en: "Your network is unstable; the other person may not hear or see you.",
  },
  remote: {
    style: "warning",
    text: "对方网络不稳定，暂时收不到对方的音视频。",
    en: "The other person's network is unstable; nothing arrives from them right now.",
  },
};

/** Keys of notices that no effect of the table produces. */
export const CALL_NOTICE_KEYS = {
  cancelDone: "cancelDone",
  noData: { local: "noDataLocal", remote: "noDataRemote" },
} as const;

/** Every notice of a call by its key. */
export const CALL_NOTICE_TEXTS: Readonly<Record<string, CallText>> = {
  ...CALL_TEXTS,
  [CALL_NOTICE_KEYS.cancelDone]: CANCEL_DONE,
  [CALL_NOTICE_KEYS.noData.local]: NO_DATA_TEXTS.local,
  [CALL_NOTICE_KEYS.noData.remote]: NO_DATA_TEXTS.remote,
};
