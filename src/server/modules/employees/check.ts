/** Checks of an employee that the schema cannot make: the company's own fields, departments, dictionary values. */
import { sql } from "drizzle-orm";
import { isDay, readIdNumber } from "../../../shared/domain/validate.ts";
import type {
  EmployeeCreate,
  EmployeeUpdate,
} from "../../../shared/protocol/rest/employee-schemas.ts";
import { isId } from "../../base/database/ids.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { OwnField } from "./fields.ts";

export type Custom = Record<string, string | number | null>;
type Given = Partial<Omit<EmployeeCreate, "applyId">> | Omit<EmployeeUpdate, "id" | "version">;

export interface Checker {
  /** The company's own fields, as the checker read them. */
  readonly own: readonly OwnField[];
  /** Everything that it read, as one text. Checkers with equal facts judge equally. */
  readonly facts: string;
  /** @param refuse called for each invalid field */
  check(given: Given, isNew: boolean, refuse: (field: string, message: string) => void): void;
  /** Name of a department by its id. */
  departmentName(id: string): string | undefined;
  /** Id of the only department of that name. */
  departmentOf(name: string): string | undefined;
}

/** Reads once everything that the rows are checked against. */
export async function createChecker(scope: CompanyScope, rows: readonly Given[]): Promise<Checker> {
  const facts = await factsFor(scope, rows);
  const { own, departments, entries } = facts;
  const names = new Map(departments);
  const values = new Set(entries);

  const wrongOwn = ({ type, dictType }: OwnField, value: string | number): string | null => {
    if (type === "number") return typeof value === "number" ? null : "应为数字";
    if (typeof value !== "string") return "应为文本";
    if (type === "date") return isDay(value) ? null : "应为日期 YYYY-MM-DD";
    if (type === "dict") return values.has(`${dictType}/${value}`) ? null : "字典中没有这个值";
    return null;
  };

  return {
    own,
    facts: JSON.stringify(facts),
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
    departmentOf(name) {
      const [first, second] = departments.filter((one) => one[1] === name);
      return second === undefined ? first?.[0] : undefined;
    },
  };
}

interface Facts extends Record<string, unknown> {
  readonly own: readonly OwnField[];
  /** Id and name. */
  readonly departments: readonly (readonly [string, string])[];
  /** `<type>/<value>` of the dictionaries that the rows name. */
  readonly entries: readonly string[];
}

/** One statement: an import asks for them with every chunk. */
async function factsFor(scope: CompanyScope, rows: readonly Given[]): Promise<Facts> {
  const ids = [...new Set(rows.map((row) => row.departmentId ?? "").filter(isId))];
  const named = [...new Set(rows.flatMap((row) => row.department ?? []))];
  const certified = rows.some((row) => typeof row.certificateType === "string");
  const company = sql`company_id = ${scope.companyId}::bigint`;
  const [facts] = await scope.sql<Facts>(sql`
    WITH own AS (SELECT * FROM company_fields WHERE ${company})
    SELECT coalesce((
        SELECT json_agg(json_build_object('key', key, 'label', label, 'type', type, 'dictType', dict_type,
          'required', required) ORDER BY sort, id) FROM own), '[]') AS own,
      coalesce((
        SELECT json_agg(json_build_array(id::text, name) ORDER BY id) FROM departments
        WHERE ${company} AND (id = ANY(${sql.param(ids)}::bigint[]) OR name = ANY(${sql.param(named)}::text[]))), '[]')
        AS departments,
      coalesce((
        SELECT json_agg(dict_type || '/' || dict_value ORDER BY dict_type, dict_value) FROM dict_data
        WHERE (dict_type IN (SELECT dict_type FROM own) OR ${certified}::boolean AND dict_type = 'certificate_type')
          AND (company_id IS NULL OR ${company})), '[]') AS entries`);
  if (facts === undefined) throw new Error("the facts of a company are one row");
  return facts;
}
