/** Writes many employees at once: one statement for all rows of a chunk, with one array per column. */
import { type SQL, sql } from "drizzle-orm";
import { type EmployeeFieldKey, employeeFields } from "../../../shared/domain/employee-fields.ts";
import { markOf } from "../../../shared/domain/number-marks.ts";
import { doneInSteps } from "../../../shared/domain/steps.ts";
import { IMPORT_LIMITS, type ImportMarks } from "../../../shared/protocol/rest/imports.ts";
import type { employees } from "../../base/database/schema/base.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { pause } from "../../base/pause.ts";

export type EmployeeRow = typeof employees.$inferSelect;
/** The columns of an employee that an import writes. */
export type Written = Pick<EmployeeRow, (typeof COLUMNS)[number][0]>;

/** Name on the wire, column, type in SQL. */
const COLUMNS: readonly (readonly [EmployeeFieldKey | "custom", string, string])[] = [
  ...employeeFields.map(
    ({ key, column, rule }) =>
      [
        key,
        `"${column}"`,
        rule.type === "date" ? "date" : rule.type === "departmentId" ? "bigint" : "text",
      ] as const,
  ),
  ["custom", "custom", "jsonb"],
];
const NAMES = sql.raw(COLUMNS.map(([, column]) => column).join(", "));

/** An SQL array passed as one parameter. */
export const array = (values: readonly unknown[], type: string): SQL =>
  sql`${sql.param(arrayText(values))}::${sql.raw(type)}[]`;

/** PostgreSQL's text form of an array. The driver's version tests each text with two patterns, which is most of its cost per chunk. */
export function arrayText(values: readonly unknown[]): string {
  const elements = values.map((value) => {
    if (value === null || value === undefined) return "NULL";
    const text = String(value);
    const plain = !text.includes('"') && !text.includes("\\");
    return plain ? `"${text}"` : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  });
  return `{${elements.join(",")}}`;
}

/** Rows as the parameters of a statement. */
export interface Source {
  /** Number of rows. */
  readonly count: number;
  /** The value of each of COLUMNS for a row of the statement. */
  readonly values: SQL;
  /** Arrays for unnest. `names` are its columns. */
  readonly arrays: SQL[];
  readonly names: string[];
}

/**
 * Passes a column with equal values as one value. Most columns of most files are empty, and thousands of equal values cost more. Yields
 * after each other column.
 */
export function* sourceOf(rows: readonly Written[]): Generator<undefined, Source> {
  const arrays: SQL[] = [];
  const names: string[] = [];
  const values: SQL[] = [];
  for (const [name, column, type] of COLUMNS) {
    const all = rows.map((row) => (name === "custom" ? JSON.stringify(row.custom) : row[name]));
    const [first] = all;
    if (all.every((value) => value === first)) {
      values.push(sql`${sql.param(first ?? null)}::${sql.raw(type)}`);
      continue;
    }
    arrays.push(array(all, type));
    names.push(column);
    values.push(sql.raw(`r.${column}`));
    yield;
  }
  return { count: rows.length, values: sql.join(values, sql`, `), arrays, names };
}

/**
 * Inserts employees. Leaves out rows whose id number or employee number belongs to employed staff or to an earlier row. The
 * database decides, so that two imports at the same time are safe.
 *
 * @param ids of the rows, in order. They are reserved beforehand, because the insert's result does not say which row is which.
 * @param all expects that no row is left out: costs a fifth less, and fails with unique_violation otherwise
 * @returns ids by row; null for a row that was left out
 */
