/** Does one thing with many rows, each by a request of its own, and says what became of each. */

/** Requests at the same time. */
const LANES = 4;

export interface RowResult<T> {
  readonly row: T;
  /** What the request was refused with; null when it succeeded. */
  readonly error: unknown;
}

/**
 * @param onDone called after each row with the number of rows that are done
 * @param stopped asked before each row; the rows that are left are not in the answer
 * @returns in the order of the rows
 */
export async function eachRow<T>(
  rows: readonly T[],
  run: (row: T) => Promise<unknown>,
  onDone: (done: number) => void,
  stopped: () => boolean,
): Promise<readonly RowResult<T>[]> {
  const results = new Map<number, RowResult<T>>();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < rows.length && !stopped()) {
      const index = next;
      next += 1;
      const row = rows[index] as T;
      results.set(
        index,
        await run(row).then(
          () => ({ row, error: null }),
          (error: unknown) => ({ row, error }),
        ),
      );
      onDone(results.size);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result);
}
