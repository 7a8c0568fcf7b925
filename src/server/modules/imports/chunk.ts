/**
 * Stores the rows of a chunk in one transaction. Refused rows are reported by row and field; the others are stored. The rules are
 * those for a single employee (employees/check.ts). The database decides about uniqueness.
 */
import { and, isNull, sql } from "drizzle-orm";
import { doneInSteps } from "../../../shared/domain/steps.ts";
import type { ImportChunk, ImportRefusal } from "../../../shared/protocol/rest/imports.ts";
import { changes } from "../../base/database/common.ts";
import { employees } from "../../base/database/schema/base.ts";
import type { ImportJobRow } from "../../base/database/schema/imports.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { pause } from "../../base/pause.ts";
import { type Checker, createChecker } from "../employees/check.ts";
import type { OwnField } from "../field-settings/own-fields.ts";
import { kept } from "../employees/rows.ts";
import { claim, type Known, nobody, type Plan, planRows, type Refuse, UNIQUE } from "./plan.ts";
import { type ChunkRow, type Given, readRows } from "./rows.ts";
import {
  array,
  bearers,
  type EmployeeRow,
  insertEmployees,
  nextIds,
  updateEmployees,
  type Written,
} from "./write.ts";

export interface Outcome {
  readonly created: readonly { readonly row: number; readonly id: string; readonly as: Written }[];
  /** Number of rows that create an employee, or would in a dry run. */
  readonly wouldCreate: number;
  readonly updated: number;
  /** The updated employees whose values differ from before. */
  readonly changed: readonly {
    readonly id: string;
    readonly before: object;
    readonly after: object;
  }[];
  readonly refusals: readonly ImportRefusal[];
  readonly refusedRows: number;
}

const TAKEN = "已有在职员工使用";

/** A chunk as it was read before its transaction began. */
export interface Reading {
  readonly rows: readonly ChunkRow[];
  /** The company's own fields used for reading; [] when the chunk has no such column. */
  readonly own: readonly OwnField[];
  /** How the rows would be stored if the company's facts are still those of `checker`; null: not planned. */
  readonly planned: { readonly checker: Checker; readonly plan: Plan } | null;
}

/**
 * Plans a chunk with the facts that the job's previous chunk was checked against, so that the transaction has little to do. Requests are
 * answered between its steps.
 *
 * @param checker of the previous chunk; null: there is none yet
 */
export async function readChunk(
  chunk: ImportChunk,
  own: readonly OwnField[],
  checker: Checker | null,
): Promise<Reading> {
  const rows = await doneInSteps(readRows(chunk, own), pause);
  if (checker === null || !isCurrent(own, checker)) return { rows, own, planned: null };
  const plan = await doneInSteps(planRows(rows, new Map(), checker), pause);
  return { rows, own, planned: { checker, plan } };
}

export interface Ways {
  readonly reading: Reading;
  /** Ids reserved for new employees, at least one per row. [] makes the import reserve them. */
  readonly ids: readonly string[];
  /** true: leave out rows with a taken number. false: such a row fails the transaction, which is cheaper when there is none. */
  readonly careful: boolean;
  /** Gets the facts that the rows are checked against. */
  readonly onChecker?: (checker: Checker) => void;
  /** Called when the new rows are on their way to the database. */
  readonly onRows?: () => void;
}

/** @throws the database's unique_violation for a number that is taken, unless `careful` */
export async function importRows(
  scope: CompanyScope,
  job: Pick<ImportJobRow, "mode" | "fieldSettings">,
  chunk: ImportChunk,
  ways: Ways,
): Promise<Outcome> {
  const { reading } = ways;
  const checker = await createChecker(scope, samples(reading.rows), job.fieldSettings);
  ways.onChecker?.(checker);
  const rows = isCurrent(reading.own, checker)
    ? reading.rows
    : await doneInSteps(readRows(chunk, checker.own), pause);
  const before =
    job.mode === "update" ? await employedBy(scope, rows) : new Map<string, EmployeeRow>();
  const { planned } = reading;
  const isPlanned = planned?.checker.facts === checker.facts && before.size === 0;
  const plan = isPlanned ? planned.plan : await doneInSteps(planRows(rows, before, checker), pause);
  const refusals = [...plan.refusals];
  const refused = new Set(refusals.map(({ row }) => row));
  const refuse: Refuse = (row, field, message) => {
    refused.add(row);
    refusals.push({ row, field, message });
  };
  const { fresh, known } = plan;

  const changed = await update(scope, known, checker, refuse);
  const updated = known.filter(({ row }) => !refused.has(row.row)).length;
  const created = await create(scope, job, plan, refuse, ways);
  refusals.sort((a, b) => a.row - b.row);
  return {
    created,
    wouldCreate: fresh.filter(({ row }) => !refused.has(row)).length,
    updated,
    changed,
    refusals,
    refusedRows: refused.size,
  };
}

/** Whether the company's own fields are unchanged since the rows were read. */
const isCurrent = (own: readonly OwnField[], checker: Checker): boolean =>
  own.length === 0 || JSON.stringify(own) === JSON.stringify(checker.own);

