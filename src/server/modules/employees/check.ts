/** Checks of an employee that the schema cannot make: the company's own fields, departments, dictionary values. */
import { sql } from "drizzle-orm";
import { contradictions } from "../../../shared/domain/contradictions.ts";
import {
  createDepartmentFinder,
  type KnownDepartment,
} from "../../../shared/domain/department-finder.ts";
import { isDay } from "../../../shared/domain/validate.ts";
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
  /** Id of the only department that a text names, by its name or path. */
  departmentOf(text: string): string | undefined;
}

/** Reads once everything that the rows are checked against. */
export async function createChecker(scope: CompanyScope, rows: readonly Given[]): Promise<Checker> {
  const facts = await factsFor(scope, rows);
  const { own, departments, entries } = facts;
  const names = new Map(departments.map(({ id, name }) => [id, name.split("/").at(-1) ?? name]));
  const finder = createDepartmentFinder(departments, facts.company);
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
      for (const { field, message, warning } of contradictions(given)) {
        if (warning !== true) refuse(field, message);
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
    departmentOf(text) {
      if (text === "") return undefined;
      const found = finder.find(text);
      return "id" in found ? found.id : undefined;
    },
  };
}

interface Facts extends Record<string, unknown> {
  readonly own: readonly OwnField[];
  /** Departments with their paths: all of the company when a row names one by a text, else those whose ids are given. */
  readonly departments: readonly KnownDepartment[];
  readonly company: string;
  /** `<type>/<value>` of the dictionaries that the rows name. */
  readonly entries: readonly string[];
}

/** One statement: an import asks for them with every chunk. */
async function factsFor(scope: CompanyScope, rows: readonly Given[]): Promise<Facts> {
  const ids = [...new Set(rows.map((row) => row.departmentId ?? "").filter(isId))];
  const named = rows.some((row) => typeof row.department === "string");
  const certified = rows.some((row) => typeof row.certificateType === "string");
  const company = sql`company_id = ${scope.companyId}::bigint`;
  const [facts] = await scope.sql<Facts>(sql`
    WITH RECURSIVE own AS (SELECT * FROM company_fields WHERE ${company}),
    tree AS (
      SELECT id, name, 1 AS depth FROM departments WHERE ${company} AND parent_id IS NULL AND ${named}::boolean
      UNION ALL
      SELECT d.id, t.name || '/' || d.name, t.depth + 1 FROM departments d JOIN tree t ON d.parent_id = t.id
      WHERE d.${company} AND t.depth < 20
    ),
    known AS (
      SELECT id, name FROM tree
      UNION ALL
      SELECT id, name FROM departments WHERE ${company} AND NOT ${named}::boolean AND id = ANY(${sql.param(ids)}::bigint[])
    )
    SELECT coalesce((
        SELECT json_agg(json_build_object('key', key, 'label', label, 'type', type, 'dictType', dict_type,
          'required', required) ORDER BY sort, id) FROM own), '[]') AS own,
      coalesce((
        SELECT json_agg(json_build_object('id', id::text, 'name', name) ORDER BY id) FROM known), '[]') AS departments,
      (SELECT name FROM companies WHERE id = ${scope.companyId}::bigint) AS company,
      coalesce((
        SELECT json_agg(dict_type || '/' || dict_value ORDER BY dict_type, dict_value) FROM dict_data
        WHERE (dict_type IN (SELECT dict_type FROM own) OR ${certified}::boolean AND dict_type = 'certificate_type')
          AND (company_id IS NULL OR ${company})), '[]') AS entries`);
  if (facts === undefined) throw new Error("the facts of a company are one row");
  return facts;
}
