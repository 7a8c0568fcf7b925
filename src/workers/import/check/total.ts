/** Finds the rows at the end of a list that look like employees but are none: totals and sign-off lines. */
import type { Table } from "../contracts.ts";
import { plain } from "../../../shared/domain/text-marks.ts";

/** Rows at the end that are searched: author and date often stand below the total. */
const LOOKED_AT = 5;
/** Leading filled cells of a row that are searched. */
const CELLS = 3;
const TOTAL =
  /^(?:合计|总计|小计|共计|总数|总人数|合计人数|人数合计|grandtotal|subtotal|total|sum)[:：]?(?:\d+[人名位条]?)?$|^[共计]+\d+[人名位条]$/i;
/** What stands first in a line that says who made the list, when, or what a reader must know. */
const SIGN_OFF =
  /^(?:制表|填表|填报|编制|审核|复核|审批|批准|经办|负责|统计|报送|单位负责|部门负责|主管领导|主管)(?:人|员|者|单位|部门|日期|时间|人签字|签字)?(?:\(签字\)|\(签章\)|\(盖章\))?(?::.*)?$|^(?:日期|备注|说明|注|盖章|签字|签章):/;

export interface TotalRow {
  /** Index of the row. */
  readonly i: number;
  readonly column: number;
  readonly text: string;
}

/**
 * @param isBlank whether the row shows nothing; blank rows do not count as the last ones
 * @returns the rows in the order of the file; the first row of a table is never one
 */
export function findTotals(
  table: Pick<Table, "rows" | "headers" | "text">,
  isBlank: (i: number) => boolean,
): TotalRow[] {
  const last: number[] = [];
  for (let i = table.rows - 1; i >= 1 && last.length < LOOKED_AT; i -= 1) {
    if (!isBlank(i)) last.unshift(i);
  }
  const found: TotalRow[] = [];
  for (const i of last) {
    let filled = 0;
    for (let column = 0; column < table.headers.length && filled < CELLS; column += 1) {
      const text = table.text(i, column).trim();
      if (text === "") continue;
      filled += 1;
      const said = plain(text).replace(/\s/g, "");
      // A remark of an employee may begin as a sign-off line does, so only the first cell counts.
      if (!TOTAL.test(said) && !(filled === 1 && SIGN_OFF.test(said))) continue;
      found.push({ i, column, text });
      break;
    }
  }
  return found;
}
