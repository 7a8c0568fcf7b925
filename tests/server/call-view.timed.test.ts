/** A look at a call of 40,000 quality records holds up neither the server nor the tab that shows it. */
import { expect, it } from "vitest";
import { callRecords, CONFR } from "../../src/shared/domain/call-records.harness.ts";
import { timelineSteps } from "../../src/shared/domain/call-timeline.ts";
import { callViewSteps } from "../../src/shared/domain/call-view.ts";
import { callViewSchema } from "../../src/shared/protocol/call-view.ts";
import { timesCount } from "../support/time-limits.ts";

/** ms of a processor. What blocks a tab for 50 ms is a long task. */
const LIMIT_MS = 50;
/** The first runs are those of a process that has just begun, whose code is not compiled yet. */
const [COLD, WARM] = [1, 3];

const processor = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
/** Runs the steps one after the other. @returns the result, and ms of the longest and of all */
function timed<R>(steps: Generator<unknown, R>): {
  readonly result: R;
  readonly longest: number;
  readonly all: number;
} {
  let [longest, all] = [0, 0];
  for (;;) {
    const began = processor();
    const { done, value } = steps.next();
    const ms = processor() - began;
    longest = Math.max(longest, ms);
    all += ms;
    if (done === true) return { result: value, longest, all };
  }
}
function once<R>(work: () => R): { readonly result: R; readonly ms: number } {
  const began = processor();
  const result = work();
  return { result, ms: processor() - began };
}

it("no step of the server, and nothing in the core or the tab, is a long task", () => {
  const records = callRecords(10_000, ({ at, from }) => ({
    ...(from === "ann" && Math.floor(at / 60_000) % 5 === 0 ? { loss: 0.2 } : {}),
    ...(Math.floor(at / 60_000) % 7 === 0 ? { rtt: 700 } : {}),
  })).slice(0, 40_000);
  expect(records).toHaveLength(40_000);
  const least = { step: Infinity, core: Infinity, tab: Infinity };
  for (let run = 0; run < COLD + WARM; run += 1) {
    const timeline = timed(timelineSteps(CONFR, records));
    const view = timed(callViewSteps(timeline.result));
    expect(view.result.causes.length).toBeGreaterThan(20);
    // What the core does with the answer, and what the tab does when it is given it.
    const text = JSON.stringify(view.result);
    const parsed = once(() => callViewSchema.parse(JSON.parse(text)));
    const given = once(() => structuredClone(parsed.result));
    const whole = once(() => structuredClone(timeline.result));
    const step = Math.max(timeline.longest, view.longest);
    const ms = (value: number): string => `${Math.round(value)} ms`;
    console.log(
      `server: longest step ${ms(step)} of ${ms(timeline.all + view.all)}; ` +
        `core: ${ms(parsed.ms)}; tab: ${ms(given.ms)}, ${Math.round(text.length / 1000)} kB (the whole timeline: ${ms(whole.ms)})`,
    );
    if (run < COLD) continue;
    // Of several runs the least: a collection of garbage may fall into a step.
    least.step = Math.min(least.step, step);
    least.core = Math.min(least.core, parsed.ms);
    least.tab = Math.min(least.tab, given.ms);
  }
  if (timesCount) {
    for (const [what, ms] of Object.entries(least)) expect(ms, what).toBeLessThan(LIMIT_MS);
  }
}, 240_000);
