/** Every rule of the connection's table has a row here. A test fails for a rule without one. */
import { describe, expect, it } from "vitest";
import {
  type CallConnectionContext,
  type CallConnectionEvent,
  type CallConnectionState,
  callConnectionStep,
  callConnectionTable,
} from "./call-connection.ts";

const caller: CallConnectionContext = {
  caller: true,
  rtcId: "r1",
  remoteOffer: null,
  retired: new Set(["r0"]),
  awaitsAnswer: true,
  mayRebuild: true,
  reachable: true,
  gaveUp: false,
};
const callee: CallConnectionContext = { ...caller, caller: false };
const offer = (rtcId: string, more: Partial<CallConnectionEvent> = {}): CallConnectionEvent => ({
  type: "peerOffer",
  rtcId,
  sdp: "sdp",
  iceRestart: false,
  ...more,
});
const e = (type: CallConnectionEvent["type"], rtcId?: string): CallConnectionEvent => ({
  type,
  ...(rtcId === undefined ? {} : { rtcId }),
});
const known = { ...callee, remoteOffer: "sdp" };

const rows: [
  CallConnectionState,
  CallConnectionEvent,
  CallConnectionContext,
  CallConnectionState,
  string,
][] = [
  ["connected", e("stop"), caller, "idle", "clearTimer forget"],
  ["idle", e("start"), caller, "offering", "newConnection askOffer connectTimer"],
  ["idle", e("start"), callee, "waiting", "wantTimer"],
  ["connected", e("ownerChanged"), callee, "offering", "newConnection askOffer connectTimer"],
  ["answering", e("ownerChanged"), callee, "offering", "newConnection askOffer connectTimer"],
  ["waiting", e("ownerChanged"), callee, "waiting", "-"],
  ["connected", e("silent"), caller, "silent", "silentTimer"],
  ["restarting", e("silent"), caller, "restarting", "-"],
  ["silent", e("heard"), callee, "connected", "clearTimer"],
  ["weak", e("heard"), callee, "connected", "clearTimer settle reportUp"],
  ["restarting", e("heard"), caller, "connected", "clearTimer settle reportUp"],
  ["silent", e("iceUp"), caller, "connected", "clearTimer settle reportUp"],
  ["silent", e("iceDown"), caller, "silent", "-"],
  ["silent", e("iceFailed"), caller, "restarting", "askRestart iceTimer reportDown"],
  ["silent", e("networkChanged"), caller, "restarting", "askRestart iceTimer"],
  ["connected", e("networkChanged"), callee, "restarting", "wantOffer iceTimer"],
  ["offering", e("networkChanged"), caller, "offering", "-"],
  ["silent", e("ownerChanged"), callee, "offering", "newConnection askOffer connectTimer"],
  ["silent", offer("r2"), callee, "answering", "adopt feedOffer connectTimer"],
  ["silent", e("tick"), caller, "restarting", "askRestart iceTimer reportDown"],
  ["silent", e("tick"), callee, "restarting", "wantOffer iceTimer reportDown"],
  ["offering", offer("r2"), caller, "offering", "resend"],
  ["offering", offer("r2"), callee, "answering", "adopt feedOffer connectTimer"],
  ["offering", offer("r2", { iceRestart: true }), callee, "offering", "-"],
  ["connected", offer("r1"), known, "connected", "resend"],
  ["answering", offer("r1", { iceRestart: true }), callee, "answering", "feedOffer connectTimer"],
  ["connected", offer("r1", { iceRestart: true }), callee, "connected", "feedOffer"],
  ["restarting", offer("r1", { iceRestart: true }), callee, "restarting", "feedOffer iceTimer"],
  ["connected", offer("r2"), callee, "answering", "adopt feedOffer connectTimer"],
  ["waiting", offer("r2"), callee, "answering", "adopt feedOffer connectTimer"],
  ["connected", offer("r0"), callee, "connected", "-"],
  ["connected", offer("r2", { iceRestart: true }), callee, "connected", "-"],
  ["offering", e("peerAnswer", "r1"), caller, "connecting", "feedAnswer"],
  ["offering", e("peerAnswer", "r0"), caller, "offering", "-"],
  ["restarting", e("peerAnswer", "r1"), caller, "restarting", "feedAnswer"],
  ["connected", e("peerAnswer", "r1"), { ...caller, awaitsAnswer: false }, "connected", "-"],
  ["restarting", e("peerWants"), caller, "restarting", "resend"],
  ["connected", e("peerWants"), caller, "restarting", "askRestart iceTimer"],
  ["connected", e("peerWants"), callee, "connected", "-"],
  ["connecting", e("iceUp"), caller, "connected", "clearTimer settle reportUp"],
  ["weak", e("iceUp"), caller, "connected", "clearTimer settle reportUp"],
  ["connected", e("iceUp"), caller, "connected", "clearTimer"],
  ["connected", e("iceDown"), caller, "connected", "weakTimer reportDown"],
  ["connected", e("iceFailed"), caller, "restarting", "askRestart iceTimer reportDown"],
  ["weak", e("iceFailed"), callee, "restarting", "wantOffer iceTimer reportDown"],
  ["connecting", e("iceFailed"), caller, "rebuilding", "countRebuild rebuildTimer"],
  [
    "connecting",
    e("iceFailed"),
    { ...caller, mayRebuild: false },
    "failed",
    "clearTimer reportFailed",
  ],
  ["connecting", e("iceFailed"), { ...caller, reachable: false }, "connecting", "-"],
  ["connected", e("tick"), caller, "weak", "restartTimer reportWeak"],
  ["weak", e("tick"), caller, "restarting", "askRestart iceTimer"],
  ["weak", e("tick"), callee, "restarting", "wantOffer iceTimer"],
  ["restarting", e("tick"), { ...caller, gaveUp: true }, "failed", "clearTimer reportFailed"],
  ["rebuilding", e("tick"), caller, "offering", "newConnection askOffer connectTimer"],
  ["rebuilding", e("tick"), callee, "waiting", "wantOffer wantTimer"],
  ["waiting", e("tick"), { ...callee, reachable: false }, "waiting", "wantTimer"],
  ["waiting", e("tick"), callee, "waiting", "countRebuild wantOffer wantTimer"],
  ["connecting", e("tick"), { ...caller, reachable: false }, "connecting", "connectTimer"],
  ["restarting", e("tick"), { ...caller, reachable: false }, "restarting", "iceTimer"],
  ["restarting", e("tick"), caller, "rebuilding", "countRebuild rebuildTimer"],
  ["restarting", e("tick"), { ...caller, mayRebuild: false }, "failed", "clearTimer reportFailed"],
];

describe("the table of the connection", () => {
  const used = new Set<number>();
  for (const [from, event, context, to, effects] of rows) {
    it(`${context.caller ? "caller" : "callee"} ${from}: ${event.type} ${event.rtcId ?? ""} → ${to}: ${effects}`, () => {
      const step = callConnectionStep(from, context, event);
      used.add(step.rule);
      expect(step.rule < 0 ? "-" : step.effects.join(" ")).toBe(effects);
      expect(step.to).toBe(to);
    });
  }
  it("every rule of the table has a row in this test", () => {
    const unused = callConnectionTable.rules.flatMap((rule, index) =>
      used.has(index) ? [] : [`${String(rule.from)} ${rule.on} ${String(rule.when ?? "")}`],
    );
    expect(unused).toEqual([]);
  });
  it("only a stop leaves the state failed", () => {
    for (const type of ["start", "ownerChanged", "iceUp", "iceFailed", "tick"] as const) {
      expect(callConnectionStep("failed", caller, { type }).rule).toBe(-1);
    }
  });
});
