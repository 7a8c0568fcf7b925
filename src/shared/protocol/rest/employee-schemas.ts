/** What may be written of an employee, and what one shows; both derive from the catalogue of fields (domain/employee-fields.ts). */
import { z } from "../../zod.ts";
import { isInvisible } from "../../domain/text-marks.ts";
import {
  DEPARTMENT_MAX,
  EMAIL_MAX,
  type EmployeeField,
  type EmployeeFieldKey,
  type EmployeeFieldOf,
  employeeFields,
  VALUE_MAX,
} from "../../domain/employee-fields.ts";
import { unfitValue, type ValueRule, valueOr } from "../../domain/employee-values.ts";
import { isDay, isIdNumber } from "../../domain/validate.ts";
import { hasNoNul, NUL_MESSAGE } from "./call.ts";
import { versionSchema } from "./conflict.ts";
import { customValuesSchema, employeeSchema, idSchema } from "./entities.ts";

/** A text without NUL, trimmed. */
export const textOf = (max: number) => z.string().trim().max(max).refine(hasNoNul, NUL_MESSAGE);
/** null or an empty text clears the field. */
export const optionalTextOf = (max: number) =>
  textOf(max)
    .transform((value) => (value === "" ? null : value))
    .nullish();
// Patterns beside the refine rules, so that the OpenAPI contract shows what is accepted.
const DAY_PATTERN = /^(19|20|21)\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const PHONE_PATTERN = /^(1[3-9]\d{9}|0\d{2,3}-?\d{7,8})$/;
export const daySchema = z
  .string()
  .regex(DAY_PATTERN, "日期格式应为 YYYY-MM-DD")
  .refine(isDay, "日期不存在");
/**
 * Reads a text as the check of an import does (domain/employee-values.ts); what follows refuses a text that it cannot read. The rule
 * of a field decides, so no call has a rule of its own.
 */
const readAs = (rule: ValueRule) =>
  z.string().overwrite((text) => (isInvisible(text) ? text.trim() : valueOr(rule, text)));
/** Like `readAs`, and also refuses NUL, other signs that belong in no such text, and texts that are too long. */
const textAs = (rule: ValueRule, max: number) =>
  readAs(rule)
    .max(max)
    .refine(hasNoNul, NUL_MESSAGE)
    .superRefine((text, context) => {
      const unfit = hasNoNul(text) ? unfitValue(rule, text) : null;
      if (unfit !== null) context.addIssue({ code: "custom", message: unfit.wrong.message });
    });
/** Like `textAs`. null or an empty text clears the field. */
const optionalAs = (rule: ValueRule, max: number) =>
  textAs(rule, max)
    .transform((value) => (value === "" ? null : value))
    .nullish();

/** Longest text of one of the company's own fields. */
const OWN_MAX = 500;
/** Values of the company's own fields by key: a text, a number, a day or a dictionary's value; null for none. */
const customSchema = z.record(
  z.string().regex(/^[a-z][a-zA-Z0-9]{0,31}$/),
  z.union([textAs({ type: "text", max: OWN_MAX }, OWN_MAX), z.number(), z.null()]),
);

type Fields = EmployeeFieldOf<EmployeeFieldKey>;
type Both<T> = z.ZodType<T, T>;
type ValueOf<F> = F extends { rule: { values: readonly (infer V)[] } } ? V : string;
type InputOf<F> = F extends { required: true }
  ? Both<string>
  : z.ZodOptional<Both<F extends { fallback: string } ? ValueOf<F> : ValueOf<F> | null>>;

/** What may be written. An optional field can be cleared by null, unless it has a fallback. */
function inputOf({ rule, required, fallback }: EmployeeField): z.ZodType {
  const cleared = (schema: z.ZodType): z.ZodType =>
    fallback === undefined ? schema.nullish() : schema.optional();
  switch (rule.type) {
    case "text":
      if (required === true) {
        return textAs(rule, rule.max)
          .min(1)
          .refine((value) => !isInvisible(value), "没有看得见的字");
      }
      return fallback === undefined
        ? optionalAs(rule, rule.max)
        : textAs(rule, rule.max).optional();
    case "dict":
      // gender: derived from the id card number when left out
      return rule.values === undefined ? optionalTextOf(VALUE_MAX) : cleared(z.enum(rule.values));
    case "department":
      return optionalAs(rule, DEPARTMENT_MAX);
    case "departmentId":
      // A department of the company's tree; `department` is then set to its name.
      return cleared(idSchema);
    case "date":
      return cleared(
        readAs(rule).regex(DAY_PATTERN, "日期格式应为 YYYY-MM-DD").refine(isDay, "日期不存在"),
      );
    case "phone":
      return cleared(readAs(rule).regex(PHONE_PATTERN, "电话号码不正确"));
    case "idNumber":
      return cleared(readAs(rule).refine(isIdNumber, "身份证号不正确"));
    case "email":
      return cleared(readAs(rule).email().max(EMAIL_MAX).refine(hasNoNul, NUL_MESSAGE));
  }
}
// A record of all fields; `fromEntries` forgets which field has which schema.
const inputs = Object.fromEntries(
  employeeFields.map((field) => [field.key, inputOf(field)]),
) as unknown as { readonly [F in Fields as F["key"]]: InputOf<F> };

const writable = { ...inputs, custom: customSchema.optional() };
export const employeeName = inputs.name;

export const employeeCreateSchema = z.object({
  ...writable,
  /** The application that this employee is created from; creating the employee approves it. */
  applyId: idSchema.optional(),
});
export type EmployeeCreate = z.output<typeof employeeCreateSchema>;

/** Fields that are left out stay unchanged. */
export const employeeUpdateSchema = z.object({
  id: idSchema,
  /** The one that the writer saw. */
  version: versionSchema,
  ...writable,
  name: employeeName.optional(),
});
export type EmployeeUpdate = z.output<typeof employeeUpdateSchema>;

type AnswerOf<F> = F extends {
  rule: { values: readonly (infer V)[]; without: readonly (infer W)[] };
}
  ? Both<V | W>
  : F extends { required: true } | { fallback: string }
    ? Both<string>
    : Both<string | null>;

/** What an employee shows. A value of a dictionary that is derived from other facts is one of a closed list. */
function answerOf({ rule, required, fallback }: EmployeeField): z.ZodType {
  const value = rule.type === "departmentId" ? idSchema : z.string();
  if (rule.type === "dict" && rule.values !== undefined && rule.without !== undefined) {
    return z.enum([...rule.values, ...rule.without]);
  }
  return required === true || fallback !== undefined ? value : value.nullable();
}
// As `inputs`.
const answers = Object.fromEntries(
  employeeFields.map((field) => [field.key, answerOf(field)]),
) as unknown as { readonly [F in Fields as F["key"]]: AnswerOf<F> };

export const employeeDetailSchema = employeeSchema.extend({
  ...answers,
  custom: customValuesSchema,
  dimissionDate: z.string().nullable(),
  dimissionReason: z.string().nullable(),
  /** The bound account cannot log in. Left out by a platform without the call. */
  accountDisabled: z.boolean().optional(),
  version: versionSchema,
  createTime: z.string(),
  updateTime: z.string(),
});
export type EmployeeDetail = z.infer<typeof employeeDetailSchema>;
