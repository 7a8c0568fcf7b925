/** Employees written many at a time: one statement for all rows of a chunk, a column an array. */
import { type SQL, sql } from "drizzle-orm";
import type { employees } from "../db/schema/base.ts";
import type { CompanyScope } from "../db/tenant.ts";

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
  sql`${sql.param(values)}::${sql.raw(type)}[]`;

const arrays = (rows: readonly Written[]): SQL =>
  sql.join(
    COLUMNS.map(([name, , type]) =>
      array(
        rows.map((row) => (name === "custom" ? JSON.stringify(row.custom) : row[name])),
        type,
      ),
    ),
    sql`, `,
  );

/**
 * Takes on employees; those whose id number or employee number is taken, by somebody employed or by one of the rows before, are
 * left out. The database decides, so that two imports at once are no danger.
 *
 * @returns ids by row, null for those left out
 */
export async function insertEmployees(
  scope: CompanyScope,
  rows: readonly Written[],
): Promise<(string | null)[]> {
  if (rows.length === 0) return [];
  // ids are taken first: an answer of the insert alone would not tell which row is which
  const taken = await scope.sql<{ id: string }>(sql`
    SELECT nextval(pg_get_serial_sequence('employees', 'id'))::text AS id
    FROM generate_series(1, ${rows.length}::int)`);
  const ids = taken.map(({ id }) => id);
  const made = await scope.sql<{ id: string }>(sql`
    INSERT INTO employees (id, company_id, ${NAMES})
    SELECT r.id, ${scope.companyId}::bigint, ${NAMES}
    FROM unnest(${array(ids, "bigint")}, ${arrays(rows)}) AS r (id, ${NAMES})
    ON CONFLICT DO NOTHING RETURNING id::text AS id`);
  const known = new Set(made.map(({ id }) => id));
  return ids.map((id) => (known.has(id) ? id : null));
}

/** Changes employees, each to the whole of what is given. */
export async function updateEmployees(
  scope: CompanyScope,
  rows: readonly (Written & { readonly id: string })[],
): Promise<void> {
  if (rows.length === 0) return;
  const set = sql.raw(COLUMNS.map(([, column]) => `${column} = r.${column}`).join(", "));
  const ids = array(
    rows.map(({ id }) => id),
    "bigint",
  );
  await scope.sql(sql`
    UPDATE employees e SET ${set}, updated_at = now()
    FROM unnest(${ids}, ${arrays(rows)}) AS r (id, ${NAMES})
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
