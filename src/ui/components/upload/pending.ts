/**
 * Files of a form that are on their way (docs/session.md#uploads). Until such a file is stored, the value of its field names its upload in the
 * queue: so the draft of the form keeps it, and the field goes on with it after a reload.
 */
import type { AnyField } from "../form/kinds.ts";
import type { Values } from "../form/values.ts";

const PREFIX = "upload:";

/** @param key of the upload */
export const pendingFile = (key: string): string => PREFIX + key;

/** The key of the upload; null for the name of a stored file. */
export const pendingKey = (value: string): string | null =>
  value.startsWith(PREFIX) ? value.slice(PREFIX.length) : null;

export const isPending = (value: string): boolean => pendingKey(value) !== null;

/**
 * What is wrong with fields whose files are on their way, those in groups too: a text by the path of the field. The values are those of
 * the fields that are there.
 */
export function pendingErrors(
  fields: readonly AnyField[],
  values: Values,
  text: string,
  prefix = "",
): Readonly<Record<string, string>> {
  const wrong: Record<string, string> = {};
  for (const field of fields) {
    const value = values[field.key];
    if (field.input === "files" && (value as readonly string[] | undefined)?.some(isPending)) {
      wrong[prefix + field.key] = text;
    }
    if (field.input !== "groups") continue;
    for (const [at, group] of ((value ?? []) as readonly Values[]).entries())
      Object.assign(
        wrong,
        pendingErrors(field.fields, group, text, `${prefix}${field.key}.${at}.`),
      );
  }
  return wrong;
}

/** The keys of all uploads that the values of a form name, those in groups too. */
export const pendingKeysIn = (values: unknown): string[] =>
  [...JSON.stringify(values ?? null).matchAll(/"upload:([\w-]{1,64})"/g)].map(
    ([, key = ""]) => key,
  );
