/** A clock that the test moves, and a wait for pending promises. */
import type { MediaTimer } from "./clock.ts";

export class FakeClock {
  time = 1_700_000_000_000;
  #timers: { at: number; run: () => void }[] = [];
  now(): number {
    return this.time;
  }
  precise(): number {
    return this.time;
  }
  after(ms: number, run: () => void): MediaTimer {
    const timer = { at: this.time + ms, run };
    this.#timers.push(timer);
    return {
      cancel: () => {
        this.#timers = this.#timers.filter((each) => each !== timer);
      },
    };
  }
  /** Advances the time and runs the due timers. */
  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.#timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      this.time = next.at;
      next.run();
    }
    this.time = end;
  }
  /** Advances the time as a thread that was busy sees it: what was due meanwhile runs late. */
  stall(ms: number): void {
    this.time += ms;
    const due = this.#timers.filter((timer) => timer.at <= this.time);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const timer of due.sort((a, b) => a.at - b.at)) timer.run();
  }
  get pending(): number {
    return this.#timers.length;
  }
}

/** Waits until all pending promises that can settle have settled. */
export const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
