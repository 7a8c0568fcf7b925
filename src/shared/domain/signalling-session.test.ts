/** Every rule of the session's table has a row here; a test fails for a rule without one. */
import { describe, expect, it } from "vitest";
import {
  sessionEnd,
  type SignallingContext,
  type SignallingEvent,
  signallingSessionStep,
  signallingSessionTable,
  type SignallingState,
} from "./signalling-session.ts";

const fresh: SignallingContext = { known: false, contended: false, fresh: true, maxAttempts: 13 };
const lost = (why: "bad-ticket" | "replaced" | "failed", attempts = 0): SignallingEvent => ({
  type: "lost",
  why,
  attempts,
});
const rows: [SignallingState, SignallingEvent, SignallingContext, SignallingState, string][] = [
  ["closed", { type: "open" }, fresh, "entering", "entryTimer connect"],
  ["closed", { type: "open" }, { ...fresh, known: true }, "resuming", "connect"],
  ["entered", { type: "open" }, fresh, "entered", "-"],
  [
    "entering",
    { type: "accepted", answer: null },
    fresh,
    "entered",
    "clearEntryTimer releaseHeld reportEntered",
  ],
  [
    "resuming",
    { type: "accepted", answer: null },
    fresh,
    "entered",
    "clearEntryTimer releaseHeld reportEntered",
  ],
  ["resuming", { type: "refused", result: -506, msg: "" }, fresh, "closed", "shut reportRefused"],
  ["entering", { type: "entryTimeout" }, fresh, "closed", "shut reportRefused"],
  ["resuming", { type: "entryTimeout" }, fresh, "resuming", "-"],
  ["entered", lost("replaced"), fresh, "closed", "shut reportRefused"],
  ["entered", lost("replaced"), { ...fresh, contended: true }, "resuming", "reportLost"],
  ["entering", lost("failed", 13), fresh, "closed", "shut reportRefused"],
  ["entering", lost("failed", 12), fresh, "entering", "-"],
  ["entering", lost("failed", 99), { ...fresh, maxAttempts: null }, "entering", "-"],
  ["resuming", lost("failed", 99), fresh, "resuming", "-"],
  ["resuming", lost("bad-ticket"), fresh, "resuming", "renewTicket"],
  ["resuming", lost("bad-ticket"), { ...fresh, fresh: false }, "resuming", "-"],
  ["entered", lost("bad-ticket"), fresh, "resuming", "reportLost renewTicket"],
  ["entered", lost("failed"), fresh, "resuming", "reportLost"],
  ["entered", { type: "leave" }, fresh, "leaving", ""],
  ["leaving", lost("failed"), fresh, "closed", "shut"],
  ["leaving", { type: "left" }, fresh, "closed", "shut"],
  ["resuming", { type: "close" }, fresh, "closed", "shut"],
  ["closed", { type: "close" }, fresh, "closed", "-"],
];

describe("the table of the signalling session", () => {
  const used = new Set<number>();
  for (const [from, event, context, to, effects] of rows) {
    const about = event.type === "lost" ? ` (${event.why}, ${event.attempts})` : "";
    it(`${from}: ${event.type}${about} → ${to}: ${effects === "" ? "nothing" : effects}`, () => {
      const step = signallingSessionStep(from, context, event);
      used.add(step.rule);
      expect(step.rule < 0 ? "-" : step.effects.join(" ")).toBe(effects);
      expect(step.to).toBe(to);
    });
  }
  it("every rule of the table has a row in this test", () => {
    const unused = signallingSessionTable.rules.flatMap((rule, index) =>
      used.has(index) ? [] : [`${String(rule.from)} ${rule.on} ${String(rule.when ?? "")}`],
    );
    expect(unused).toEqual([]);
  });
  it("every way to end has its end reason and result", () => {
    const ends: [SignallingEvent, number, number][] = [
      [{ type: "refused", result: -502, msg: "" }, 4, -502],
      [{ type: "refused", result: -501, msg: "" }, 11, -501],
      [{ type: "refused", result: -405, msg: "" }, 2, -405],
      [{ type: "entryTimeout" }, 4, -9527],
      [lost("replaced"), 10, -554],
      [lost("failed", 13), 4, -95270],
    ];
    for (const [event, reason, result] of ends) {
      expect(sessionEnd(event)).toMatchObject({ reason, result });
    }
  });
});
