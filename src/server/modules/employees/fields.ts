/** The fields of an employee: one list for answers, filters and exports, with the SQL and the type of each. */
import { asc, type SQL, sql } from "drizzle-orm";
import type { EmployeeDetail } from "../../../shared/protocol/rest/employees.ts";
import { isoTime } from "../../base/database/common.ts";
import { companyFields } from "../../base/database/schema/employees.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";

export type FieldType = "text" | "number" | "date" | "dict";

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

const field = (
  label: string,
  type: FieldType,
  column: string,
  more: Partial<Field> = {},
): Field => ({
  label,
  type,
  value: sql.raw(column),
  ...more,
});
const searched = { searched: true } as const;

const STATUS = "(CASE WHEN e.dimission_at IS NULL THEN e.status ELSE 'off' END)";
const LOCAL_DAY = (column: string): string => `((${column} AT TIME ZONE 'Asia/Shanghai')::date)`;

/** By their names on the wire, in the order of an export. */
export const FIELDS: Readonly<Record<string, Field>> = {
  employeeNo: field("工号", "text", "e.employee_no", searched),
  name: field("姓名", "text", "e.name", searched),
  gender: field("性别", "dict", "e.gender", { dictType: "gender" }),
  idNumber: field("身份证号", "text", "e.id_number"),
  birthday: field("出生日期", "date", "e.birthday"),
  phone: field("联系电话", "text", "e.phone", searched),
  email: field("电子邮箱", "text", "e.email"),
  department: field("部门", "text", "e.department", searched),
  position: field("岗位", "text", "e.position", searched),
  hireDate: field("入职日期", "date", "e.hire_date"),
  status: field("状态", "dict", STATUS, { dictType: "employee_status" }),
  certificateType: field("证件类型", "dict", "e.certificate_type", {
    dictType: "certificate_type",
  }),
  certificateNo: field("证件号码", "text", "e.certificate_no"),
  certificateExpiry: field("证件有效期", "date", "e.certificate_expiry"),
  emergencyContact: field("紧急联系人", "text", "e.emergency_contact"),
  emergencyPhone: field("紧急联系电话", "text", "e.emergency_phone"),
  remark: field("备注", "text", "e.remark"),
  dimissionDate: field("离职日期", "date", LOCAL_DAY("e.dimission_at")),
  dimissionReason: field("离职原因", "text", "e.dimission_reason"),
  createTime: field("创建日期", "date", LOCAL_DAY("e.created_at")),
};

/** The columns that a query selects for an EmployeeDetail, with employees `e`, companies `c` and accounts `a`. */
export const DETAIL: SQL = sql`e.id::text AS id, e.company_id::text AS "supplierId", c.name AS "supplierName",
  e.account_id::text AS "accountId", e.name, e.phone, e.department, e.position, a.chat_user_name AS "userName",
  e.employee_no AS "employeeNo", e.gender, e.id_number AS "idNumber", e.birthday::text AS birthday, e.email,
  e.department_id::text AS "departmentId", e.hire_date::text AS "hireDate", ${sql.raw(STATUS)} AS status,
  e.certificate_type AS "certificateType", e.certificate_no AS "certificateNo",
  e.certificate_expiry::text AS "certificateExpiry", e.emergency_contact AS "emergencyContact",
  e.emergency_phone AS "emergencyPhone", e.remark, e.custom,
  ${sql.raw(LOCAL_DAY("e.dimission_at"))}::text AS "dimissionDate", e.dimission_reason AS "dimissionReason",
  ${isoTime("e.created_at")} AS "createTime", ${isoTime("e.updated_at")} AS "updateTime"`;

export type DetailRow = EmployeeDetail & Record<string, unknown>;

export interface OwnField {
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  readonly dictType: string | null;
  readonly required: boolean;
}

/** The company's own fields in their order. */
export const ownFields = (scope: CompanyScope): Promise<OwnField[]> =>
  scope
    .select(
      {
        key: companyFields.key,
        label: companyFields.label,
        type: companyFields.type,
        dictType: companyFields.dictType,
        required: companyFields.required,
      },
      companyFields,
    )
    .orderBy(asc(companyFields.sort), asc(companyFields.id)) as unknown as Promise<OwnField[]>;

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
