/** Rows whose fields contradict each other: ID number, birthday, gender and hire date (docs/import.md#checks). */
import { type Contradiction, contradictions } from "../../../shared/domain/contradictions.ts";
import type { Column } from "./columns.ts";

const FIELDS = ["idNumber", "birthday", "gender", "hireDate"] as const;

export interface Contradicting {
  /** By row, for the few rows that have any. */
  readonly byRow: ReadonlyMap<number, readonly Contradiction[]>;
  /** Whether the column takes part. */
  involves(column: Column): boolean;
  columnOf(field: Contradiction["field"]): Column | undefined;
  /** Looks at a row again. */
  update(i: number): void;
}

export function createContradicting(columns: readonly Column[], rows: number): Contradicting {
  const by = new Map(
    FIELDS.flatMap((key) => {
      const column = columns.find(({ field }) => field.key === key);
      return column === undefined ? [] : [[key, column] as const];
    }),
  );
  const byRow = new Map<number, readonly Contradiction[]>();
  const [idNumber, birthday, gender, hireDate] = FIELDS.map((key) => by.get(key));
  const valueAt = (column: Column | undefined, i: number): string =>
    column === undefined ? "" : column.value(column.ids[i]!);
  const update = (i: number): void => {
    const found = contradictions({
      idNumber: valueAt(idNumber, i),
      birthday: valueAt(birthday, i),
      gender: valueAt(gender, i),
      hireDate: valueAt(hireDate, i),
    });
    if (found.length > 0) byRow.set(i, found);
    else byRow.delete(i);
  };
  // One column alone contradicts nothing.
  if (by.size > 1) for (let i = 0; i < rows; i += 1) update(i);
  return {
    byRow,
    involves: (column) => by.size > 1 && [...by.values()].includes(column),
    columnOf: (field) => by.get(field),
    update,
  };
}
