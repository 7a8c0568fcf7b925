/** Days of a filter as times: the person means days where they are. Pure. */

/** @returns the begin of the day as ISO 8601 in UTC; the text itself where it is no day */
export function dayStart(day: string, daysLater = 0): string {
  const [, year, month, date] = /^(\d{4,6})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return day;
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString();
}

/** @returns the end of the day, as dayStart */
export const dayEnd = (day: string): string => dayStart(day, 1);
