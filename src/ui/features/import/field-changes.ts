/** What a change of the company's fields means for a file that is open (docs/import.md#field-settings). Pure. */
import {
  allFields,
  type ImportFieldInfo,
  missingFields,
} from "../../../shared/domain/import-fields.ts";

type Context = Parameters<typeof allFields>[0];

/** Keys of fields. */
export interface FieldChanges {
  /** Fields that columns fill and that the company no longer uses. */
  readonly gone: readonly string[];
  /** Fields that must be filled in now. */
  readonly demanded: readonly string[];
  /** Fields that a column can fill now. */
  readonly added: readonly string[];
  /** The server would refuse what the file brings: the fields must be read again before it is sent. */
  readonly mustAdopt: boolean;
}

/**
 * @param was the fields that the file was opened with
 * @param now those of the company
 * @param mapping per column: the field that the person chose
 * @returns null when nothing changed that an import would notice
 */
export function fieldChanges(
  was: Context,
  now: Context,
  mapping: readonly (string | null)[],
): FieldChanges | null {
  const [before, after] = [byKey(was), byKey(now)];
  const filled = new Set(mapping);
  const gone = [...before.values()].filter(({ key }) => filled.has(key) && !after.has(key));
  const demanded = [...after.values()].filter(
    ({ key, required }) => required === true && before.get(key)?.required !== true,
  );
  const added = [...after.values()].filter(({ key }) => !before.has(key));
  if (gone.length + demanded.length + added.length === 0) return null;
  const lacked = new Set(missingFields(demanded, filled));
  return {
    gone: gone.map(keyOf),
    demanded: demanded.map(keyOf),
    added: added.map(keyOf),
    mustAdopt: gone.length > 0 || demanded.some(({ key }) => filled.has(key) || lacked.has(key)),
  };
}

const byKey = (context: Context): ReadonlyMap<string, ImportFieldInfo> =>
  new Map(allFields(context).map((field) => [field.key, field]));
const keyOf = ({ key }: ImportFieldInfo): string => key;
