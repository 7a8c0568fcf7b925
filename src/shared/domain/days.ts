/** Days as people and spreadsheets write them, and days that can hardly be true (docs/import.md#checks). */
import { readSerial } from "./serials.ts";
import { plain } from "./text-marks.ts";
import { isDay } from "./validate.ts";
import { isWeekday, splitWeekday } from "./weekdays.ts";

const DAY_MS = 86_400_000;
const two = (n: number): string => String(n).padStart(2, "0");
const dayOf = (year: number, month: number, day: number): string | null => {
  const found = `${year}-${two(month)}-${two(day)}`;
  return isDay(found) ? found : null;
};

/** Year, month and day of a text in any usual notation, whether or not there is such a day, and the day of the week beside it. */
function partsOf(
  text: string,
): { readonly date: readonly [number, number, number]; readonly weekday: number | null } | null {
  const { text: bare, weekday } = splitWeekday(plain(text));
  const said = bare.replace(/[T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?.*$/, "");
  const parts =
    /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?$/.exec(said) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(said);
  if (parts === null) return null;
  return { date: [Number(parts[1]), Number(parts[2]), Number(parts[3])], weekday };
}

/** Parses a day in any usual notation. @returns YYYY-MM-DD; null when it is none, or not on the day of the week that it names */
export function readDay(text: string): string | null {
  const parts = partsOf(text);
  if (parts === null) return null;
  const day = dayOf(...parts.date);
  const { weekday } = parts;
  return day === null || weekday === null || isWeekday(day, weekday) ? day : null;
}

/** The day of a text whose day of the week is another one; null when that is not what is wrong with it. */
export function dayOfOtherWeekday(text: string): string | null {
  const parts = partsOf(text);
  return parts === null || parts.weekday === null ? null : dayOf(...parts.date);
}

/** What is wrong with a text that `readDay` cannot read. */
export function wrongDay(text: string): string {
  const parts = partsOf(text);
  if (parts === null) return "日期应写成 2024-01-31 这样的形式";
  const [year] = parts.date;
  return year < 1900 || year > 2199
    ? `年份应在 1900 到 2199 之间，现在是 ${year}`
    : "没有这一天，请核对年月日";
}

/** Converts a serial number to a day; null outside 1900 to 2199. */
export function serialDay(serial: number, date1904: boolean): string | null {
  if (!Number.isFinite(serial) || serial < 1 || serial > 110_000) return null;
  let { days } = readSerial(serial);
  if (date1904) days += 1462;
  else if (days < 61) days += 1;
  const at = new Date(Date.UTC(1899, 11, 30) + days * DAY_MS);
  return dayOf(at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate());
}

/** Today in China, where the companies are. @param now milliseconds since 1970 */
export const dayAt = (now: number): string =>
  new Date(now + 8 * 3_600_000).toISOString().slice(0, 10);

const yearsLater = (day: string, years: number): string =>
  `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;

/** Full years from one day to another, both YYYY-MM-DD. */
export const yearsBetween = (from: string, to: string): number =>
  Number(to.slice(0, 4)) - Number(from.slice(0, 4)) - (to.slice(5) < from.slice(5) ? 1 : 0);

/** What a day of an employee stands for. */
export type DayMeans = "birth" | "hire";
/** Youngest and oldest age of an employee. */
const YOUNGEST = 14;
const OLDEST = 100;
/** Most years that somebody has worked for a company. */
const LONGEST = 70;

/** Whether everybody born in the year has a usual age, whatever the day. An import asks this of every row. */
export function isUsualYear(year: string, today: string): boolean {
  const years = Number(today.slice(0, 4)) - Number(year);
  return years > YOUNGEST && years <= OLDEST;
}

/** Why a day can hardly be true; null when nothing speaks against it. Days are YYYY-MM-DD. */
export function doubtInDay(day: string, means: DayMeans, today: string): string | null {
  if (means === "birth") {
    if (day > today) return `出生日期 ${day} 在今天之后，请核对`;
    const age = yearsBetween(day, today);
    if (age < YOUNGEST) return `按出生日期 ${day} 只有 ${age} 岁，请核对`;
    return age > OLDEST ? `按出生日期 ${day} 已有 ${age} 岁，请核对` : null;
  }
  if (day > yearsLater(today, 1)) return `入职日期 ${day} 在一年以后，请核对`;
  return yearsBetween(day, today) > LONGEST ? `入职日期 ${day} 太早，请核对` : null;
}
