/** Fields whose files are on their way, so that the form cannot be saved yet. */
import { isPending } from "../upload/pending.ts";
import type { AnyField } from "./kinds.ts";
import type { Values } from "./values.ts";

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
