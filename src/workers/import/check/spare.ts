/**
 * Telephone numbers beside the one that is taken of a cell. The person may have them written to the remarks
 * (docs/import.md#telephone-numbers).
 */
import type { Checked } from "../../../shared/protocol/import-worker.ts";
import type { Change } from "./change.ts";
import type { Column } from "./columns.ts";

const BETWEEN = "；";

/** @param rows number of rows */
export function createSpare(columns: readonly Column[], rows: number) {
  const remark = columns.find(({ field }) => field.key === "remark");
  const sources = columns.filter(({ field }) => field.rule.type === "phone");

  /** Rows with further numbers. A remark that is wrong is left to the person. */
  function rowsOf(column: Column, isOut: (i: number) => boolean): number[] {
    const found: number[] = [];
    if (remark === undefined || !column.hasNotes) return found;
    for (let i = 0; i < rows; i += 1) {
      if (column.note(column.ids[i]!)?.spare === undefined || isOut(i)) continue;
      if (remark.wrong(remark.ids[i]!) === null) found.push(i);
    }
    return found;
  }
  return {
    /** Per column with further numbers: how many rows have some. */
    count: (isOut: (i: number) => boolean): Checked["spare"] =>
      sources.flatMap((column) => {
        const count = rowsOf(column, isOut).length;
        return count === 0 ? [] : [{ column: column.column, rows: count }];
      }),
    /** The number that is taken stays in its cell, the others go behind the remark with the name of their field. */
    move(column: Column, isOut: (i: number) => boolean): Change[] {
      const at = rowsOf(column, isOut);
      if (remark === undefined || at.length === 0) return [];
      const remarkOf = (i: number): number => {
        const others = (column.note(column.ids[i]!)?.spare ?? []).join("、");
        const before = remark.value(remark.ids[i]!);
        const added = `${column.field.label}：${others}`;
        return remark.idOf(before === "" ? added : `${before}${BETWEEN}${added}`);
      };
      return [
        { column: remark, rows: at, ids: at.map(remarkOf) },
        {
          column,
          rows: at,
          ids: at.map((i) => column.idOf(column.value(column.ids[i]!))),
        },
      ];
    },
  };
}
