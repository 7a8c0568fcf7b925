/** Checks of an employee that the schema cannot make: the company's own fields, departments, dictionary values. */
import { inArray, sql } from "drizzle-orm";
import { isDay, readIdNumber } from "../../shared/domain/validate.ts";
import type { EmployeeCreate, EmployeeUpdate } from "../../shared/protocol/rest/employees.ts";
import { isId } from "../db/ids.ts";
import { departments } from "../db/schema/employees.ts";
import type { CompanyScope } from "../db/tenant.ts";
import { type OwnField, ownFields } from "./fields.ts";

export type Custom = Record<string, string | number | null>;
type Given = Partial<Omit<EmployeeCreate, "applyId">> | Omit<EmployeeUpdate, "id">;

export interface Checker {
  /** @param refuse called for each invalid field */
  check(given: Given, isNew: boolean, refuse: (field: string, message: string) => void): void;
  /** Name of a department by its id. */
  departmentName(id: string): string | undefined;
}

/** Reads once everything that the rows are checked against. */
export async function createChecker(scope: CompanyScope, rows: readonly Given[]): Promise<Checker> {
  const own = await ownFields(scope);
  const ids = [...new Set(rows.map((row) => row.departmentId ?? "").filter(isId))];
  const found =
    ids.length === 0
      ? []
      : await scope.select(
          { id: departments.id, name: departments.name },
          departments,
          inArray(departments.id, ids),
        );
  const names = new Map(found.map((row) => [row.id, row.name]));
  const values = await dictValues(scope, own, rows);

  const wrongOwn = ({ type, dictType }: OwnField, value: string | number): string | null => {
    if (type === "number") return typeof value === "number" ? null : "应为数字";
    if (typeof value !== "string") return "应为文本";
    if (type === "date") return isDay(value) ? null : "应为日期 YYYY-MM-DD";
    if (type === "dict") return values.has(`${dictType}/${value}`) ? null : "字典中没有这个值";
    return null;
  };

  return {
    check(given, isNew, refuse) {
      if (typeof given.departmentId === "string" && !names.has(given.departmentId)) {
        refuse("departmentId", "没有这个部门");
      }
      if (
        typeof given.idNumber === "string" &&
        typeof given.birthday === "string" &&
        readIdNumber(given.idNumber).birthday !== given.birthday
      ) {
        refuse("birthday", "与身份证号不一致");
      }
      if (
        typeof given.certificateType === "string" &&
        !values.has(`certificate_type/${given.certificateType}`)
      ) {
        refuse("certificateType", "字典中没有这个值");
      }
      const custom = given.custom ?? {};
      for (const key of Object.keys(custom)) {
        const field = own.find((one) => one.key === key);
        const value = custom[key];
        if (field === undefined) refuse(`custom.${key}`, "没有这个字段");
        else if (value === null || value === undefined || value === "") {
          if (field.required) refuse(`custom.${key}`, "必填");
        } else {
          const wrong = wrongOwn(field, value);
          if (wrong !== null) refuse(`custom.${key}`, wrong);
        }
      }
      if (!isNew) return;
      for (const { key, required } of own) {
        if (required && !Object.hasOwn(custom, key)) refuse(`custom.${key}`, "必填");
      }
    },
    departmentName: (id) => names.get(id),
  };
}

/** The dictionary values that the rows use, as `type/value`. */
async function dictValues(
  scope: CompanyScope,
  own: readonly OwnField[],
  rows: readonly Given[],
): Promise<ReadonlySet<string>> {
  const types = own.flatMap(({ dictType }) => dictType ?? []);
  if (rows.some((row) => typeof row.certificateType === "string")) types.push("certificate_type");
  if (types.length === 0) return new Set();
  const list = sql.join(
    types.map((type) => sql`${type}`),
    sql`, `,
  );
  const found = await scope.sql<{ value: string }>(sql`
    SELECT dict_type || '/' || dict_value AS value FROM dict_data
    WHERE dict_type IN (${list}) AND (company_id IS NULL OR company_id = ${scope.companyId}::bigint)`);
  return new Set(found.map((row) => row.value));
}
