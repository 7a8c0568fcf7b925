/** Until when a silence lasts. Pure: the current time is an argument. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** ms of the longest silence. */
const LONGEST_MS = 30 * 24 * HOUR;

export const PERIODS = ["minutes30", "hours2", "hours8", "hours24", "until"] as const;
export type Period = (typeof PERIODS)[number];
const LENGTHS: Readonly<Record<Exclude<Period, "until">, number>> = {
  minutes30: 30 * MINUTE,
  hours2: 2 * HOUR,
  hours8: 8 * HOUR,
  hours24: 24 * HOUR,
};

export const isPeriod = (text: string): text is Period =>
  (PERIODS as readonly string[]).includes(text);

/** A day and a time of the place where the person is, ms since the epoch; null: they are none. */
export function momentOf(day: string, clock: string): number | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  const [, hour, minute] = /^([01]?\d|2[0-3])[:：]([0-5]\d)$/.exec(clock.trim()) ?? [];
  if (year === undefined || hour === undefined) return null;
  const at = new Date(Number(year), Number(month) - 1, Number(date), Number(hour), Number(minute));
  return at.getDate() === Number(date) ? at.getTime() : null;
}

/**
 * @param now ms since the epoch
 * @returns when it ends, ms since the epoch, or why it cannot
 */
export function silenceEnd(
  period: Period,
  moment: { readonly day: string; readonly clock: string },
  now: number,
): number | "badDay" | "past" | "tooLong" {
  if (period !== "until") return now + LENGTHS[period];
  const at = momentOf(moment.day, moment.clock);
  if (at === null) return "badDay";
  if (at <= now) return "past";
  return at - now > LONGEST_MS ? "tooLong" : at;
}
