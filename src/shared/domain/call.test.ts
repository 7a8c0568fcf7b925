/** Every rule of the call table has a row here. A test fails for a rule without one. */
import { describe, expect, it } from "vitest";
import type { CallMessage } from "../protocol/call-message.ts";
import { callStateNumber, type CallState } from "./call-states.ts";
import { type CallContext, callStep, callTable } from "./call.ts";
import type { CallEvent } from "./call-events.ts";
import { CALL_TEXTS } from "./call-texts.ts";
import { toMermaid, toText } from "./machine.ts";

const call = { channel: "channel", callId: "call", type: 1 as const };
const context = (over: Partial<CallContext> = {}): CallContext => ({
  me: "ann",
  device: "pc",
  call,
  ...over,
});
const base = {
  channel: "channel",
  callId: "call",
  type: 1 as const,
  fromUserDevId: "phone",
  toUserDevId: "pc",
  ts: 1,
  fromUser: "bob",
  toUser: "ann",
  media: "video" as const,
};
type Over = Partial<typeof base>;
const ring = (over: Over = {}): CallEvent => ({
  type: "rxRing",
  message: { ...base, ...over, action: "sendRing" },
});
const confirmRing = (status: boolean, over: Over & { quiet?: true } = {}): CallEvent => ({
  type: "rxConfirmRing",
  message: { ...base, ...over, action: "confirmRing", status },
});
const answer = (result: string, over: Over = {}): CallEvent => ({
  type: "rxAnswer",
  message: { ...base, ...over, action: "sendAnswer", result },
});
const confirm = (result: string, over: Over = {}): CallEvent => ({
  type: "rxConfirmAnswer",
  message: { ...base, ...over, action: "confirmAnswer", result },
});
const cancel = (over: Over = {}): CallEvent => ({
  type: "rxCancel",
  message: { ...base, ...over, action: "cancelCall" } satisfies CallMessage,
});
const dial = (to: string): CallEvent => ({
  type: "dial",
  to,
  name: "",
  media: "video",
  tabId: "t1",
});
const accept: CallEvent = { type: "accept", tabId: "t1" };
const code = "call.connection-failed";
const goOn: CallEvent = {
  type: "goOn",
  call: { confrId: "channel", userName: "bob", name: "Bob", outgoing: true },
  tabId: "t1",
};
const moveTold: CallEvent = {
  type: "moveTold",
  call: {
    callId: "call",
    media: "video",
    peerDevice: "phone",
    began: 2,
    on: 1,
    audioMuted: false,
    videoOff: false,
  },
};
const arriving = context({ arriving: true });
const otherChannel = { channel: "other" };
const otherCall = { callId: "other" };
const otherDevice = { toUserDevId: "tablet" };

