/**
 * The fields that a company requires of its employees, asked of who joins by an invitation (docs/server.md#invitations): all that neither
 * the form of the invitation nor the invitation itself gives.
 */
import { sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { readDay } from "../../../shared/domain/days.ts";
import { fieldLabel } from "../../../shared/domain/field-settings.ts";
import {
  type EmployeeField,
  employeeFields,
  DEPARTMENT_MAX,
  EMAIL_MAX,
  VALUE_MAX,
} from "../../../shared/domain/employee-fields.ts";
import { isInIdNumber } from "../../../shared/domain/fields-in-use.ts";
import { readIdNumber } from "../../../shared/domain/validate.ts";
import { employeeCreateSchema } from "../../../shared/protocol/rest/employee-schemas.ts";
import type { employees } from "../../base/database/schema/base.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { createChecker, type Custom } from "./check.ts";
import { conflict, type Fields, invalid, kept, refuseTaken } from "./rows.ts";

export interface AskedField {
  /** Name on the wire, or `custom.<key>` of an own field. */
  readonly key: string;
  readonly zh: string;
  readonly en: string;
  readonly kind: "text" | "date" | "phone" | "email" | "number" | "choice";
  readonly max: number;
  /** Of a choice: the entries of its dictionary. */
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

/** What the joiner filled in: columns of the employee by their names, and own fields. */
export type JoinerAnswers = Readonly<Record<string, unknown>> & { readonly custom?: Custom };

type EmployeeRow = typeof employees.$inferSelect;
interface Known {
  readonly position: string | null;
  /** The employee record that an import created for the person; null: there is none yet. */
  readonly employee: EmployeeRow | null;
}

const OWN = "custom.";
/** An own text takes as much as a remark. */
const OWN_MAX = 500;
/**
 * Fields that are not asked for here. The form always has name and phone. The inviter chooses the department, so that a link does not show
 * the company's departments. The server sets the status.
 */
const NEVER = new Set(["name", "phone", "department", "departmentId", "status"]);
const KINDS = {
  text: "text",
  idNumber: "text",
  phone: "phone",
  email: "email",
  date: "date",
  dict: "choice",
  department: "text",
  departmentId: "text",
} as const;

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === "";

const maxOf = ({ rule }: EmployeeField): number => {
  if (rule.type === "text") return rule.max;
  return rule.type === "email" ? EMAIL_MAX : Math.max(VALUE_MAX, DEPARTMENT_MAX);
};

/** @returns the fields in the company's order */
export async function askedFields(scope: CompanyScope, known: Known): Promise<AskedField[]> {
  const { own, inUse } = await createChecker(scope, []);
  const has: Readonly<Record<string, unknown>> = known.employee ?? { position: known.position };
  const custom = known.employee?.custom ?? {};
  const isMissing = (key: string): boolean =>
    isBlank(key.startsWith(OWN) ? custom[key.slice(OWN.length)] : has[key]);
  const missing = inUse.required.filter((key) => !NEVER.has(key) && isMissing(key));
  const saysIdNumber = missing.includes("idNumber") || !isMissing("idNumber");
  const asked = missing.filter((key) => !(saysIdNumber && isInIdNumber(key)));
  const found = asked.flatMap((key): (AskedField & { readonly dict: string | null })[] => {
    const labels = { zh: fieldLabel(key, "zh", own) ?? key, en: fieldLabel(key, "en", own) ?? key };
    const ownField = own.find((one) => `${OWN}${one.key}` === key);
    if (ownField !== undefined) {
      const kind = ownField.type === "dict" ? "choice" : ownField.type;
      return [{ key, ...labels, kind, max: OWN_MAX, choices: [], dict: ownField.dictType }];
    }
    const field = employeeFields.find((one) => one.key === key);
    if (field === undefined) return [];
    const dict = field.rule.type === "dict" ? field.rule.dict : null;
    return [{ key, ...labels, kind: KINDS[field.rule.type], max: maxOf(field), choices: [], dict }];
  });
  const dicts = found.flatMap(({ dict }) => dict ?? []);
  const entries = dicts.length === 0 ? [] : await entriesOf(scope, dicts);
  return found.map(({ dict, ...field }) => ({
    ...field,
    choices: entries.filter((one) => one.type === dict),
  }));
}

const entriesOf = (scope: CompanyScope, dicts: readonly string[]) =>
  scope.sql<{ type: string; value: string; label: string }>(sql`
    SELECT type, value, label FROM (
      SELECT DISTINCT ON (dict_type, dict_value) dict_type AS type, dict_value AS value, dict_label AS label, dict_sort AS sort
      FROM dict_data
      WHERE dict_type = ANY(${sql.param([...dicts])}::text[]) AND status = '0' AND (company_id IS NULL OR company_id = ${scope.companyId}::bigint)
      ORDER BY dict_type, dict_value, company_id NULLS LAST
    ) e ORDER BY type, sort, value`);

/** The name of an answer's input, and of the field in a refusal. */
export const answerName = (key: string): string => `more.${key}`;

/** A refusal of fields of an employee, at the inputs of their answers. */
function atAnswers(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  const fields = Object.entries((error.details?.["fields"] ?? {}) as Fields);
  throw conflict(
    error.message,
    Object.fromEntries(fields.map(([key, message]) => [answerName(key), message])),
  );
}

const CHINESE = /\p{Script=Han}/u;
const schema = employeeCreateSchema.partial();

/**
 * @param given texts by the keys of the fields; what is not asked for is ignored
 * @throws AppError request.invalid at the fields that are missing or wrong, request.conflict for a number of another employee
 */
export async function readAnswers(
  scope: CompanyScope,
  known: Known,
  given: Readonly<Record<string, string>>,
): Promise<JoinerAnswers> {
  const asked = await askedFields(scope, known);
  if (asked.length === 0) return {};
  const wrong: Fields = {};
  const refuse = (key: string, message: string): void => {
    wrong[answerName(key)] ??= message;
  };
  const texts: Record<string, string> = {};
  const custom: Custom = {};
  for (const { key, zh, kind, choices } of asked) {
    const text = (given[key] ?? "").trim();
    const own = key.startsWith(OWN) ? key.slice(OWN.length) : null;
    if (text === "") refuse(key, `请填写${zh}`);
    else if (kind === "choice" && choices.every(({ value }) => value !== text)) {
      refuse(key, "字典中没有这个值");
    } else if (own === null) texts[key] = text;
    // a text that is no number is refused by the check
    else if (kind === "date") custom[own] = readDay(text) ?? text;
    else custom[own] = kind === "number" && !Number.isNaN(Number(text)) ? Number(text) : text;
  }
  const parsed = schema.safeParse({ ...texts, custom });
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) {
      const key = path.join(".");
      const isEmail = asked.some((one) => one.key === key && one.kind === "email");
      // zod's own words are English
      const words = isEmail ? "电子邮箱格式不正确" : "内容不正确";
      refuse(key, CHINESE.test(message) ? message : words);
    }
    throw invalid(wrong);
  }
  const { applyId: _, ...values } = parsed.data;
  const checker = await createChecker(scope, [values]);
  checker.check(values, { departmentId: null, department: null }, refuse);
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  await refuseTaken(scope, values, known.employee?.id ?? null).catch(atAnswers);
  const { idNumber } = values;
  const said = typeof idNumber === "string" ? readIdNumber(idNumber) : {};
  return { ...said, ...values, custom: kept(values.custom ?? {}) };
}

type Values = Readonly<Record<string, unknown>> & { readonly custom: Custom };

/**
 * The answers that an employee has nothing for yet: what the company wrote down stays.
 *
 * @param was the employee; null for a new one
 */
export function newAnswers(
  was: Values | null,
  { custom = {}, ...answers }: JoinerAnswers,
): JoinerAnswers {
  const fresh = Object.entries(answers).filter(([key]) => isBlank(was?.[key]));
  return { ...Object.fromEntries(fresh), custom: { ...custom, ...was?.custom } };
}
