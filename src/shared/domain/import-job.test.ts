import { expect, test } from "vitest";
import { IMPORT_OVER, importStep, importTable, type ImportEventType } from "./import-job.ts";
import { IMPORT_STATES, type ImportState } from "./import-states.ts";

const EVENTS = [...new Set(importTable.rules.map((rule) => rule.on))];
const after = (...events: ImportEventType[]): ImportState =>
  events.reduce((state, event) => importStep(state, event).to, importTable.initial);

test("an import runs from staged to done, with and without a lost network", () => {
  expect(after("begin", "done")).toBe("done");
  expect(after("begin", "lost")).toBe("waiting");
  expect(after("begin", "lost", "tick", "lost", "online", "done")).toBe("done");
});

test("pause, resume and cancel work in exactly the states in which they make sense", () => {
  const takes = (event: ImportEventType) =>
    IMPORT_STATES.filter((state) => importStep(state, event).rule >= 0);
  expect(takes("pause")).toEqual(["staged", "sending", "waiting"]);
  expect(takes("resume")).toEqual(["paused", "failed"]);
  expect(takes("cancel")).toEqual(["staged", "sending", "waiting", "paused", "failed"]);
});

test("neither the network nor time restarts a paused or finished import", () => {
  for (const state of ["paused", ...IMPORT_OVER] as const) {
    for (const event of ["begin", "tick", "online", "lost", "done"] as const) {
      expect(importStep(state, event).to).toBe(state);
    }
  }
});

test("every state is reachable, and every unfinished state can reach an end", () => {
  const reach = (from: ImportState): Set<ImportState> => {
    const seen = new Set<ImportState>([from]);
    for (const state of seen) for (const event of EVENTS) seen.add(importStep(state, event).to);
    return seen;
  };
  expect([...reach(importTable.initial)].sort()).toEqual([...IMPORT_STATES].sort());
  for (const state of IMPORT_STATES) {
    expect([...reach(state)].some((one) => IMPORT_OVER.has(one))).toBe(true);
  }
});

test("staged rows are deleted only when the import ends in a state that no longer needs them", () => {
  for (const rule of importTable.rules) {
    if (rule.do.includes("cleanUp")) expect(["done", "cancelled"]).toContain(rule.to);
    if (rule.to === "done" || rule.to === "cancelled") expect(rule.do).toContain("cleanUp");
  }
});
