/**
 * Finds the numbers of a column that an employee already has. When the tenant has few employees compared with the file, the marks
 * (short hashes) of all their numbers are loaded first, and only numbers with a known mark are sent to the server. Each number is
 * sent once.
 */
import { markOf } from "../../../shared/domain/number-marks.ts";
import type { AskTaken } from "../../../shared/protocol/import-worker.ts";
import { type ImportMode } from "../../../shared/protocol/import-model.ts";
import { IMPORT_LIMITS } from "../../../shared/protocol/rest/imports.ts";
import type { Column } from "./columns.ts";

/** For fewer numbers than this, loading the marks costs more than it saves. */
const FEW = 1000;
/** A mark costs the server about a quarter of a lookup of a number. */
const MARKS_A_NUMBER = 4;

/** Longer values are findings, and no employee has one. */
const isAskable = (value: string): boolean => value !== "" && value.length <= 32;

interface Marks {
  readonly idNumber: ReadonlySet<number>;
  readonly employeeNo: ReadonlySet<number>;
}

/** @returns null when the tenant has too many employees, or the server gives no marks */
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

/** @returns a function that checks those values of the columns that were not sent before */
export function createTaken(
  columns: readonly Column[],
  mode: ImportMode,
  askTaken: AskTaken,
  breathe: () => Promise<void>,
): () => Promise<void> {
  /** Values that were sent, and the number of ids that were looked at. */
  const asked = new Map<Column, { readonly values: Set<string>; upTo: number }>();

  function freshOf(column: Column): string[] {
    const before = asked.get(column);
    const fresh: string[] = [];
    if (before === undefined && column.isExact) {
      // No value occurs twice. The values are remembered only if an edit adds others.
      for (let id = 0; id < column.count; id += 1) {
        const value = column.value(id);
        if (isAskable(value)) fresh.push(value);
      }
      asked.set(column, { values: new Set(), upTo: column.count });
      return fresh;
    }
    const known = before ?? { values: new Set<string>(), upTo: 0 };
    asked.set(column, known);
    const { values } = known;
    if (values.size === 0) for (let id = 0; id < known.upTo; id += 1) values.add(column.value(id));
    for (let id = 0; id < column.count; id += 1) {
      const value = column.value(id);
      if (!isAskable(value) || values.has(value)) continue;
      values.add(value);
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
        // In an update the employee's own number counts as taken; the server decides whose it is.
        if (mode !== "update") column.setTaken(value, true);
      }
    }
  }

  return async () => {
    // An update finds the employee by the id number, so that number must be taken.
    const asking = columns.filter(({ field }) => !(mode === "update" && field.key === "idNumber"));
    const fresh = asking.map((column) => ({ column, numbers: freshOf(column) }));
    const count = fresh.reduce((sum, { numbers }) => sum + numbers.length, 0);
    const marks = count < FEW ? null : await learnMarks(count, askTaken, breathe);
    // Check the columns in parallel: one portion is prepared while the server looks up another.
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
