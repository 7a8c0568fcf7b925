/** The time as the tab's media code sees it, and the implementation in a page. Tests pass a fake (clock.fake.ts). */
export interface MediaTimer {
  cancel(): void;
}
export interface MediaClock {
  /** ms since the epoch */
  now(): number;
  /** ms of a monotonic clock. */
  precise(): number;
  after(ms: number, run: () => void): MediaTimer;
}

export const browserClock: MediaClock = {
  now: () => Date.now(),
  precise: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};
