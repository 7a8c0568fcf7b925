/** Helpers of queries: times, search patterns, changed fields, duplicate rows. */
import { isDeepStrictEqual } from "node:util";
import { type SQL, sql } from "drizzle-orm";

/** The time as ISO 8601 in UTC. */
export const isoTime = (column: string): SQL =>
  sql.raw(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** A LIKE pattern that finds the text anywhere, with wildcards in the text escaped. */
export const anywhere = (text: string): string =>
  `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** A text with capitals or small letters. One without has one writing, and LIKE is several times as fast as ILIKE. */
const HAS_CASE = /\p{L}(?<!\p{Lo})/u;
/** Compares texts without regard to case where this text has any. */
export const likeFor = (text: string): SQL => sql.raw(HAS_CASE.test(text) ? "ILIKE" : "LIKE");

/** Fields from a request. A field that was left out is absent or undefined. */
export type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The fields that differ, with old and new values; null when none differ. */
export function changes<T extends object>(
  was: T,
  wanted: Given<T>,
): { before: Partial<T>; after: Partial<T> } | null {
  const before: Partial<T> = {};
  const after: Partial<T> = {};
  for (const name of Object.keys(wanted) as (keyof T)[]) {
    const value = wanted[name];
    if (value === undefined || isDeepStrictEqual(value, was[name])) continue;
    before[name] = was[name];
    after[name] = value;
  }
  return Object.keys(after).length === 0 ? null : { before, after };
}

/** Whether a query failed because of a duplicate row (SQLSTATE 23505), however the error is wrapped. */
export const isDuplicate = (error: unknown): boolean => duplicateIn(error) !== null;

/** The unique index that refused a duplicate row, however the error is wrapped; empty when it is not named, null for another error. */
export function duplicateIn(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (!("code" in at) || at.code !== "23505") continue;
    return "constraint" in at && typeof at.constraint === "string" ? at.constraint : "";
  }
  return null;
}
