/** Converts days and times between the serial numbers of spreadsheets and texts. */
import { readSerial } from "../../../shared/domain/serials.ts";

const DAY = 86_400_000;
/** Serial of 1904-01-01 in the 1900 system. */
const SHIFT_1904 = 1462;
/** Day 0 of the 1900 system for serials from 61 on. The system counts a 29 February 1900, which never existed. */
const EPOCH = Date.UTC(1899, 11, 30);

const two = (n: number): string => String(n).padStart(2, "0");

/**
 * The text of a serial: YYYY-MM-DD, followed by HH:mm or HH:mm:ss if it has a time; only the time below one day.
 *
 * @returns null for a serial outside the years 1900 to 9999
 */
export function serialText(serial: number, date1904: boolean): string | null {
  if (!(serial >= 0) || serial >= 2_958_466) return null;
  const { days, seconds: rest } = readSerial(serial);
  let day = days;
  const time =
    rest === 0
      ? ""
      : `${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}${rest % 60 === 0 ? "" : `:${two(rest % 60)}`}`;
  if (day === 0 && !date1904) return time === "" ? "00:00" : time;
  if (date1904) day += SHIFT_1904;
  else if (day === 60) return `1900-02-29${time === "" ? "" : ` ${time}`}`;
  else if (day < 60) day += 1;
  const at = new Date(EPOCH + day * DAY);
  const date = `${at.getUTCFullYear()}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`;
  return time === "" ? date : `${date} ${time}`;
}

/** Serial of an ISO 8601 day or date-time, as cells of type "d" hold it; null for anything else. */
export function isoSerial(text: string, date1904: boolean): number | null {
  const match =
    /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d(?:\.\d{1,9})?))?(?:Z|[+-]\d\d:\d\d)?)?$/.exec(
      text.trim(),
    );
  if (match === null) return null;
  const [, year, month, day, hour = 0, minute = 0, second = 0] = match.map((part) =>
    part === undefined ? undefined : Number(part),
  );
  const at = Date.UTC(year ?? 0, (month ?? 0) - 1, day ?? 0);
  const back = new Date(at);
  if (back.getUTCMonth() + 1 !== month || back.getUTCDate() !== day) return null;
  let days = Math.round((at - EPOCH) / DAY);
  if (date1904) days -= SHIFT_1904;
  else if (days <= 60) days -= 1;
  if (days < 0) return null;
  return days + (hour * 3600 + minute * 60 + second) / 86_400;
}
