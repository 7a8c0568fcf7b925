/** Every rule of the table has a row here. A test fails for a rule without one. */
import { describe, expect, it } from "vitest";
import {
  callGrowthTable,
  type GrowthContext,
  type GrowthEvent,
  type GrowthState,
  growthStep,
} from "./call-growth.ts";

const context = (over: Partial<GrowthContext> = {}): GrowthContext => ({
  able: true,
  caller: false,
  peerInside: false,
  heard: false,
  ...over,
});
const add: GrowthEvent = { type: "add", people: ["cid"] };
const conference: GrowthEvent = { type: "rxConference", channel: "123456789", callId: "g" };
const failed: GrowthEvent = { type: "conferenceFailed", code: "server.unavailable" };

const MOVED = "clearTimer closeCall settle sayGrown";

type Row = [GrowthState, GrowthEvent, GrowthState, string, GrowthContext?];
const rows: Row[] = [
  // asking
  ["idle", add, "asking", "sendAsk askTimer"],
  ["idle", add, "idle", "refuseFailed", context({ able: false })],
  ["moving", add, "moving", "refuseBusy"],
  ["idle", { type: "rxAsk" }, "agreed", "sendAgree moveTimer"],
  ["idle", { type: "rxAsk" }, "idle", "sendRefuse", context({ able: false })],
  ["asking", { type: "rxAsk" }, "asking", "", context({ caller: true })],
  ["asking", { type: "rxAsk" }, "agreed", "refuseBusy sendAgree moveTimer"],
  ["asking", { type: "rxAgree" }, "making", "makeConference moveTimer"],
  ["asking", { type: "rxRefuse" }, "idle", "clearTimer refuseFailed"],
  ["asking", { type: "askFailed" }, "idle", "clearTimer refuseFailed"],
  ["asking", { type: "timeout" }, "idle", "sendStop clearTimer refuseOld"],
  // an answer that comes too late
  ["idle", { type: "rxAgree" }, "idle", ""],
  ["idle", conference, "idle", ""],
  ["idle", { type: "rxUp" }, "idle", ""],
  // into the conference
  ["making", { type: "made" }, "moving", "sendConference"],
  ["agreed", conference, "moving", "enterConference"],
  ["moving", { type: "up" }, "ownUp", "sendUp"],
  ["moving", { type: "rxUp" }, "peerUp", ""],
  ["ownUp", { type: "up" }, "ownUp", ""],
  ["ownUp", { type: "rxUp" }, "idle", MOVED, context({ heard: true })],
  ["ownUp", { type: "rxUp" }, "bothUp", ""],
  ["peerUp", { type: "up" }, "bothUp", "sendUp"],
  ["bothUp", { type: "upHeard" }, "idle", MOVED],
  // giving up
  ["making", failed, "idle", "sendStop clearTimer leaveConference refuseFailed"],
  ["ownUp", { type: "timeout" }, "idle", "sendStop clearTimer leaveConference refuseFailed"],
  ["peerUp", { type: "rxStop" }, "idle", "clearTimer leaveConference refuseFailed"],
  ["agreed", { type: "rxStop" }, "idle", "clearTimer"],
  ["agreed", { type: "timeout" }, "idle", "sendStop clearTimer"],
  // the call of two ends
  ["asking", { type: "hangup" }, "idle", "sendStop clearTimer refuseOver"],
  ["agreed", { type: "hangup" }, "idle", "sendStop clearTimer"],
  ["moving", { type: "hangup" }, "idle", "sendStop clearTimer leaveConference refuseOver"],
  ["asking", { type: "callEnded" }, "idle", "clearTimer refuseOver"],
  ["agreed", { type: "callEnded" }, "idle", "clearTimer"],
  ["ownUp", { type: "callEnded" }, "idle", "clearTimer settle", context({ peerInside: true })],
  ["ownUp", { type: "callEnded" }, "idle", "clearTimer leaveConference refuseOver"],
];

describe("A call of two that becomes a group call", () => {
  for (const [from, event, to, effects, given] of rows) {
    it(`${from}: ${event.type} -> ${to} / ${effects}`, () => {
      const step = growthStep(from, given ?? context(), event);
      expect([step.to, step.effects.join(" ")]).toEqual([to, effects]);
    });
  }

  it("has a row for every rule", () => {
    const used = new Set(
      rows.map(([from, event, , , given]) => growthStep(from, given ?? context(), event).rule),
    );
    const unused = callGrowthTable.rules.filter((_rule, index) => !used.has(index));
    expect(unused).toEqual([]);
  });

  it("closes the call of two only when both sides have sound and picture by way of the conference", () => {
    const closing = callGrowthTable.rules.filter((rule) => rule.do.includes("closeCall"));
    expect(closing.map(({ from, on }) => [from, on])).toEqual([
      [["ownUp"], "rxUp"],
      [["bothUp"], "upHeard"],
    ]);
  });
});