export async function insertEmployees(
  scope: CompanyScope,
  { count, values, arrays, names }: Source,
  ids: readonly string[],
  all: boolean,
): Promise<(string | null)[]> {
  if (count === 0) return [];
  const insert = sql`
    INSERT INTO employees (id, company_id, ${NAMES})
    SELECT r.id, ${scope.companyId}::bigint, ${values}
    FROM unnest(${sql.join([array(ids, "bigint"), ...arrays], sql`, `)}) AS r (${sql.raw(["id", ...names].join(", "))})`;
  if (all) {
    await scope.sql(insert);
    return [...ids];
  }
  const [made] = await scope.sql<{ count: number; ids: string | null }>(sql`
    WITH made AS (${insert} ON CONFLICT DO NOTHING RETURNING id)
    SELECT count(*)::int AS count, CASE WHEN count(*) < ${count}::int THEN array_agg(id)::text END AS ids
    FROM made`);
  if (made?.count === count) return [...ids];
  const known = new Set(idsOf(made?.ids ?? null));
  return ids.map((id) => (known.has(id) ? id : null));
}

/** Reserves `count` employee ids, returned as one bigint[] in its text form, which is cheaper than one row per id. */
export const NEXT_IDS = (count: SQL): SQL => sql`(
  SELECT array_agg(nextval('employees_id_seq'))::text
  FROM generate_series(1, ${count}))`;

export async function nextIds(scope: CompanyScope, count: number): Promise<string[]> {
  const [taken] = await scope.sql<{ ids: string | null }>(
    sql`SELECT ${NEXT_IDS(sql`${count}::int`)} AS ids`,
  );
  return idsOf(taken?.ids ?? null);
}

/** The elements of a bigint[] in its text form. */
export const idsOf = (text: string | null): string[] =>
  text === null || text === "{}" ? [] : text.slice(1, -1).split(",");

/** Updates employees. Writes all of COLUMNS for each. */
export async function updateEmployees(
  scope: CompanyScope,
  rows: readonly (Written & { readonly id: string })[],
): Promise<void> {
  if (rows.length === 0) return;
  const { values, arrays, names } = await doneInSteps(sourceOf(rows), pause);
  const ids = array(
    rows.map(({ id }) => id),
    "bigint",
  );
  await scope.sql(sql`
    UPDATE employees e SET (${NAMES}) = ROW (${values}), updated_at = now()
    FROM unnest(${sql.join([ids, ...arrays], sql`, `)}) AS r (${sql.raw(["id", ...names].join(", "))})
    WHERE e.id = r.id AND e.company_id = ${scope.companyId}::bigint`);
}

/** The employed staff that have these numbers, as ids by number. */
export async function bearers(
  scope: CompanyScope,
  field: "idNumber" | "employeeNo",
  numbers: readonly string[],
): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map();
  const column = sql.raw(field === "idNumber" ? "id_number" : "employee_no");
  const found = await scope.sql<{ id: string; value: string }>(sql`
    SELECT id::text AS id, ${column} AS value FROM employees
    WHERE company_id = ${scope.companyId}::bigint AND dimission_at IS NULL
      AND ${column} = ANY(${array(numbers, "text")})`);
  return new Map(found.map(({ id, value }) => [value, id]));
}

/** Marks of the numbers of employed staff, page by page. @param after the last id of the previous page; "0" for the first page */
export async function marksOf(scope: CompanyScope, after: string): Promise<ImportMarks> {
  const found = await scope.sql<{ id: string; idNumber: string | null; employeeNo: string | null }>(
    sql`SELECT e.id::text AS id, id_number AS "idNumber", employee_no AS "employeeNo" FROM employees e
      WHERE company_id = ${scope.companyId}::bigint AND dimission_at IS NULL AND e.id > ${after}::bigint
      ORDER BY e.id LIMIT ${IMPORT_LIMITS.marks}`,
  );
  const [count] = await scope.sql<{ employed: number }>(sql`
    SELECT employed::int AS employed FROM employee_counts WHERE company_id = ${scope.companyId}::bigint`);
  const marks = (field: "idNumber" | "employeeNo"): number[] =>
    found.flatMap((row) => (row[field] === null ? [] : markOf(row[field])));
  return {
    idNumbers: marks("idNumber"),
    employeeNos: marks("employeeNo"),
    next: found.length < IMPORT_LIMITS.marks ? null : (found.at(-1)?.id ?? null),
    employed: count?.employed ?? 0,
  };
}
