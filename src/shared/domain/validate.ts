/** Checks of days, ID card numbers and phone numbers. */

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CHECK_SIGNS = "10X98765432";

/** The check character of an ID card number (GB 11643), its last one. @param head its first 17 digits */
export function idNumberCheckSign(head: string): string {
  let sum = 0;
  for (let i = 0; i < WEIGHTS.length; i += 1) sum += (WEIGHTS[i] ?? 0) * digitAt(head, i);
  return CHECK_SIGNS[sum % 11] ?? "";
}

const digitAt = (text: string, at: number): number => text.charCodeAt(at) - 48;
const DAY = /^(?:19|20|21)\d\d-\d\d-\d\d$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a text is a day of the calendar, YYYY-MM-DD, from 1900 to 2199. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  // no arrays and no Date: an import asks this of every row
  const year =
    100 * (digitAt(text, 0) * 10 + digitAt(text, 1)) + digitAt(text, 2) * 10 + digitAt(text, 3);
  const month = digitAt(text, 5) * 10 + digitAt(text, 6);
  const day = digitAt(text, 8) * 10 + digitAt(text, 9);
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const last = month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= last;
}

/** Whether a text is an ID card number of 18 characters with a real birthday and the right check character; X in upper case. */
export function isIdNumber(text: string): boolean {
  if (!/^[1-9]\d{16}[\dX]$/.test(text)) return false;
  const born = `${text.slice(6, 10)}-${text.slice(10, 12)}-${text.slice(12, 14)}`;
  return isDay(born) && idNumberCheckSign(text) === text[17];
}

/** Birthday and gender (1 male, 2 female) in a valid ID card number. */
export const readIdNumber = (text: string): { birthday: string; gender: "1" | "2" } => ({
  birthday: `${text.slice(6, 10)}-${text.slice(10, 12)}-${text.slice(12, 14)}`,
  gender: Number(text[16]) % 2 === 1 ? "1" : "2",
});

/** Whether a text is a mobile number of mainland China, or a landline number with its area code. */
export const isPhone = (text: string): boolean => /^(1[3-9]\d{9}|0\d{2,3}-?\d{7,8})$/.test(text);

/**
 * Whether a value says nothing: null, undefined, their names as texts, an empty text, list or object. Numbers and booleans always say
 * something.
 */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === "string") return ["", "null", "undefined"].includes(value);
  if (Array.isArray(value)) return value.length === 0;
  return (
    typeof value === "object" &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.keys(value).length === 0
  );
}
