/**
 * Decides, as far as possible without other employees' numbers, whether each row creates an employee, updates one, or is refused. A plan
 * needs no transaction, so it is made while the previous chunk is written.
 */
import type { ImportRefusal } from "../../../shared/protocol/rest/imports.ts";
import type { Checker } from "../employees/check.ts";
import { rowOf } from "../employees/rows.ts";
import { type ChunkRow, type Given, ROWS_PER_STEP } from "./rows.ts";
import { type EmployeeRow, type Source, sourceOf, type Written } from "./write.ts";

export const UNIQUE = ["idNumber", "employeeNo"] as const;

export interface Known {
  readonly row: ChunkRow;
  /** The employee that the row updates. */
  readonly was: EmployeeRow;
}

export interface Plan {
  /** Rows that create an employee; `written` and `source` are what is inserted for them, in this order. */
  readonly fresh: readonly ChunkRow[];
  readonly written: readonly Written[];
  readonly source: Source;
  /** Whether two of the fresh rows share a number. */
  readonly haveDoubles: boolean;
  /** Rows that update an employee. */
  readonly known: readonly Known[];
  readonly refusals: readonly ImportRefusal[];
}

export type Refuse = (row: number, field: string | null, message: string) => void;

/**
 * Yields after each ROWS_PER_STEP rows, and between the columns of the statement.
 *
 * @param before employees that the rows update, by id number
 */
export function* planRows(
  rows: readonly ChunkRow[],
  before: ReadonlyMap<string, EmployeeRow>,
  checker: Checker,
): Generator<undefined, Plan> {
  const refusals: ImportRefusal[] = [];
  const refused = new Set<number>();
  const refuse: Refuse = (row, field, message) => {
    refused.add(row);
    refusals.push({ row, field, message });
  };
  const fresh: ChunkRow[] = [];
  const known: Known[] = [];
  const seen = nobody();
  for (const [at, one] of rows.entries()) {
    if (at % ROWS_PER_STEP === 0) yield;
    const { row, given } = one;
    const was = before.get(given.idNumber ?? "");
    for (const { field, message } of one.wrong) refuse(row, field, message);
    const isReported = (field: string): boolean => one.wrong.some((wrong) => wrong.field === field);
    if (was === undefined && given.name === undefined && !isReported("name")) {
      refuse(row, "name", "必填");
    }
    // Do not also report a field as missing when its text was wrong.
    const refuseField = (field: string, message: string): void => {
      if (!isReported(field)) refuse(row, field, message);
    };
    checker.check(given, was ?? null, refuseField);
    checker.demand(given, was ?? null, refuseField);
    if (refused.has(row)) continue;
    if (was === undefined) fresh.push(one);
    else if (claim(seen, given, row, refuse)) known.push({ row: one, was });
  }
  const written: Written[] = [];
  for (const { given } of fresh) {
    const count = written.push(rowOf(given as Parameters<typeof rowOf>[0], checker));
    if (count % ROWS_PER_STEP === 0) yield;
  }
  return {
    fresh,
    written,
    source: yield* sourceOf(written),
    haveDoubles: haveDoubles(fresh),
    known,
    refusals,
  };
}

export type Seen = Record<(typeof UNIQUE)[number], Map<string, number>>;
export const nobody = (): Seen => ({ idNumber: new Map(), employeeNo: new Map() });

/** Reserves a row's numbers. Refuses the row when an earlier row has one of them. */
export function claim(seen: Seen, given: Given, row: number, refuse: Refuse): boolean {
  let free = true;
  for (const field of UNIQUE) {
    const first = seen[field].get(given[field] ?? "");
    if (first === undefined) continue;
    refuse(row, field, `与第${first}行重复`);
    free = false;
  }
  for (const field of free ? UNIQUE : []) {
    const value = given[field];
    if (typeof value === "string") seen[field].set(value, row);
  }
  return free;
}

const haveDoubles = (rows: readonly ChunkRow[]): boolean =>
  UNIQUE.some((field) => {
    const numbers = rows.flatMap(({ given }) => given[field] ?? []);
    return new Set(numbers).size < numbers.length;
  });
