/** Problems of a column and a rule counted together, and how they are said in one line. */
export interface Tally {
  readonly column: number;
  readonly rule: string;
  cells: number;
  /** Cells by what is said of them. */
  readonly by: Map<string, number>;
}

/** What is said most often, and of how many kinds it is one. */
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
