/** The form of an employee, derived from the table of employee fields, so that a new field needs no line here. Pure. */
import {
  DEPARTMENT_MAX,
  EMAIL_MAX,
  type EmployeeField,
  employeeFields,
  VALUE_MAX,
} from "../../../shared/domain/employee-fields.ts";
import { isDay, isIdNumber, isPhone } from "../../../shared/domain/validate.ts";
import type { FormField, FormOption, FormValues } from "../../components/form/fields.ts";

export type WrongRule = "idNumber" | "phone" | "email" | "date";

interface FormNeeds {
  readonly language: "zh" | "en";
  readonly optionsOf: (dict: string) => readonly FormOption[];
  readonly wrong: Readonly<Record<WrongRule, string>>;
}

/** The department's id follows from its name, so a person enters the name alone. */
const SHOWN = employeeFields.filter(({ rule }) => rule.type !== "departmentId");

/** Dictionaries that the fields use, separated by commas. */
export const EMPLOYEE_DICTS = employeeFields
  .flatMap(({ rule }) => (rule.type === "dict" ? [rule.dict] : []))
  .join(",");

/** From this length on a text gets several lines. */
const LONG = 200;

function inputOf(rule: EmployeeField["rule"], needs: FormNeeds): Partial<FormField> {
  const { wrong } = needs;
  switch (rule.type) {
    case "text":
      return { max: rule.max, ...(rule.max >= LONG ? { input: "area" as const } : {}) };
    case "dict": {
      const allowed = rule.values;
      const options = needs
        .optionsOf(rule.dict)
        .filter(({ value }) => allowed?.includes(value) !== false && value.length <= VALUE_MAX);
      return { input: "select", options };
    }
    case "department":
      return { max: DEPARTMENT_MAX };
    case "email":
      return {
        max: EMAIL_MAX,
        check: (text) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? null : wrong.email),
      };
    case "date":
      return { input: "date", check: (text) => (isDay(text) ? null : wrong.date) };
    case "phone":
      return { check: (text) => (isPhone(text) ? null : wrong.phone) };
    case "idNumber":
      return { check: (text) => (isIdNumber(text.toUpperCase()) ? null : wrong.idNumber) };
    case "departmentId":
      return {};
  }
}

export const employeeFormFields = (needs: FormNeeds): readonly FormField[] =>
  SHOWN.map((field) => ({
    key: field.key,
    label: field[needs.language],
    // a closed choice with a fallback cannot be cleared
    required:
      field.required === true || (field.rule.type === "dict" && field.fallback !== undefined),
    ...inputOf(field.rule, needs),
  }));

/** Values of a new employee. */
export const NEW_EMPLOYEE: Readonly<Record<string, unknown>> = Object.fromEntries(
  SHOWN.map(({ key, fallback }) => [key, fallback ?? null]),
);

/** What is sent: an empty text clears a field, unless the field has a fallback and takes the text itself. */
export const employeeBody = (values: FormValues): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const field = SHOWN.find((one) => one.key === key);
      return [key, value === "" && field?.fallback === undefined ? null : value];
    }),
  );

/** Label and value of each field, for reading. */
export function employeeLines(
  employee: Readonly<Record<string, unknown>>,
  {
    language,
    labelOf,
  }: Pick<FormNeeds, "language"> & {
    readonly labelOf: (dict: string, value: string) => string;
  },
): { key: string; label: string; value: string | null }[] {
  return SHOWN.map(({ key, rule, ...names }) => {
    const value = employee[key];
    const shown = typeof value === "string" && value !== "" ? value : null;
    return {
      key,
      label: names[language],
      value: shown !== null && rule.type === "dict" ? labelOf(rule.dict, shown) : shown,
    };
  });
}
