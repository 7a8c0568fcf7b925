/** Every rule of the two tables of a group call has a row here. A test fails for a rule without one. */
import { describe, expect, it } from "vitest";
import {
  type GroupCallContext,
  type GroupCallEvent,
  type GroupCallState,
  groupCallStep,
  groupCallTable,
} from "./group-call.ts";
import {
  groupCallPersonTable,
  type GroupPersonContext,
  type GroupPersonEvent,
  type GroupPersonState,
  groupPersonStep,
} from "./group-call-person.ts";
import { CALL_TEXTS } from "./call-texts.ts";

const call = { channel: "123456789", callId: "call" };
const base = {
  ...call,
  type: 2 as const,
  fromUserDevId: "phone",
  toUserDevId: "pc",
  ts: 1,
  fromUser: "bob",
  toUser: "ann",
  media: "video" as const,
};
type Over = Partial<typeof base>;
const otherChannel = { channel: "987654321" };
const otherCall = { callId: "other" };
const otherDevice = { toUserDevId: "tablet" };

describe("This person's side of a group call", () => {
  const context = (over: Partial<GroupCallContext> = {}): GroupCallContext => ({
    me: "ann",
    device: "pc",
    call,
    busy: false,
    quiet: false,
    awaitsConfirm: false,
    ...over,
  });
  const free = context({ call: null });
  const busy = context({ call: null, busy: true });
  const waiting = context({ awaitsConfirm: true });
  const start = (people: string[]): GroupCallEvent => ({
    type: "start",
    media: "video",
    groupId: null,
    people,
    tabId: "t1",
  });
  const join = (channel: string): GroupCallEvent => ({
    type: "join",
    channel,
    callId: "call",
    media: "video",
    groupId: "1",
    tabId: "t1",
  });
  const grow = (people: string[]): GroupCallEvent => ({
    type: "grow",
    media: "video",
    people,
    tabId: "t1",
  });
  const growIn: GroupCallEvent = {
    type: "growIn",
    channel: "123456789",
    callId: "call",
    media: "video",
    by: "bob",
    tabId: "t1",
  };
  const accept: GroupCallEvent = { type: "accept", tabId: "t1" };
  const ring = (over: Over = {}): GroupCallEvent => ({
    type: "rxRing",
    message: { ...base, ...over, action: "sendRing" },
  });
  const cancel = (over: Over = {}): GroupCallEvent => ({
    type: "rxCancel",
    message: { ...base, ...over, action: "cancelCall" },
  });
  const confirm = (result: string, over: Over = {}): GroupCallEvent => ({
    type: "rxConfirmAnswer",
    message: { ...base, ...over, action: "confirmAnswer", result },
  });
  const code = "call.answer-send-failed";
  const ACCEPT = "clearTimer confirmTimer sendAccept enter";

  type Row = [GroupCallState, GroupCallEvent, GroupCallState, string, GroupCallContext?];
  const rows: Row[] = [
    ["idle", start(["ann", "bob"]), "idle", "saySelf", free],
    ["idle", start(["bob"]), "idle", "sayBusySelf", busy],
    ["inCall", start(["bob"]), "inCall", "sayBusySelf"],
    ["ringing", start(["bob"]), "ringing", "sayBusySelf"],
    ["idle", start(["bob"]), "entering", "begin enter", free],
    ["idle", join("123456789"), "idle", "sayBusySelf", busy],
    ["ringing", join("123456789"), "entering", ACCEPT],
    ["inCall", join("123456789"), "inCall", ""],
    ["inCall", join("987654321"), "inCall", "sayBusySelf"],
    ["ringing", join("987654321"), "ringing", "sayBusySelf"],
    ["idle", join("123456789"), "entering", "adopt enter", free],
    ["idle", grow(["ann"]), "idle", "saySelf", busy],
    ["idle", grow(["cid"]), "entering", "begin enter", busy],
    ["ringing", grow(["cid"]), "ringing", "sayBusySelf"],
    ["idle", growIn, "entering", "adopt enter", busy],
    ["ringing", growIn, "ringing", "sayBusySelf"],
    ["inCall", { type: "invite", people: ["ann"] }, "inCall", "saySelf"],
    ["inCall", { type: "invite", people: ["bob"] }, "inCall", "ringPeople"],
    ["idle", ring(), "idle", "replyRingFalse noticeMissed", busy],
    ["idle", ring(), "idle", "replyRingQuiet noticeQuiet", context({ call: null, quiet: true })],
    ["idle", ring(), "ringing", "adopt replyRingTrue answerTimer", free],
    ["ringing", ring(), "ringing", "replyRingTrue"],
    ["inCall", ring(), "inCall", ""],
    ["ringing", ring(otherCall), "ringing", "replyRingFalse"],
    ["inCall", ring(otherChannel), "inCall", "replyRingFalse"],
    ["ringing", accept, "entering", ACCEPT],
    ["entering", accept, "entering", ""],
    ["ringing", { type: "refuse" }, "idle", "sendRefuse clearTimer close"],
    ["ringing", { type: "leave" }, "idle", "sendRefuse clearTimer close"],
    ["ringing", { type: "timeout" }, "idle", "clearTimer close sayNotAnswered"],
    ["ringing", cancel(), "idle", "clearTimer close sayPeerCancelled"],
    ["ringing", cancel(otherCall), "ringing", ""],
    ["ringing", cancel(otherChannel), "ringing", ""],
    ["inCall", cancel(), "inCall", ""],
    ["ringing", { type: "over" }, "idle", "clearTimer close sayPeerEnded"],
    ["ringing", confirm("accept", otherDevice), "idle", "clearTimer close sayElsewhere"],
    ["entering", { type: "answerSendFailed", code }, "entering", "clearTimer sayFailure"],
    [
      "entering",
      confirm("accept", otherChannel),
      "idle",
      "sayConfirmChannelMismatch clearTimer leaveConference close",
      waiting,
    ],
    ["inCall", confirm("accept", otherCall), "inCall", "sayConfirmCallMismatch", waiting],
    [
      "inCall",
      confirm("accept", otherDevice),
      "idle",
      "clearTimer leaveConference close sayElsewhere",
      waiting,
    ],
    ["inCall", confirm("accept"), "inCall", "clearTimer", waiting],
    ["inCall", confirm("refuse"), "idle", "clearTimer leaveConference close sayPeerEnded", waiting],
    ["inCall", confirm("accept"), "inCall", ""],
    ["inCall", confirm("accept", otherCall), "inCall", "sayConfirmInCall"],
    ["inCall", { type: "timeout" }, "inCall", "clearTimer sayNoConfirm", waiting],
    ["entering", { type: "entered" }, "inCall", "markStarted"],
    ["entering", { type: "enterFailed", code }, "idle", "clearTimer close sayFailure"],
    ["inCall", { type: "exited" }, "idle", "clearTimer close"],
    ["inCall", { type: "leave" }, "idle", "clearTimer leaveConference close"],
    ["entering", { type: "leave" }, "idle", "clearTimer leaveConference close"],
    ["ringing", { type: "sessionEnded" }, "idle", "sendRefuse clearTimer close"],
    ["inCall", { type: "sessionEnded" }, "idle", "clearTimer leaveConference close"],
  ];

  it.each(rows)("%s on %o goes to %s and does: %s", (from, event, to, effects, given) => {
    const taken = groupCallStep(from, given ?? context(), event);
    expect([taken.to, taken.effects.join(" ")]).toEqual([to, effects]);
  });

  it("has a row for each rule", () => {
    const walked = new Set(
      rows.map(([from, event, , , given]) => groupCallStep(from, given ?? context(), event).rule),
    );
    const unwalked = groupCallTable.rules.filter((_, index) => !walked.has(index));
    expect(unwalked).toEqual([]);
  });

  it("hangs up at no timeout once this person is inside", () => {
    for (const rule of groupCallTable.rules) {
      if (rule.on === "timeout" && !rule.from.includes("ringing")) expect(rule.to).toBe("same");
    }
  });
});

