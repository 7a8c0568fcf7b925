/** Finds the total row at the end of a list: it looks like an employee but is none. */
import type { Table } from "../contracts.ts";
import { plain } from "../../../shared/domain/text-marks.ts";

/** Rows at the end that are searched: author and date often stand below the total. */
const LOOKED_AT = 5;
/** Leading filled cells of a row that are searched. */
const CELLS = 3;
const TOTAL =
  /^(?:合计|总计|小计|共计|总数|总人数|合计人数|人数合计|grandtotal|subtotal|total|sum)[:：]?(?:\d+[人名位条]?)?$|^[共计]+\d+[人名位条]$/i;

export interface TotalRow {
  /** Index of the row. */
  readonly i: number;
  readonly column: number;
  readonly text: string;
}

/** @returns the matching row nearest to the end; null when no row matches or it is the only row */
export function findTotal(table: Pick<Table, "rows" | "headers" | "text">): TotalRow | null {
  for (let i = table.rows - 1; i >= Math.max(1, table.rows - LOOKED_AT); i -= 1) {
    let filled = 0;
    for (let column = 0; column < table.headers.length && filled < CELLS; column += 1) {
      const text = table.text(i, column).trim();
      if (text === "") continue;
      filled += 1;
      if (TOTAL.test(plain(text).replace(/\s/g, ""))) return { i, column, text };
    }
  }
  return null;
}
