import { describe, expect, it } from "vitest";
import { createTimerLateness, reachedByHalf, TIMER_EVERY } from "./timer-lateness.ts";

it.each([
  [[], null],
  [[7], 7],
  [[7, 300], 300],
  [[1, 2, 300], 2],
  [[1, 300, 200], 200],
  [[1, 2, 300, 300], 300],
  [[9, 9, 9, 4000], 9],
])("Half of %j reach %j at least", (values, reached) => {
  expect(reachedByHalf(values)).toBe(reached);
});

/** One timer, which the test fires when it wants. */
function oneTimer() {
  let now = 1000;
  let run: (() => void) | null = null;
  const lateness = createTimerLateness({
    precise: () => now,
    after(ms, next) {
      expect(ms).toBe(TIMER_EVERY);
      run = next;
      return { cancel: () => (run = null) };
    },
  });
  return {
    lateness,
    /** The timer fires so late. */
    fire(late: number): void {
      now += TIMER_EVERY + late;
      run?.();
    },
    wait: (ms: number) => void (now += ms),
    isPending: () => run !== null,
  };
}

describe("how late timers were", () => {
  it("is what half of them since the last reading were late, in whole ms", () => {
    const { lateness, fire } = oneTimer();
    for (const late of [0.4, 220.4, 240, 1]) fire(late);
    expect(lateness.read()).toBe(220);
    fire(3);
    expect(lateness.read()).toBe(3);
  });
  it("is nothing where one stood still among others, and unknown where none was due", () => {
    const { lateness, fire, wait } = oneTimer();
    for (const late of [2, 1, 5000, 2]) fire(late);
    expect(lateness.read()).toBe(2);
    wait(TIMER_EVERY - 1);
    expect(lateness.read()).toBeNull();
  });
  it("counts a timer that is due and waits, which a timer that fires early does not undo", () => {
    const { lateness, fire, wait } = oneTimer();
    wait(TIMER_EVERY + 700);
    expect(lateness.read()).toBe(700);
    fire(-TIMER_EVERY);
    fire(-0.6);
    fire(-0.6);
    expect(lateness.read()).toBe(0);
  });
  it("ends with its timer", () => {
    const { lateness, wait, isPending } = oneTimer();
    lateness.stop();
    lateness.stop();
    wait(9000);
    expect([isPending(), lateness.read()]).toEqual([false, null]);
  });
});
