/** How much script each frame of a page runs, from a trace of the browser. */
import type { Browser, Page } from "playwright";

const MARK = "bench-frame";

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** µs */
  readonly ts: number;
  readonly dur?: number;
}

/** Events in which script runs, with what it forces (style, layout, collection of garbage). */
const SCRIPT = new Set([
  "EvaluateScript",
  "EventDispatch",
  "FireAnimationFrame",
  "FireIdleCallback",
  "FunctionCall",
  "HandlePostMessage",
  "MajorGC",
  "MinorGC",
  "RunMicrotasks",
  "TimerFire",
]);

/** From and to, µs. Events may contain each other. */
function covered(events: readonly TraceEvent[]): [from: number, to: number][] {
  const merged: [number, number][] = [];
  for (const { ts, dur = 0 } of events.toSorted((a, b) => a.ts - b.ts)) {
    const last = merged.at(-1);
    if (last !== undefined && ts <= last[1]) last[1] = Math.max(last[1], ts + dur);
    else merged.push([ts, ts + dur]);
  }
  return merged;
}

/**
 * @param step runs in the page, once for each frame; it may use nothing of the bench
 * @returns ms of script in each frame
 */
export async function scriptOfFrames(
  browser: Browser,
  page: Page,
  frames: number,
  step: (frame: number) => void,
): Promise<number[]> {
  await browser.startTracing(page, {
    categories: ["devtools.timeline", "blink.user_timing", "v8"],
  });
  // As text: the policy of our pages lets no script of theirs make code of a text, and the debugger may.
  await page.evaluate(`(async () => {
    const run = ${step.toString()};
    for (let frame = 0; frame <= ${frames}; frame += 1) {
      await new Promise(requestAnimationFrame);
      performance.mark("${MARK}");
      run(frame);
    }
  })()`);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const marks = traceEvents.filter(({ name }) => name === MARK);
  const [first] = marks;
  if (first === undefined) throw new Error("the trace has no frames");
  const spans = covered(
    traceEvents.filter(
      ({ pid, tid, ph, name }) =>
        pid === first.pid && tid === first.tid && ph === "X" && SCRIPT.has(name),
    ),
  );
  const bounds = marks.map(({ ts }) => ts).toSorted((a, b) => a - b);
  return bounds
    .slice(1)
    .map((to, frame) =>
      spans.reduce(
        (sum, [a, b]) =>
          sum + Math.max(0, Math.min(b, to) - Math.max(a, bounds[frame] ?? to)) / 1000,
        0,
      ),
    );
}