describe("A person who is rung for a group call", () => {
  const context: GroupPersonContext = { call, lastHope: false };
  const last: GroupPersonContext = { call, lastHope: true };
  const confirmRing = (status: boolean, over: Over & { quiet?: true } = {}): GroupPersonEvent => ({
    type: "rxConfirmRing",
    message: { ...base, ...over, action: "confirmRing", status },
  });
  const answer = (result: string, over: Over = {}): GroupPersonEvent => ({
    type: "rxAnswer",
    message: { ...base, ...over, action: "sendAnswer", result },
  });
  const code = "call.ring-send-failed";

  type Row = [GroupPersonState, GroupPersonEvent, GroupPersonState, string, GroupPersonContext?];
  const rows: Row[] = [
    ["none", { type: "invite" }, "invited", "sendRing ringTimer"],
    ["refused", { type: "invite" }, "invited", "sendRing ringTimer"],
    ["left", { type: "invite" }, "invited", "sendRing ringTimer"],
    ["ringing", { type: "invite" }, "ringing", ""],
    ["joined", { type: "invite" }, "joined", ""],
    ["invited", { type: "ringSent" }, "invited", "sayRingSent"],
    ["invited", { type: "ringSendFailed", code }, "failed", "stopRinging clearTimer sayFailure"],
    [
      "invited",
      confirmRing(true, otherChannel),
      "failed",
      "sayRingChannelMismatch sendCancel stopRinging clearTimer",
    ],
    ["invited", confirmRing(true, otherCall), "invited", "sayRingCallMismatch"],
    ["invited", confirmRing(true), "ringing", "stopRinging ringTimer sayRingDelivered"],
    ["busy", confirmRing(true), "ringing", "stopRinging ringTimer sayRingDelivered"],
    ["invited", confirmRing(false), "busy", "stopRinging clearTimer"],
    ["invited", confirmRing(false, { quiet: true }), "quiet", "stopRinging clearTimer"],
    ["ringing", confirmRing(false), "ringing", ""],
    [
      "ringing",
      answer("accept", otherChannel),
      "failed",
      "sayAnswerChannelMismatch sendCancel stopRinging clearTimer",
    ],
    ["ringing", answer("accept", otherCall), "ringing", "sayAnswerCallMismatch"],
    ["ringing", answer("accept"), "joined", "stopRinging clearTimer sendConfirm"],
    ["timeout", answer("accept"), "joined", "stopRinging clearTimer sendConfirm"],
    ["ringing", answer("refuse"), "refused", "stopRinging clearTimer sendCancel"],
    ["joined", answer("accept"), "joined", ""],
    ["joined", answer("accept", otherCall), "joined", "sayAnswerInCall"],
    ["joined", { type: "confirmSendFailed", code }, "joined", "sayFailure"],
    ["ringing", { type: "entered" }, "joined", "stopRinging clearTimer sendTaken"],
    ["timeout", { type: "entered" }, "joined", ""],
    ["joined", { type: "entered" }, "joined", ""],
    ["joined", { type: "gone" }, "left", ""],
    ["ringing", { type: "timeout" }, "timeout", "stopRinging clearTimer sayNoResponse", last],
    ["invited", { type: "timeout" }, "timeout", "stopRinging clearTimer"],
  ];

  it.each(rows)("%s on %o goes to %s and does: %s", (from, event, to, effects, given) => {
    const taken = groupPersonStep(from, given ?? context, event);
    expect([taken.to, taken.effects.join(" ")]).toEqual([to, effects]);
  });

  it("has a row for each rule", () => {
    const walked = new Set(
      rows.map(([from, event, , , given]) => groupPersonStep(from, given ?? context, event).rule),
    );
    const unwalked = groupCallPersonTable.rules.filter((_, index) => !walked.has(index));
    expect(unwalked).toEqual([]);
  });
});

it("Both tables together say each text that the platform fixes for calls and that a group call has", () => {
  const said = new Set<string>(
    [...groupCallTable.rules, ...groupCallPersonTable.rules]
      .flatMap((rule): readonly string[] => rule.do)
      .filter((effect) => effect in CALL_TEXTS)
      .map((effect) => CALL_TEXTS[effect as keyof typeof CALL_TEXTS].text),
  );
  const fixed = [
    "您当前正在通话中,请结束当前通话后再次发起。",
    "不能和自己音视频通话",
    "通话请求已经发送",
    "通话请求已经发送成功",
    "对方没有回应，可能是不在线，请稍后重试。释放房间",
    "长时间未回应对方的音视频通话请求。",
    "长时间未收到对方的音视频通话确认信息。",
  ];
  expect(fixed.filter((text) => !said.has(text))).toEqual([]);
});
