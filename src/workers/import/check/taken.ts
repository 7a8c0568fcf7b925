/**
 * Which numbers of a column somebody employed bears. Marks of all that are borne come first where that is the smaller part; the
 * server is asked about those numbers alone whose mark is among them, in portions, each number once.
 */
import { markOf } from "../../../shared/domain/number-marks.ts";
import type { AskTaken } from "../../../shared/protocol/import-worker.ts";
import { IMPORT_LIMITS, type ImportMode } from "../../../shared/protocol/rest/imports.ts";
import type { Column } from "./columns.ts";

/** Numbers below which it is not worth to learn marks. */
const FEW = 1000;
/** A mark costs the server about a quarter of a look for a number. */
const MARKS_A_NUMBER = 4;

interface Marks {
  readonly idNumber: ReadonlySet<number>;
  readonly employeeNo: ReadonlySet<number>;
}

/** @returns null where the company has too many employees, or the server gives no marks */
async function learnMarks(
  numbers: number,
  askTaken: AskTaken,
  breathe: () => Promise<void>,
): Promise<Marks | null> {
  const idNumber = new Set<number>();
  const employeeNo = new Set<number>();
  for (let after: string | null = "0"; after !== null;) {
    await breathe();
    const { marks } = await askTaken({ idNumbers: [], employeeNos: [], marksAfter: after });
    if (marks === undefined || marks.employed > numbers * MARKS_A_NUMBER) return null;
    for (const mark of marks.idNumbers) idNumber.add(mark);
    for (const mark of marks.employeeNos) employeeNo.add(mark);
    after = marks.next;
  }
  return { idNumber, employeeNo };
}

/** @returns asks about the values of the columns that were not asked about yet */
export function createTaken(
  columns: readonly Column[],
  mode: ImportMode,
  askTaken: AskTaken,
  breathe: () => Promise<void>,
): () => Promise<void> {
  const asked = new Map(columns.map((column) => [column, new Set<string>()]));

  function freshOf(column: Column): string[] {
    const known = asked.get(column) ?? new Set();
    const fresh: string[] = [];
    for (let id = 0; id < column.count; id += 1) {
      const value = column.value(id);
      if (value === "" || value.length > 32 || known.has(value)) continue;
      known.add(value);
      fresh.push(value);
    }
    return fresh;
  }

  async function askAbout(column: Column, numbers: readonly string[]): Promise<void> {
    for (let at = 0; at < numbers.length; at += IMPORT_LIMITS.taken) {
      await breathe();
      const portion = numbers.slice(at, at + IMPORT_LIMITS.taken);
      const isId = column.field.key === "idNumber";
      const found = await askTaken({
        idNumbers: isId ? portion : [],
        employeeNos: isId ? [] : portion,
      });
      for (const value of isId ? found.idNumbers : found.employeeNos) {
        // in an update one's own number is taken by oneself: the server knows whose it is
        if (mode !== "update") column.setTaken(value, true);
      }
    }
  }

  return async () => {
    // an update of somebody by the id number: that it is taken is what is wanted
    const asking = columns.filter(({ field }) => !(mode === "update" && field.key === "idNumber"));
    const fresh = asking.map((column) => ({ column, numbers: freshOf(column) }));
    const count = fresh.reduce((sum, { numbers }) => sum + numbers.length, 0);
    const marks = count < FEW ? null : await learnMarks(count, askTaken, breathe);
    // the columns side by side: while the server looks up the one, the other one's portion is made
    await Promise.all(
      fresh.map(({ column, numbers }) => {
        const borne = marks?.[column.field.key === "idNumber" ? "idNumber" : "employeeNo"];
        return askAbout(
          column,
          borne === undefined ? numbers : numbers.filter((number) => borne.has(markOf(number))),
        );
      }),
    );
  };
}
