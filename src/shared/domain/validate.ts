/** Rules of numbers that people bear. */

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CHECK_SIGNS = "10X98765432";

/** The last sign of an id card number (GB 11643). @param head its first 17 digits */
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

/** Whether a text is an id card number of 18 signs with a birthday and the right check sign; X in capitals. */
export function isIdNumber(text: string): boolean {
  if (!/^[1-9]\d{16}[\dX]$/.test(text)) return false;
  const born = `${text.slice(6, 10)}-${text.slice(10, 12)}-${text.slice(12, 14)}`;
  return isDay(born) && idNumberCheckSign(text) === text[17];
}

/** Birthday and gender (1 male, 2 female) that an id card number says. */
export const readIdNumber = (text: string): { birthday: string; gender: "1" | "2" } => ({
  birthday: `${text.slice(6, 10)}-${text.slice(10, 12)}-${text.slice(12, 14)}`,
  gender: Number(text[16]) % 2 === 1 ? "1" : "2",
});

/** A mobile number of the mainland, or a landline with its area code. */
export const isPhone = (text: string): boolean => /^(1[3-9]\d{9}|0\d{2,3}-?\d{7,8})$/.test(text);
