/** Counts of the problems with the same column and rule, and their one-line message. */
export interface Tally {
  readonly column: number;
  readonly rule: string;
  /** Only a warning. */
  readonly warning?: true;
  cells: number;
  /** Number of cells per message. */
  readonly by: Map<string, number>;
}

/** The most frequent message, followed by the number of different messages if there are several. */
export function spoken(by: ReadonlyMap<string, number>): string {
  let top = "";
  let most = 0;
  for (const [message, cells] of by) {
    if (cells <= most) continue;
    top = message;
    most = cells;
  }
  return by.size > 1 ? `${top}等 ${by.size} 种` : top;
}
