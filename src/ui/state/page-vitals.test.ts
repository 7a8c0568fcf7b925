import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reportVitals } from "./page-vitals.ts";

let notice: ((list: { getEntries(): { duration: number }[] }) => void) | null = null;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    "PerformanceObserver",
    class {
      static supportedEntryTypes = ["longtask"];
      constructor(handler: typeof notice) {
        notice = handler;
      }
      observe(): void {}
      disconnect(): void {
        notice = null;
      }
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const core = () => {
  const pageVitals = vi.fn(() => Promise.resolve(null));
  return { pageVitals, client: { commands: { worker: { pageVitals } } } as never };
};

test("a page reports its memory and what blocked it once a minute, and each piece of work once", async () => {
  const { pageVitals, client } = core();
  const stop = reportVitals(client, { memory: { usedJSHeapSize: 5_000 } });
  notice?.({ getEntries: () => [{ duration: 80 }, { duration: 120 }] });
  await vi.advanceTimersByTimeAsync(60_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(pageVitals.mock.calls).toEqual([
    [{ memory: 5_000, longTasks: [80, 120] }],
    [{ memory: 5_000, longTasks: [] }],
  ]);
  stop();
  expect(notice).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
});

test("a page whose browser says neither reports nothing", async () => {
  vi.stubGlobal("PerformanceObserver", undefined);
  const { pageVitals, client } = core();
  const stop = reportVitals(client, {});
  await vi.advanceTimersByTimeAsync(120_000);
  expect(pageVitals).not.toHaveBeenCalled();
  stop();
});
