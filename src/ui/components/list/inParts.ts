import { MOST_AT_ONCE } from "./columns.ts";

/** A call takes a limited number of rows. */
export async function inParts<T>(
  rows: readonly T[],
  run: (rows: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += MOST_AT_ONCE) {
    await run(rows.slice(from, from + MOST_AT_ONCE));
  }
}