/** The few rows that make the checker look up all departments and certificate types of the chunk. */
function samples(rows: readonly ChunkRow[]): Given[] {
  const ids = new Set(rows.flatMap(({ given }) => given.departmentId ?? []));
  const certified = rows.find(({ given }) => typeof given.certificateType === "string");
  const named = rows.find(({ given }) => typeof given.department === "string");
  return [
    ...[...ids].map((departmentId) => ({ departmentId })),
    ...[certified, named].flatMap((one) => one?.given ?? []),
  ];
}

/** Employed staff by the id numbers of the rows, locked until the end of the transaction. */
async function employedBy(
  scope: CompanyScope,
  rows: readonly ChunkRow[],
): Promise<Map<string, EmployeeRow>> {
  const numbers = rows.flatMap(({ given }) => given.idNumber ?? []);
  if (numbers.length === 0) return new Map();
  const found = await scope
    .rows(
      employees,
      and(
        isNull(employees.dimissionAt),
        sql`${employees.idNumber} = ANY(${array(numbers, "text")})`,
      ),
    )
    .orderBy(employees.id)
    .for("update");
  return new Map(found.map((row) => [row.idNumber ?? "", row as EmployeeRow]));
}

async function update(
  scope: CompanyScope,
  rows: readonly Known[],
  checker: Checker,
  refuse: Refuse,
): Promise<Outcome["changed"]> {
  const wanted = rows.map(({ row, was }) => ({
    row,
    was,
    now: changedRow(was, row.given, checker),
  }));
  const numbers = wanted.flatMap(({ was, now }) =>
    now.employeeNo !== null && now.employeeNo !== was.employeeNo ? [now.employeeNo] : [],
  );
  const taken = await bearers(scope, "employeeNo", numbers);
  const write: (Written & { id: string })[] = [];
  const changed: { id: string; before: object; after: object }[] = [];
  for (const { row, was, now } of wanted) {
    const bearer = taken.get(now.employeeNo ?? "");
    if (bearer !== undefined && bearer !== was.id) {
      refuse(row.row, "employeeNo", TAKEN);
      continue;
    }
    const change = changes<Written>(was, now);
    if (change === null) continue;
    write.push({ ...was, ...now, id: was.id });
    changed.push({ id: was.id, ...change });
  }
  await updateEmployees(scope, write);
  return changed;
}

/** Applies a row to an employee by the same rules as updateEmployee in employees/store.ts. */
function changedRow(was: EmployeeRow, given: Given, checker: Checker): Written {
  const { custom, departmentId: _, ...plain } = given;
  const now = { ...was, ...plain, ...checker.departmentOf(given, was) } as EmployeeRow;
  const own = kept({ ...was.custom, ...custom });
  const same = Object.entries(own).every(([key, value]) => was.custom[key] === value);
  // Keep the same object, so that it does not count as a change.
  now.custom = same ? was.custom : own;
  return now;
}

async function create(
  scope: CompanyScope,
  job: Pick<ImportJobRow, "mode">,
  { fresh: rows, written, source, haveDoubles }: Plan,
  refuse: Refuse,
  { ids: taken, careful, onRows }: Ways,
): Promise<Outcome["created"]> {
  const dry = job.mode === "dry-run";
  const insert = async (): Promise<(string | null)[]> => {
    const own =
      taken.length < rows.length ? await nextIds(scope, rows.length) : taken.slice(0, rows.length);
    const inserted = insertEmployees(scope, source, own, !careful && !haveDoubles);
    onRows?.();
    return inserted;
  };
  const ids = dry ? rows.map(() => null) : await insert();
  const here = new Map(ids.flatMap((id, i) => (id === null ? [] : [[id, rows[i]?.row ?? 0]])));
  const left = rows.filter((_, i) => ids[i] === null);
  const numbers = (field: (typeof UNIQUE)[number]): string[] =>
    left.flatMap(({ given }) => given[field] ?? []);
  const borne = {
    idNumber: await bearers(scope, "idNumber", numbers("idNumber")),
    employeeNo: await bearers(scope, "employeeNo", numbers("employeeNo")),
  };
  const seen = nobody();
  for (const { row, given } of left) {
    let reported = false;
    for (const field of UNIQUE) {
      const bearer = borne[field].get(given[field] ?? "");
      if (bearer === undefined) continue;
      const first = here.get(bearer);
      // A later row took the number that this one could not keep.
      if (first !== undefined && first > row) continue;
      refuse(row, field, first === undefined ? TAKEN : `与第${first}行重复`);
      reported = true;
    }
    if (reported) continue;
    // The employee with this number left in the meantime.
    if (dry) claim(seen, given, row, refuse);
    else refuse(row, null, "身份证号或工号刚刚被其他操作占用，请重新导入该行");
  }
  return rows.flatMap(({ row }, i) => {
    const [id, as] = [ids[i], written[i]];
    return typeof id === "string" && as !== undefined ? [{ row, id, as }] : [];
  });
}
