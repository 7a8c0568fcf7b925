/** States of an alert, one per rule, company and subject (docs/server.md#alerts). Pure: src/server/modules/alerts runs the effects. */
import type { MachineTable } from "./machine.ts";

export const ALERT_STATES = ["quiet", "pending", "open", "calming"] as const;
export type AlertState = (typeof ALERT_STATES)[number];
/** bad, good: the condition holds, or does not. */
export type AlertEvent = "bad" | "good";
export type AlertGuard = "lasted" | "calm";
export type AlertEffect = "begin" | "end";

/** ms for which the condition must not hold before an alert ends, so that one that comes and goes is one. */
export const CALM_MS = 60_000;

export const alertTable: MachineTable<AlertState, AlertEvent, AlertGuard, AlertEffect> = {
  name: "alert",
  initial: "quiet",
  states: ALERT_STATES,
  rules: [
    { from: ["quiet", "pending"], on: "bad", when: ["lasted"], to: "open", do: ["begin"] },
    { from: ["quiet"], on: "bad", to: "pending", do: [] },
    { from: ["pending"], on: "good", to: "quiet", do: [] },
    { from: ["open"], on: "good", to: "calming", do: [] },
    { from: ["calming"], on: "bad", to: "open", do: [] },
    { from: ["calming"], on: "good", when: ["calm"], to: "quiet", do: ["end"] },
  ],
};
