/**
 * Which fields a company uses, in which order, and which must be filled in (docs/server.md#field-settings). Forms, lists, files and the
 * server all ask `fieldsInUse`, so that they cannot disagree. It knows no field, so that a list loads little. Pure.
 */

/** Whose fields: those of employees, or those of the company's own record. */
export const FIELD_SUBJECTS = ["employee", "company"] as const;
export type FieldSubject = (typeof FIELD_SUBJECTS)[number];

export interface FieldSetting {
  /** Of a field of the table, or `custom.<key>` of an own field. */
  readonly key: string;
  readonly used: boolean;
  readonly required: boolean;
}

const OWN = "custom.";
/** The key of an own field in settings. */
export const ownSettingKey = (key: string): string => `${OWN}${key}`;
export const isOwnSetting = ({ key }: Pick<FieldSetting, "key">): boolean => key.startsWith(OWN);

/** The setting that a field of an employee follows: the id of the department follows its name. */
const settingOf = (key: string): string => (key === "departmentId" ? "department" : key);

export interface FieldsInUse {
  /** Keys of the fields that must be filled in. */
  readonly required: readonly string[];
  /** Whether the field is in use. What is no field of the settings is. */
  uses(key: string): boolean;
  /** @param otherwise the answer for what is no field of the settings */
  requires(key: string, otherwise?: boolean): boolean;
  /** Without the fields that are not in use, in the company's order. What is no field of the settings stays behind its neighbour before it. */
  inOrder<T>(items: readonly T[], keyOf: (item: T) => string): T[];
}

/** @param settings all of a subject; none while they are unknown: everything is in use then */
export function fieldsInUse(settings: readonly FieldSetting[]): FieldsInUse {
  const byKey = new Map(settings.map((one, place) => [one.key, { ...one, place }]));
  const find = (key: string) => byKey.get(settingOf(key));
  return {
    required: settings.flatMap(({ key, used, required }) => (used && required ? [key] : [])),
    uses: (key) => find(key)?.used ?? true,
    requires(key, otherwise = false) {
      const found = find(key);
      return found === undefined ? otherwise : found.used && found.required;
    },
    inOrder(items, keyOf) {
      let before = -1;
      return items
        .map((item) => {
          const found = find(keyOf(item));
          before = found?.place ?? before;
          return { item, place: before, used: found?.used ?? true };
        })
        .filter(({ used }) => used)
        .sort((a, b) => a.place - b.place)
        .map(({ item }) => item);
    },
  };
}

/** What an ID number says of a person, so that it is not missing beside one. */
const IN_ID_NUMBER: ReadonlySet<string> = new Set(["gender", "birthday"]);
/** Whether the ID number gives the field. */
export const isInIdNumber = (key: string): boolean => IN_ID_NUMBER.has(key);
