/** Rules of numbers that people bear. */

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CHECK_SIGNS = "10X98765432";

/** The last sign of an id card number (GB 11643). @param head its first 17 digits */
export function idNumberCheckSign(head: string): string {
  const sum = WEIGHTS.reduce((total, weight, i) => total + weight * Number(head[i]), 0);
  return CHECK_SIGNS[sum % 11] ?? "";
}

/** Whether a text is a day of the calendar, YYYY-MM-DD, from 1900 to 2199. */
export function isDay(text: string): boolean {
  const match = /^((?:19|20|21)\d\d)-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
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
