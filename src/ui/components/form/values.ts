/** What the fields of a form hold: a value of a type of its own for each kind of field. Pure. */

/** Days as `YYYY-MM-DD`; "" is an open end. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

export type FieldValue =
  | string
  | boolean
  /** NaN is a number that cannot be read. */
  | number
  /** No number. */
  | null
  | readonly string[]
  | DayRange
  | readonly Values[];

/** Values by key. */
export interface Values {
  readonly [key: string]: FieldValue;
}

/** Whether two values are equal, with all they consist of. */
export const sameValue = (a: FieldValue | undefined, b: FieldValue | undefined): boolean =>
  a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

export const isRange = (value: FieldValue | undefined): value is DayRange =>
  typeof value === "object" && value !== null && "from" in value;

/** Whether a person would say that nothing was filled in. A switch always says something. */
export function isEmpty(value: FieldValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  if (isRange(value)) return value.from === "" && value.to === "";
  return Array.isArray(value) && value.length === 0;
}

/** The text that a field holds; "" when it holds something else. */
export function textIn(values: Values, key: string): string {
  const value = values[key];
  return typeof value === "string" ? value : "";
}

/** The values that differ from those before. */
export const changedValues = (before: Values, now: Values): Values =>
  Object.fromEntries(Object.entries(now).filter(([key, value]) => !sameValue(value, before[key])));
