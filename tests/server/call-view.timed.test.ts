/** A look at a call of 40,000 quality records holds up neither the server nor the tab that shows it. */
import { expect, it } from "vitest";
import { callRecords, CONFR } from "../../src/shared/domain/call-records.harness.ts";
import { timelineSteps } from "../../src/shared/domain/call-timeline.ts";
import { callViewSteps } from "../../src/shared/domain/call-view.ts";
import { callViewSchema } from "../../src/shared/protocol/call-view.ts";
import { timesCount } from "../support/time-limits.ts";

/** ms. What blocks a tab for 50 ms is a long task. */
const LIMIT_MS = 50;

/** Runs the steps one after the other. @returns the result, and ms of the longest and of all */
function timed<R>(steps: Generator<unknown, R>): {
  readonly result: R;
  readonly longest: number;
  readonly all: number;
} {
  let [longest, all] = [0, 0];
  for (;;) {
    const began = performance.now();
    const { done, value } = steps.next();
    const ms = performance.now() - began;
    longest = Math.max(longest, ms);
    all += ms;
    if (done === true) return { result: value, longest, all };
  }
}
function once<R>(work: () => R): { readonly result: R; readonly ms: number } {
  const began = performance.now();
  const result = work();
  return { result, ms: performance.now() - began };
}

it("no step of the server, and nothing in the core or the tab, is a long task", () => {
  const records = callRecords(10_000, ({ at, from }) => ({
    ...(from === "ann" && Math.floor(at / 60_000) % 5 === 0 ? { loss: 0.2 } : {}),
    ...(Math.floor(at / 60_000) % 7 === 0 ? { rtt: 700 } : {}),
  })).slice(0, 40_000);
  expect(records).toHaveLength(40_000);
  // The first run is that of a process that has just begun, whose code is not compiled yet.
  for (const isWarm of [false, true]) {
    const timeline = timed(timelineSteps(CONFR, records));
    const view = timed(callViewSteps(timeline.result));
    expect(view.result.causes.length).toBeGreaterThan(20);
    // What the core does with the answer, and what the tab does when it is given it.
    const text = JSON.stringify(view.result);
    const parsed = once(() => callViewSchema.parse(JSON.parse(text)));
    const given = once(() => structuredClone(parsed.result));
    const whole = once(() => structuredClone(timeline.result));
    const ms = (value: number): string => `${Math.round(value)} ms`;
    console.log(
      `server: longest step ${ms(Math.max(timeline.longest, view.longest))} of ${ms(timeline.all + view.all)}; ` +
        `core: ${ms(parsed.ms)}; tab: ${ms(given.ms)}, ${Math.round(text.length / 1000)} kB (the whole timeline: ${ms(whole.ms)})`,
    );
    if (!timesCount || !isWarm) continue;
    expect(Math.max(timeline.longest, view.longest)).toBeLessThan(LIMIT_MS);
    expect(parsed.ms).toBeLessThan(LIMIT_MS);
    expect(given.ms).toBeLessThan(LIMIT_MS);
  }
}, 240_000);
