/** The fields that a column of a file can fill: their names, the headers people use, and the rule for their texts. */
import type { ImportContext } from "../protocol/rest/imports.ts";
import { employeeFields, type EmployeeRule } from "./employee-fields.ts";

export type ImportRule =
  | Exclude<EmployeeRule, { readonly type: "dict" }>
  | Pick<Extract<EmployeeRule, { readonly type: "dict" }>, "type" | "dict" | "without">
  | { readonly type: "number" };

export interface ImportFieldInfo {
  readonly key: string;
  readonly label: string;
  /** Other headers for the field, in lower case without spaces. */
  readonly synonyms: readonly string[];
  readonly rule: ImportRule;
  readonly required?: true;
  /** No other current employee may have the same value. */
  readonly unique?: true;
}

const common = employeeFields.flatMap(
  ({ key, zh, synonyms, rule, required, unique }): readonly ImportFieldInfo[] =>
    synonyms === undefined
      ? []
      : [
          {
            key,
            label: zh,
            synonyms: synonyms.split(" "),
            rule,
            ...(required === true && { required }),
            ...(unique === true && { unique }),
          },
        ],
);
/** Required fields first. `departmentId` has no column: a department's name is converted to it. */
export const IMPORT_FIELDS: readonly ImportFieldInfo[] = [
  ...common.filter(({ required }) => required === true),
  ...common.filter(({ required }) => required !== true),
];

/** The common fields and the company's own fields, the latter as `custom.<key>`. */
export function allFields(context: Pick<ImportContext, "ownFields">): readonly ImportFieldInfo[] {
  const own = context.ownFields.map(
    ({ key, label, type, dictType, required }): ImportFieldInfo => ({
      key: `custom.${key}`,
      label,
      synonyms: [key.toLowerCase()],
      rule:
        type === "dict"
          ? { type: "dict", dict: dictType ?? "" }
          : type === "text"
            ? { type: "text", max: 500 }
            : { type },
      ...(required ? { required: true as const } : {}),
    }),
  );
  return [...IMPORT_FIELDS, ...own];
}