type Row = [CallState, CallEvent, CallState, string, CallContext?];
const rows: Row[] = [
  // dialling
  ["idle", dial("ann"), "idle", "saySelf", context({ call: null })],
  ["chat", dial("ann"), "chat", "saySelf"],
  ["idle", dial("bob"), "sendRing", "begin prepareMedia sendRing", context({ call: null })],
  ["chat", dial("bob"), "chat", "sayBusySelf"],
  ["confirmRing", dial("bob"), "confirmRing", "sayBusySelf"],
  [
    "confirmRing",
    dial("bob"),
    "sendAnswer",
    "clearTimer confirmTimer sendAccept prepareMedia enterSession",
    context({ peer: "bob" }),
  ],
  ["sendRing", { type: "ringSent" }, "sendRing", "ringTimer sayRingSent"],
  ["receivedRing", { type: "ringSent" }, "receivedRing", "ringTimer"],
  ["sendRing", { type: "ringSendFailed", code }, "idle", "clearTimer close sayFailure"],
  [
    "sendRing",
    { type: "prepareFailed", code },
    "idle",
    "sendCancelQuietly clearTimer close sayFailure",
  ],
  [
    "receivedRing",
    { type: "prepareFailed", code },
    "idle",
    "sendCancelQuietly clearTimer close sayFailure",
  ],
  // being rung
  ["idle", ring(), "confirmRing", "adopt replyRingTrue answerTimer", context({ call: null })],
  ["confirmRing", ring(), "confirmRing", "replyRingTrue"],
  ["chat", ring(), "chat", ""],
  [
    "idle",
    ring(),
    "idle",
    "replyRingFalse noticeMissed",
    context({ call: null, inConference: true }),
  ],
  [
    "idle",
    ring(),
    "idle",
    "replyRingQuiet noticeQuiet recordMissed",
    context({ call: null, quiet: true }),
  ],
  ["idle", ring(), "idle", "", context({ call: null, over: ["before", "call"] })],
  // glare: both dial at once, the smaller call id continues
  [
    "sendRing",
    ring({ ...otherChannel, callId: "a" }),
    "sendAnswer",
    "clearTimer abandon adopt replyRingTrue confirmTimer sendAccept prepareMedia enterSession",
    context({ peer: "bob" }),
  ],
  [
    "receivedRing",
    ring({ ...otherChannel, callId: "z" }),
    "receivedRing",
    "",
    context({ peer: "bob" }),
  ],
  [
    "sendRing",
    ring({ ...otherChannel, callId: "a", fromUser: "eve" }),
    "sendRing",
    "replyRingFalse",
    context({ peer: "bob" }),
  ],
  ["confirmRing", ring(otherCall), "confirmRing", "replyRingFalse"],
  ["sendRing", ring({ ...otherCall, ...otherChannel }), "sendRing", "replyRingFalse"],
  // the caller learns whether the callee's device rings
  [
    "sendRing",
    confirmRing(true, otherChannel),
    "idle",
    "sayRingChannelMismatch sendCancelQuietly clearTimer close",
  ],
  ["sendRing", confirmRing(true, otherCall), "sendRing", "sayRingCallMismatch"],
  ["sendRing", confirmRing(true), "receivedRing", "sayRingDelivered"],
  ["sendRing", confirmRing(false), "idle", "clearTimer close sayPeerBusy"],
  ["sendRing", confirmRing(false, { quiet: true }), "idle", "clearTimer close sayPeerQuiet"],
  ["receivedRing", confirmRing(false), "receivedRing", "-"],
  // answering
  [
    "confirmRing",
    accept,
    "sendAnswer",
    "clearTimer confirmTimer sendAccept prepareMedia enterSession",
  ],
  ["chat", accept, "chat", "-"],
  ["confirmRing", { type: "refuse" }, "idle", "sendRefuse clearTimer close"],
  ["sendAnswer", { type: "answerSendFailed", code }, "idle", "clearTimer close sayFailure"],
  [
    "sendAnswer",
    { type: "prepareFailed", code },
    "idle",
    "sendTerminate clearTimer close sayFailure",
  ],
  // the caller receives the answer
  [
    "receivedRing",
    answer("accept", otherChannel),
    "idle",
    "sayAnswerChannelMismatch sendCancelQuietly clearTimer close",
  ],
  ["receivedRing", answer("accept", otherCall), "receivedRing", "sayAnswerCallMismatch"],
  ["receivedRing", answer("accept"), "receivedAnswer", "clearTimer enterSession sendConfirm"],
  ["sendRing", answer("accept"), "receivedAnswer", "clearTimer enterSession sendConfirm"],
  ["receivedRing", answer("refuse"), "idle", "sendCancelQuietly clearTimer close sayPeerRefused"],
  ["receivedRing", answer("whatever"), "idle", "sendCancelQuietly clearTimer close sayPeerRefused"],
  ["chat", answer("accept"), "chat", ""],
  ["chat", answer("accept", otherCall), "chat", "sayAnswerInCall"],
  ["confirmRing", answer("accept"), "confirmRing", "sayAnswerInCall"],
  ["receivedAnswer", { type: "confirmHanded" }, "confirmAnswer", ""],
  ["confirmAnswer", { type: "confirmSent" }, "chat", "markStarted"],
  ["confirmAnswer", { type: "confirmSendFailed", code }, "idle", "sendTerminate close sayFailure"],
  ["confirmAnswer", { type: "prepareFailed", code }, "idle", "sendTerminate close sayFailure"],
  // the callee receives the confirmation
  ["confirmRing", confirm("accept", otherDevice), "idle", "clearTimer close sayElsewhere"],
  ["sendAnswer", confirm("accept", otherDevice), "idle", "clearTimer close sayElsewhere"],
  [
    "sendAnswer",
    confirm("accept", otherChannel),
    "idle",
    "sayConfirmChannelMismatch sendTerminate clearTimer close",
  ],
  ["sendAnswer", confirm("accept", otherCall), "sendAnswer", "sayConfirmCallMismatch"],
  ["sendAnswer", confirm("accept"), "chat", "clearTimer markStarted"],
  ["sendAnswer", confirm("accept", { toUserDevId: "" }), "chat", "clearTimer markStarted"],
  ["sendAnswer", confirm("no"), "idle", "clearTimer close sayPeerEnded"],
  ["chat", confirm("accept"), "chat", ""],
  ["chat", confirm("accept", otherCall), "chat", "sayConfirmInCall"],
  ["receivedRing", confirm("accept"), "receivedRing", "sayConfirmInCall"],
  // ending
  ["sendRing", { type: "hangup" }, "idle", "sendCancel clearTimer close"],
  ["confirmRing", { type: "hangup" }, "idle", "sendRefuse clearTimer close"],
  ["chat", { type: "hangup" }, "idle", "sendTerminate clearTimer close"],
  ["idle", { type: "hangup" }, "idle", "-"],
  ["confirmRing", cancel(), "idle", "clearTimer close sayPeerCancelled"],
  ["confirmRing", cancel(otherChannel), "confirmRing", "-"],
  ["chat", cancel(otherCall), "chat", "-"],
  ["sendAnswer", { type: "rxTerminate", reason: 10 }, "idle", "clearTimer close sayElsewhere"],
  ["chat", { type: "rxTerminate", reason: 10 }, "idle", "clearTimer close sayMoved"],
  ["chat", { type: "rxTerminate", reason: 0 }, "idle", "clearTimer close sayPeerEnded"],
  ["chat", { type: "rxTerminate", reason: 4 }, "idle", "clearTimer close sayInterrupted"],
  ["chat", { type: "rxTerminate", reason: 6 }, "idle", "clearTimer close sayInterrupted"],
  ["chat", { type: "rxTerminate", reason: 11 }, "idle", "clearTimer close sayPeerEnded"],
  ["chat", { type: "rxTerminate", reason: 13 }, "idle", "clearTimer close sayNoAccess"],
  ["receivedRing", { type: "timeout" }, "idle", "sendCancelQuietly clearTimer close sayNoResponse"],
  ["confirmRing", { type: "timeout" }, "idle", "clearTimer close sayNotAnswered"],
  ["sendAnswer", { type: "timeout" }, "idle", "sendTerminate clearTimer close sayNoConfirm"],
  ["chat", { type: "timeout" }, "chat", "-"],
  ["chat", { type: "mediaFailed", code }, "idle", "sendTerminate clearTimer close sayInterrupted"],
  [
    "chat",
    { type: "mediaFailed", code: "signalling.refused" },
    "idle",
    "sendTerminate clearTimer close sayFailure",
  ],
  ["sendRing", { type: "mediaFailed", code }, "sendRing", "-"],
  ["receivedRing", { type: "sessionEnded" }, "idle", "sendCancelQuietly clearTimer close"],
  ["confirmRing", { type: "sessionEnded" }, "idle", "sendRefuse clearTimer close"],
  ["chat", { type: "sessionEnded" }, "idle", "sendTerminate clearTimer close"],
  ["chat", { type: "grown" }, "idle", "clearTimer close"],
  ["sendAnswer", { type: "grown" }, "sendAnswer", "-"],
  // on another device
  ["idle", goOn, "sendAnswer", "arrive askTimer enterSession"],
  ["chat", goOn, "chat", "sayBusySelf"],
  ["sendAnswer", moveTold, "sendAnswer", "carryOn moveTimer prepareMedia", arriving],
  ["sendAnswer", moveTold, "sendAnswer", "-"],
  ["sendAnswer", { type: "moved" }, "chat", "clearTimer"],
  ["sendAnswer", { type: "hangup" }, "idle", "clearTimer close", arriving],
  ["sendAnswer", { type: "sessionEnded" }, "idle", "clearTimer close", arriving],
  ["sendAnswer", { type: "mediaFailed", code }, "idle", "clearTimer close sayFailure", arriving],
  ["sendAnswer", { type: "prepareFailed", code }, "idle", "clearTimer close sayFailure", arriving],
  ["sendAnswer", { type: "moveFailed" }, "idle", "clearTimer close sayNotMoved", arriving],
  ["sendAnswer", { type: "timeout" }, "idle", "clearTimer close sayNotMoved", arriving],
];

