/**
 * What the server's clock is ahead of this machine's, from the `Date` headers of answers (docs/session.md#clocks). A header has whole
 * seconds, so one answer leaves more than a second open: the server wrote it at some moment between the request and the answer, and at some
 * moment of its second. What several answers leave open in common is much less.
 */

/** ms by which two good clocks may drift apart in one ms. */
const DRIFT = 100e-6;
/** ms by which a server's header may be late: it is renewed by a timer. */
const LATE = 50;
/** ms of an improvement that is worth a report. */
const REPORTED = 50;

export interface ClockOffset {
  /**
   * @param date the header's value
   * @param sentAt when the request was sent, by this machine, ms since the epoch
   * @param now when the answer came
   */
  learn(date: unknown, sentAt: number, now: number): void;
}

/** @param onOffset gets the offset in ms: at first, and when it has changed noticeably */
export function createClockOffset(onOffset: (ms: number) => void): ClockOffset {
  /** What is possible for the offset, and when that was known. */
  let possible: { readonly least: number; readonly most: number; readonly at: number } | null =
    null;
  let reported: number | null = null;
  return {
    learn(date, sentAt, now) {
      const second = typeof date === "string" ? Date.parse(date) : Number.NaN;
      if (Number.isNaN(second)) return;
      let least = second - now;
      let most = second + 1_000 + LATE - sentAt;
      if (possible !== null) {
        const drifted = Math.abs(now - possible.at) * DRIFT;
        const both = {
          least: Math.max(least, possible.least - drifted),
          most: Math.min(most, possible.most + drifted),
        };
        // One of the clocks was set when nothing is left: then the last answer alone counts.
        if (both.least <= both.most) ({ least, most } = both);
      }
      possible = { least, most, at: now };
      const offset = Math.round((least + most) / 2);
      if (reported !== null && Math.abs(offset - reported) < REPORTED) return;
      reported = offset;
      onOffset(offset);
    },
  };
}
