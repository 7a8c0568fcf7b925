/** The fields that a column of a file can fill: their names, the headers people use, and the rule for their texts. */
import type { ImportContext } from "../protocol/rest/imports.ts";
import { employeeFields, type EmployeeRule } from "./employee-fields.ts";
import { type FieldSetting, fieldsInUse, isInIdNumber } from "./fields-in-use.ts";

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

interface Known {
  readonly ownFields: readonly Readonly<ImportContext["ownFields"][number]>[];
  readonly fields?: readonly FieldSetting[] | undefined;
}

/** The fields that the company uses, in its order behind the name; its own fields as `custom.<key>`. */
export function allFields(context: Known): readonly ImportFieldInfo[] {
  const inUse = fieldsInUse(context.fields ?? []);
  const used = inUse
    .inOrder(everyField(context), ({ key }) => key)
    .map(({ required = false, ...field }): ImportFieldInfo => ({
      ...field,
      ...(inUse.requires(field.key, required) ? { required: true as const } : {}),
    }));
  const isFirst = ({ key }: ImportFieldInfo): boolean => key === "name";
  return [...used.filter(isFirst), ...used.filter((field) => !isFirst(field))];
}

/** The fields that the company does not use. A column of theirs is left out. */
export function unusedFields(context: Known): readonly ImportFieldInfo[] {
  const inUse = fieldsInUse(context.fields ?? []);
  return everyField(context).filter(({ key }) => !inUse.uses(key));
}

/** The fields that columns of a file fill. With a column of ID numbers, the fields that an ID number holds are optional. */
export function mappedFields(
  mapping: readonly (string | null)[],
  context: Known,
): { readonly column: number; readonly field: ImportFieldInfo }[] {
  const fields = new Map(allFields(context).map((field) => [field.key, field]));
  const hasIdNumbers = mapping.includes("idNumber");
  return mapping.flatMap((key, column) => {
    const field = key === null ? undefined : fields.get(key);
    if (field === undefined) return [];
    if (!hasIdNumbers || !isInIdNumber(field.key)) return [{ column, field }];
    // The server refuses a row that has neither.
    const { required: _, ...optional } = field;
    return [{ column, field: optional }];
  });
}

/** Keys of the required fields that no column fills. With a column of ID numbers, the fields that an ID number holds are not required. */
export const missingFields = (
  fields: readonly { readonly key: string; readonly required?: boolean }[],
  filled: { readonly has: (key: string) => boolean },
): string[] =>
  fields.flatMap(({ key, required }) =>
    required === true && !filled.has(key) && !(filled.has("idNumber") && isInIdNumber(key))
      ? [key]
      : [],
  );

/** The common fields and the company's own ones. */
function everyField(context: Pick<Known, "ownFields">): readonly ImportFieldInfo[] {
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
