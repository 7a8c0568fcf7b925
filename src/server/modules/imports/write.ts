/** Employees written many at a time: one statement for all rows of a chunk, a column an array. */
import { type SQL, sql } from "drizzle-orm";
import { markOf } from "../../../shared/domain/number-marks.ts";
import { IMPORT_LIMITS, type ImportMarks } from "../../../shared/protocol/rest/imports.ts";
import type { employees } from "../../base/database/schema/base.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";

export type EmployeeRow = typeof employees.$inferSelect;
/** What an import writes of an employee. */
export type Written = Pick<EmployeeRow, (typeof COLUMNS)[number][0]>;

const COLUMNS = [
  ["name", "name", "text"],
  ["phone", "phone", "text"],
  ["departmentId", "department_id", "bigint"],
  ["department", "department", "text"],
  ["position", '"position"', "text"],
  ["employeeNo", "employee_no", "text"],
  ["gender", "gender", "text"],
  ["idNumber", "id_number", "text"],
  ["birthday", "birthday", "date"],
  ["email", "email", "text"],
  ["hireDate", "hire_date", "date"],
  ["status", "status", "text"],
  ["certificateType", "certificate_type", "text"],
  ["certificateNo", "certificate_no", "text"],
  ["certificateExpiry", "certificate_expiry", "date"],
  ["emergencyContact", "emergency_contact", "text"],
  ["emergencyPhone", "emergency_phone", "text"],
  ["remark", "remark", "text"],
  ["custom", "custom", "jsonb"],
] as const;
const NAMES = sql.raw(COLUMNS.map(([, column]) => column).join(", "));

/** A whole array as one parameter. */
export const array = (values: readonly unknown[], type: string): SQL =>
  sql`${sql.param(arrayText(values))}::${sql.raw(type)}[]`;

/** The array as PostgreSQL writes it. The driver's own way looks at each text with two patterns, which is most of what a chunk costs it. */
export function arrayText(values: readonly unknown[]): string {
  const elements = values.map((value) => {
    if (value === null || value === undefined) return "NULL";
    const text = String(value);
    const plain = !text.includes('"') && !text.includes("\\");
    return plain ? `"${text}"` : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  });
  return `{${elements.join(",")}}`;
}

interface Source {
  /** What a row of the statement takes for each of COLUMNS. */
  readonly values: SQL;
  /** Arrays for unnest, and the names of its columns. */
  readonly arrays: SQL[];
  readonly names: string[];
}

/** Most columns are empty in most files: one value costs the database less than two thousand equal ones. */
function sourceOf(rows: readonly Written[]): Source {
  const arrays: SQL[] = [];
  const names: string[] = [];
  const values = COLUMNS.map(([name, column, type]) => {
    const all = rows.map((row) => (name === "custom" ? JSON.stringify(row.custom) : row[name]));
    const [first] = all;
    if (all.every((value) => value === first)) {
      return sql`${sql.param(first ?? null)}::${sql.raw(type)}`;
    }
    arrays.push(array(all, type));
    names.push(column);
    return sql.raw(`r.${column}`);
  });
  return { values: sql.join(values, sql`, `), arrays, names };
}

/**
 * Takes on employees; those whose id number or employee number is taken, by somebody employed or by one of the rows before, are
 * left out. The database decides, so that two imports at once are no danger.
 *
 * @param ids of the rows, in their order; taken first, since an answer of the insert would not say which row is which
 * @param all that none will be left out: that costs the database a fifth less, and fails with unique_violation where one would be
 * @returns ids by row, null for those left out
 */
export async function insertEmployees(
  scope: CompanyScope,
  rows: readonly Written[],
  ids: readonly string[],
  all: boolean,
): Promise<(string | null)[]> {
  if (rows.length === 0) return [];
  const { values, arrays, names } = sourceOf(rows);
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
    SELECT count(*)::int AS count, CASE WHEN count(*) < ${rows.length}::int THEN array_agg(id)::text END AS ids
    FROM made`);
  if (made?.count === rows.length) return [...ids];
  const known = new Set(idsOf(made?.ids ?? null));
  return ids.map((id) => (known.has(id) ? id : null));
}

/** Ids for so many new employees, as one bigint[] in its text form: a row each would cost more than the ids. */
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

/** Changes employees, each to the whole of what is given. */
export async function updateEmployees(
  scope: CompanyScope,
  rows: readonly (Written & { readonly id: string })[],
): Promise<void> {
  if (rows.length === 0) return;
  const { values, arrays, names } = sourceOf(rows);
  const ids = array(
    rows.map(({ id }) => id),
    "bigint",
  );
  await scope.sql(sql`
    UPDATE employees e SET (${NAMES}) = ROW (${values}), updated_at = now()
    FROM unnest(${sql.join([ids, ...arrays], sql`, `)}) AS r (${sql.raw(["id", ...names].join(", "))})
    WHERE e.id = r.id AND e.company_id = ${scope.companyId}::bigint`);
}

/** Which of these numbers somebody employed bears, and who. */
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

/** Marks of the numbers that employed staff bear, some employees at a time. @param after an id; 0 is the beginning */
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
