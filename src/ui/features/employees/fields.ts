/** The form of an employee, derived from the table of employee fields, so that a new field needs no line here. Pure. */
import {
  DEPARTMENT_MAX,
  EMAIL_MAX,
  type EmployeeField,
  employeeFields,
  VALUE_MAX,
} from "../../../shared/domain/employee-fields.ts";
import type { FieldsInUse } from "../../../shared/domain/fields-in-use.ts";
import type { AnyField, FormField, FormOption, TreeNode } from "../../components/form/kinds.ts";
import type { FieldValue, Values } from "../../components/form/values.ts";
import type { FormRules } from "./form-rules.ts";
import {
  isOwnKey,
  ownBody,
  type OwnField,
  ownFormField,
  ownKey,
  ownText,
  type OwnValues,
} from "../fields/own-fields.ts";

export type WrongRule = "idNumber" | "phone" | "email" | "date" | "sign" | "contradiction";

interface FormNeeds {
  readonly language: "zh" | "en";
  readonly optionsOf: (dict: string) => readonly FormOption[];
  readonly wrong: Readonly<Record<WrongRule, string>>;
  /** The company's own fields. */
  readonly own: readonly OwnField[];
  /** The fields that the company uses. */
  readonly inUse: FieldsInUse;
  /** Departments of the company. Without any, a department is a text. */
  readonly departments?: readonly TreeNode[];
  /** YYYY-MM-DD, to warn of days that can hardly be true. Left out: without such warnings. */
  readonly today?: string;
  /** null while they are loaded. */
  readonly rules: FormRules | null;
}

/** The department's id and its name are one field of the form. */
const SHOWN = employeeFields.filter(({ rule }) => rule.type !== "departmentId");
const DEPARTMENT_ID = "departmentId";

/** From this length on a text gets several lines. */
const LONG = 200;

function inputOf(rule: EmployeeField["rule"], needs: FormNeeds): Partial<FormField> {
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
    case "department": {
      return { max: DEPARTMENT_MAX };
    }
    case "email":
      return { max: EMAIL_MAX };
    case "date":
      return { input: "date" };
    case "phone":
    case "idNumber":
    case "departmentId":
      return {};
  }
}

/** What the rules say of a value, once they are loaded. Until then the server alone judges. */
function judged(field: EmployeeField, needs: FormNeeds): Partial<FormField> {
  const { rules, today = null } = needs;
  if (rules === null) return {};
  const { type } = field.rule;
  return {
    check: (text, values) => {
      const wrong = rules.wrong(field, text, values);
      if (wrong === "contradiction" || wrong === "sign") return needs.wrong[wrong];
      return wrong !== null && isWorded(type) ? needs.wrong[type] : null;
    },
    warn: (text, values) => rules.warning(field, text, values, today),
  };
}
const WORDED = ["idNumber", "phone", "email", "date"] as const;
const isWorded = (type: string): type is (typeof WORDED)[number] =>
  (WORDED as readonly string[]).includes(type);

function commonFormField(field: EmployeeField, needs: FormNeeds): AnyField {
  const label = field[needs.language];
  const required =
    needs.inUse.requires(field.key, field.required) ||
    // a closed choice with a fallback cannot be cleared
    (field.rule.type === "dict" && field.fallback !== undefined);
  const { departments: nodes = [] } = needs;
  // A choice among the company's departments, by id, takes the place of the text.
  if (field.rule.type === "department" && nodes.length > 0)
    return { key: DEPARTMENT_ID, label, required, input: "tree", nodes };
  return {
    key: field.key,
    label,
    required,
    ...inputOf(field.rule, needs),
    ...judged(field, needs),
  };
}

export const employeeFormFields = (needs: FormNeeds): readonly AnyField[] =>
  needs.inUse.inOrder(
    [
      ...SHOWN.map((field) => commonFormField(field, needs)),
      ...needs.own.map((field) => ownFormField(field, needs)),
    ],
    ({ key }) => key,
  );

/** Values of a new employee. */
export const NEW_EMPLOYEE: Readonly<Record<string, unknown>> = Object.fromEntries(
  SHOWN.map(({ key, fallback }) => [key, fallback ?? null]),
);

const keptValue = (key: string, value: FieldValue): FieldValue => {
  const field = SHOWN.find((one) => one.key === key);
  return value === "" && field?.fallback === undefined ? null : value;
};

/** What is sent: an empty text clears a field, unless the field has a fallback and takes the text itself. */
export function employeeBody(
  values: Values,
  own: readonly OwnField[],
): Readonly<Record<string, unknown>> {
  const common = Object.entries(values).filter(([key]) => !isOwnKey(key));
  const custom = ownBody(values, own);
  return {
    ...Object.fromEntries(common.map(([key, value]) => [key, keptValue(key, value)])),
    ...(Object.keys(custom).length > 0 ? { custom } : {}),
  };
}

export interface EmployeeLine {
  readonly key: string;
  readonly label: string;
  readonly value: string | null;
  /** The entry of a dictionary that the value is. */
  readonly dict: { readonly type: string; readonly value: string } | null;
}

/** Label and value of each field in use, for reading. */
export function employeeLines(
  employee: Readonly<Record<string, unknown>> & { readonly custom: OwnValues },
  {
    language,
    labelOf,
    own,
    inUse,
  }: Pick<FormNeeds, "language" | "own" | "inUse"> & {
    readonly labelOf: (dict: string, value: string) => string;
  },
): EmployeeLine[] {
  const common = SHOWN.map(({ key, rule, ...names }) => {
    const value = employee[key];
    const shown = typeof value === "string" && value !== "" ? value : null;
    const dict = shown !== null && rule.type === "dict" ? { type: rule.dict, value: shown } : null;
    return {
      key,
      label: names[language],
      value: dict === null ? shown : labelOf(dict.type, dict.value),
      dict,
    };
  });
  const others = own.map((field) => {
    const value = employee.custom[field.key] ?? "";
    const { dictType } = field;
    return {
      key: ownKey(field.key),
      label: field.label,
      value: ownText(field, employee.custom, labelOf),
      dict: dictType === null || value === "" ? null : { type: dictType, value: String(value) },
    };
  });
  return inUse.inOrder([...common, ...others], ({ key }) => key);
}
