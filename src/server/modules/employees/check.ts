/** Checks of an employee that the schema cannot make: the company's own fields, departments, dictionary values. */
import { sql } from "drizzle-orm";
import { contradictions } from "../../../shared/domain/contradictions.ts";
import {
  createDepartmentFinder,
  type FoundDepartment,
  type KnownDepartment,
  wrongDepartment,
} from "../../../shared/domain/department-finder.ts";
import { completeSettings, fieldLabel } from "../../../shared/domain/field-settings.ts";
import {
  type FieldSetting,
  type FieldsInUse,
  fieldsInUse,
  isInIdNumber,
} from "../../../shared/domain/fields-in-use.ts";
import { isDay } from "../../../shared/domain/validate.ts";
import type {
  EmployeeCreate,
  EmployeeUpdate,
} from "../../../shared/protocol/rest/employee-schemas.ts";
import { isId } from "../../base/database/ids.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import type { OwnField } from "../field-settings/own-fields.ts";

export type Custom = Record<string, string | number | null>;
type Given = Partial<Omit<EmployeeCreate, "applyId">> | Omit<EmployeeUpdate, "id" | "version">;

export interface Checker {
  /** The company's own fields, as the checker read them. */
  readonly own: readonly OwnField[];
  /** The fields that the company uses. */
  readonly inUse: FieldsInUse;
  /** Everything that it read, as one text. Checkers with equal facts judge equally. */
  readonly facts: string;
  /**
   * @param was the employee before; null for a new one
   * @param refuse called for each invalid field
   */
  check(given: Given, was: Was | null, refuse: Refuse): void;
  /**
   * Asks for the common fields that the company requires: all of a new employee, and those that a change empties. The name is not among
   * them, as no employee is without one.
   */
  demand(given: Given, was: Was | null, refuse: Refuse): void;
  /** The department that the values name; undefined when they leave it as it is. Only for values that pass `check`. */
  departmentOf(given: Given, was: Was | null): InDepartment | undefined;
}

/** An employee's department. In a company without departments it is a text without an id. */
export interface InDepartment {
  readonly departmentId: string | null;
  readonly department: string | null;
}
type Was = InDepartment;
type Refuse = (field: string, message: string) => void;

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === "";

/** Whether the values leave the department as it is. An id of null without a name takes the name away. */
function isDepartmentAsBefore({ departmentId, department }: Given, was: Was | null): boolean {
  if (department === undefined) return departmentId === undefined;
  return (
    department === was?.department &&
    (departmentId === undefined || departmentId === was.departmentId)
  );
}

/**
 * Reads once everything that the rows are checked against.
 *
 * @param settings the fields that an import began with; null: those of the company
 */
export async function createChecker(
  scope: CompanyScope,
  rows: readonly Given[],
  settings: readonly FieldSetting[] | null = null,
): Promise<Checker> {
  const read = await factsFor(scope, rows);
  const facts = settings === null ? read : { ...read, settings };
  const { own, departments, entries } = facts;
  const inUse = fieldsInUse(settings ?? completeSettings("employee", facts.settings, own));
  const demanded = inUse.required.filter((key) => key !== "name" && !key.startsWith(OWN));
  const names = new Map(departments.map(({ id, name }) => [id, name.split("/").at(-1) ?? name]));
  const finder = createDepartmentFinder(departments, facts.company);
  const found = new Map<string, FoundDepartment>();
  /** Many rows of a file name the same one. */
  const find = (text: string): FoundDepartment => {
    const known = found.get(text) ?? finder.find(text);
    found.set(text, known);
    return known;
  };
  const values = new Set(entries);
  /** The text by which the values name a department; null when they name it by its id, or as it was. */
  const departmentText = (given: Given, was: Was | null): string | null =>
    typeof given.departmentId === "string" || isDepartmentAsBefore(given, was)
      ? null
      : given.department || null;

  const wrongOwn = ({ type, dictType }: OwnField, value: string | number): string | null => {
    if (type === "number") return typeof value === "number" ? null : "应为数字";
    if (typeof value !== "string") return "应为文本";
    if (type === "date") return isDay(value) ? null : "应为日期 YYYY-MM-DD";
    if (type === "dict") return values.has(`${dictType}/${value}`) ? null : "字典中没有这个值";
    return null;
  };

  return {
    own,
    inUse,
    facts: JSON.stringify(facts),
    check(given, was, refuse) {
      if (typeof given.departmentId === "string" && !names.has(given.departmentId)) {
        refuse("departmentId", "没有这个部门");
      }
      const text = departmentText(given, was);
      if (text !== null && departments.length > 0) {
        const department = find(text);
        if (!("id" in department)) refuse("department", wrongDepartment(text, department));
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
          if (inUse.requires(`${OWN}${key}`)) refuse(`custom.${key}`, "必填");
        } else {
          const wrong = wrongOwn(field, value);
          if (wrong !== null) refuse(`custom.${key}`, wrong);
        }
      }
      if (was !== null) return;
      for (const { key } of own) {
        if (inUse.requires(`${OWN}${key}`) && !Object.hasOwn(custom, key)) {
          refuse(`custom.${key}`, "必填");
        }
      }
    },
    demand(given, was, refuse) {
      const values: Readonly<Record<string, unknown>> = given;
      for (const key of demanded) {
        const names = key === "department" ? [key, "departmentId"] : [key];
        if (names.some((name) => !isBlank(values[name]))) continue;
        const isLeftOut = names.every((name) => values[name] === undefined);
        if (isLeftOut && (was !== null || (isInIdNumber(key) && !isBlank(given.idNumber))))
          continue;
        refuse(key, `请填写${fieldLabel(key, "zh", own) ?? key}`);
      }
    },
    departmentOf(given, was) {
      if (isDepartmentAsBefore(given, was)) return undefined;
      const inOne = (id: string): InDepartment => ({
        departmentId: id,
        department: names.get(id) ?? null,
      });
      if (typeof given.departmentId === "string") return inOne(given.departmentId);
      const text = departmentText(given, was);
      const named = text === null ? null : find(text);
      return named !== null && "id" in named
        ? inOne(named.id)
        : { departmentId: null, department: text };
    },
  };
}

const OWN = "custom.";

interface Facts extends Record<string, unknown> {
  readonly own: readonly OwnField[];
  /** What the company set up of the fields of employees. */
  readonly settings: readonly FieldSetting[];
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
      coalesce((SELECT fields FROM field_settings WHERE ${company} AND subject = 'employee'), '[]') AS settings,
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
