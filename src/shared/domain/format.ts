/** Formats times and numbers for people. Pure: the current time is an argument. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const two = (n: number): string => String(n).padStart(2, "0");

/**
 * Length of a call: `mm:ss`, from one hour `hh:mm:ss`; "00:00" for nothing, negative or broken values.
 *
 * @param ms milliseconds
 */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return "00:00";
  const seconds = Math.floor(ms / SECOND);
  const h = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return h > 0 ? `${two(h)}:${rest}` : rest;
}

/** Ten-digit timestamps are seconds. */
export const toMilliseconds = (time: number): number =>
  /^\d{10}$/.test(String(time)) ? time * SECOND : time;

/**
 * A date in local time; `{y} {m} {d} {h} {i} {s}` are filled in.
 *
 * @param time ms since the epoch, or ten digits of seconds
 */
export function formatDate(time: number, pattern = "{y}-{m}-{d} {h}:{i}:{s}"): string {
  const date = new Date(toMilliseconds(time));
  if (Number.isNaN(date.getTime())) return "";
  const parts: Record<string, string> = {
    y: String(date.getFullYear()),
    m: two(date.getMonth() + 1),
    d: two(date.getDate()),
    h: two(date.getHours()),
    i: two(date.getMinutes()),
    s: two(date.getSeconds()),
  };
  return pattern.replaceAll(/\{([ymdhis])\}/g, (_all, key: string) => parts[key] ?? "");
}

export interface RelativeTexts {
  readonly justNow: string;
  readonly minutes: (n: number) => string;
  readonly hours: (n: number) => string;
  readonly oneDay: string;
}

export const RELATIVE_ZH: RelativeTexts = {
  justNow: "刚刚",
  minutes: (n) => `${n}分钟前`,
  hours: (n) => `${n}小时前`,
  oneDay: "1天前",
};

/**
 * How long ago a time was: below 30 s "just now", then minutes, below 24 h hours, below 48 h one day, then the date.
 *
 * @param time ms since the epoch, or ten digits of seconds
 * @param now ms since the epoch
 * @param pattern of formatDate, for the date
 */
export function relativeTime(
  time: number,
  now: number,
  texts: RelativeTexts = RELATIVE_ZH,
  pattern = "{y}-{m}-{d} {h}:{i}",
): string {
  const at = toMilliseconds(time);
  const age = now - at;
  if (age < 30 * SECOND) return texts.justNow;
  if (age < HOUR) return texts.minutes(Math.max(1, Math.floor(age / MINUTE)));
  if (age < DAY) return texts.hours(Math.floor(age / HOUR));
  if (age < 2 * DAY) return texts.oneDay;
  return formatDate(at, pattern);
}

/** How long ago a time was, rounded down: in minutes below one hour, in hours below one day, else in days. */
export function timeAgo(time: number, now: number): { unit: "minute" | "hour" | "day"; n: number } {
  const age = Math.max(0, now - toMilliseconds(time));
  if (age < HOUR) return { unit: "minute", n: Math.floor(age / MINUTE) };
  if (age < DAY) return { unit: "hour", n: Math.floor(age / HOUR) };
  return { unit: "day", n: Math.floor(age / DAY) };
}

/** Time of a message: hours and minutes, with month and day unless it is today, with the year unless it is this year. */
export function messageTime(time: number, now: number): string {
  const at = new Date(time);
  const today = new Date(now);
  if (at.toDateString() === today.toDateString()) return formatDate(time, "{h}:{i}");
  if (at.getFullYear() === today.getFullYear()) return formatDate(time, "{m}-{d} {h}:{i}");
  return formatDate(time, "{y}-{m}-{d} {h}:{i}");
}

const ABBREVIATIONS: readonly (readonly [number, string])[] = [
  [1e18, "E"],
  [1e15, "P"],
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
];

/** A number in short: 1500 is "1.5k". The units are k, M, G, T, P and E. @param digits most digits after the point */
export function abbreviate(value: number, digits = 1): string {
  for (const [size, sign] of ABBREVIATIONS) {
    if (Math.abs(value) >= size) return `${Number((value / size).toFixed(digits))}${sign}`;
  }
  return String(Number(value.toFixed(digits)));
}

/** A text of which the middle is hidden; one that would lose nothing is hidden as a whole. */
const masked = (text: string, first: number, last: number): string =>
  text.length <= first + last
    ? "*".repeat(text.length)
    : text.slice(0, first) + "*".repeat(text.length - first - last) + text.slice(-last);

/** A phone number with its first 3 and last 4 digits. */
export const maskPhone = (phone: string): string => masked(phone, 3, 4);

/** An ID card number with its first 6 and last 4 characters. */
export const maskIdNumber = (id: string): string => masked(id, 6, 4);