describe("the call table", () => {
  const used = new Set<number>();
  for (const [from, event, to, effects, ctx] of rows) {
    const message = "message" in event ? event.message : null;
    const about = `${message?.callId === "other" ? " (other call)" : ""}${message?.channel === "other" ? " (other channel)" : ""}`;
    it(`${from}: ${event.type}${about} → ${to}: ${effects === "" ? "nothing" : effects}`, () => {
      const step = callStep(from, ctx ?? context(), event);
      used.add(step.rule);
      // "-": no rule at all, the event is ignored
      expect(step.rule < 0 ? "-" : step.effects.join(" ")).toBe(effects);
      expect(step.to).toBe(to);
    });
  }

  it("every rule of the table has a row in this test", () => {
    const unused = callTable.rules.flatMap((rule, index) =>
      used.has(index) ? [] : [`${String(rule.from)} ${rule.on} ${String(rule.when ?? "")}`],
    );
    expect(unused).toEqual([]);
  });

  it("the states have the numbers of the specification", () => {
    expect(callTable.states.map(callStateNumber)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(callStateNumber("receivedRing")).toBe(3);
    expect(callStateNumber("chat")).toBe(7);
  });

  it("every rule that leads to idle closes the call and stops a timer that may run", () => {
    for (const rule of callTable.rules) {
      if (rule.to !== "idle") continue;
      expect(rule.do).toContain("close");
      const timed = ["sendRing", "receivedRing", "confirmRing", "sendAnswer"];
      if (rule.from !== "*" && rule.from.some((state) => timed.includes(state))) {
        expect(rule.do).toContain("clearTimer");
      }
    }
  });

  it("every text that the table shows exists in both languages", () => {
    const said = new Set(
      callTable.rules.flatMap((rule) => rule.do.filter((e) => e.startsWith("say"))),
    );
    said.delete("sayFailure");
    expect([...said].sort()).toEqual(Object.keys(CALL_TEXTS).sort());
  });

  it("the drawing has no arrow twice, and the text has every rule", () => {
    const drawing = toMermaid(callTable);
    expect(drawing).toContain("[*] --> idle");
    const arrows = drawing
      .split("\n")
      .flatMap((line) => /^ {2}(\w+ --> \w+):/.exec(line)?.[1] ?? []);
    expect(arrows).toContain("idle --> sendRing");
    expect(new Set(arrows).size).toBe(arrows.length);
    const text = toText(callTable);
    expect(text).toContain("\n  idle → sendRing: begin, prepareMedia, sendRing");
    expect(text.split("\n").filter((line) => line.startsWith("  "))).toHaveLength(
      callTable.rules.length,
    );
  });
});
