/** Where a refusal of the server is shown. Pure. */
import type { AppError } from "../../../shared/errors.ts";
import type { RegisterField, RegisterKey } from "./fields.ts";

/** The names of the fields that a refusal of the server names. */
export function refusedNames(error: AppError): readonly string[] {
  const refused = error.details?.["fields"];
  return typeof refused === "object" && refused !== null ? Object.keys(refused) : [];
}

/** The first of these fields that a refusal names. */
export function refusedKey(
  error: AppError,
  fields: readonly RegisterField[],
): RegisterKey | undefined {
  const named = refusedNames(error);
  return fields.find(({ key }) => named.includes(key))?.key;
}
