/** The fields of an employee: one list for answers, filters and exports, with the SQL and the type of each. */
import { type SQL, sql } from "drizzle-orm";
import {
  type EmployeeField,
  employeeFields,
  type EmployeeRule,
} from "../../../shared/domain/employee-fields.ts";
import type { EmployeeDetail } from "../../../shared/protocol/rest/employee-schemas.ts";
import { isoTime } from "../../base/database/common.ts";
import type { FieldType, OwnField } from "../field-settings/own-fields.ts";

export interface Field {
  readonly label: string;
  readonly type: FieldType;
  /** SQL of the value, in a query where employees are `e`. */
  readonly value: SQL;
  /** Whether keywords search this field (employee_words of 0007_employees.sql). */
  readonly searched?: boolean;
  readonly dictType?: string;
  /** Set for a company's own field, which is stored in JSON. */
  readonly own?: true;
}

const STATUS = "(CASE WHEN e.dimission_at IS NULL THEN e.status ELSE 'off' END)";
const LOCAL_DAY = (column: string): string => `((${column} AT TIME ZONE 'Asia/Shanghai')::date)`;

const TYPES: Partial<Record<EmployeeRule["type"], FieldType>> = { date: "date", dict: "dict" };
/** The SQL of a value, in a query where employees are `e`. */
const valueOf = ({ key, column }: EmployeeField): string =>
  key === "status" ? STATUS : `e.${column}`;

const own = (label: string, type: FieldType, value: string): Field => ({
  label,
  type,
  value: sql.raw(value),
});

/** By their names on the wire, in the order of an export. A department is found by its name, not by its id. */
export const FIELDS: Readonly<Record<string, Field>> = {
  ...Object.fromEntries(
    employeeFields
      .filter(({ rule }) => rule.type !== "departmentId")
      .map((field): [string, Field] => [
        field.key,
        {
          label: field.zh,
          type: TYPES[field.rule.type] ?? "text",
          value: sql.raw(valueOf(field)),
          ...(field.searched === true && { searched: true }),
          ...(field.rule.type === "dict" && { dictType: field.rule.dict }),
        },
      ]),
  ),
  dimissionDate: own("离职日期", "date", LOCAL_DAY("e.dimission_at")),
  dimissionReason: own("离职原因", "text", "e.dimission_reason"),
  createTime: own("创建日期", "date", LOCAL_DAY("e.created_at")),
};

/** Days and ids are texts on the wire. */
const asText = (rule: EmployeeRule): string =>
  rule.type === "date" || rule.type === "departmentId" ? "::text" : "";
const COMMON = employeeFields
  .map((field) => `${valueOf(field)}${asText(field.rule)} AS "${field.key}"`)
  .join(", ");

/** The columns that a query selects for an EmployeeDetail, with employees `e`, companies `c` and accounts `a`. */
export const DETAIL: SQL = sql`e.id::text AS id, e.company_id::text AS "supplierId", c.name AS "supplierName",
  e.account_id::text AS "accountId", a.chat_user_name AS "userName",
  a.disabled_at IS NOT NULL AS "accountDisabled", ${sql.raw(COMMON)}, e.custom,
  ${sql.raw(LOCAL_DAY("e.dimission_at"))}::text AS "dimissionDate", e.dimission_reason AS "dimissionReason", e.version,
  ${isoTime("e.created_at")} AS "createTime", ${isoTime("e.updated_at")} AS "updateTime"`;

export type DetailRow = EmployeeDetail & Record<string, unknown>;

/** All fields of a company: the common ones, and its own as `custom.<key>`. */
export function fieldsWith(own: readonly OwnField[]): Record<string, Field> {
  const all: Record<string, Field> = { ...FIELDS };
  for (const { key, label, type, dictType } of own) {
    const json = sql`e.custom->>${key}::text`;
    const value =
      type === "number"
        ? sql`(CASE WHEN jsonb_typeof(e.custom->${key}::text) = 'number' THEN (${json})::numeric END)`
        : sql`(${json})`;
    // Dates are stored as texts, whose order is chronological.
    all[`custom.${key}`] = {
      label,
      type,
      value,
      own: true,
      ...(dictType === null ? {} : { dictType }),
    };
  }
  return all;
}
