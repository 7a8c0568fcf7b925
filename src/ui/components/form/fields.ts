/** The fields of a form: what a page declares, what is checked before sending, and where a refusal is shown. Pure. */
import { AppError } from "../../../shared/errors.ts";

export interface FormOption {
  readonly value: string;
  readonly label: string;
}

export interface FormField {
  readonly key: string;
  readonly label: string;
  /** Left out: one line of text. */
  readonly input?: "text" | "area" | "date" | "number" | "select";
  readonly options?: readonly FormOption[];
  readonly required?: boolean;
  readonly disabled?: boolean;
  /** Most characters. */
  readonly max?: number;
  readonly hint?: string;
  /** Nobody else may have the same value. It is the Chinese name of the field, with which the server begins its refusal. */
  readonly unique?: string;
  /** @returns what is wrong with a value that is not empty; null when nothing is */
  readonly check?: (value: string) => string | null;
}

/** Values by key; an empty text is no value. */
export type FormValues = Readonly<Record<string, string>>;
/** What is wrong, by key. */
export type FormErrors = Readonly<Record<string, string>>;

/** All fields with the given values, and an empty text where there is none. */
export const valuesOf = (
  fields: readonly FormField[],
  given: Readonly<Record<string, unknown>>,
): FormValues =>
  Object.fromEntries(
    fields.map(({ key }) => {
      const value = given[key];
      return [key, typeof value === "string" || typeof value === "number" ? String(value) : ""];
    }),
  );

/** The values that differ from those before. */
export const changedValues = (before: FormValues, now: FormValues): FormValues =>
  Object.fromEntries(Object.entries(now).filter(([key, value]) => value !== before[key]));

export function checkValues(
  fields: readonly FormField[],
  values: FormValues,
  missing: (label: string) => string,
): FormErrors {
  const wrong: Record<string, string> = {};
  for (const { key, label, required, disabled, check } of fields) {
    const value = (values[key] ?? "").trim();
    if (disabled === true) continue;
    const message = value === "" ? (required === true ? missing(label) : null) : check?.(value);
    if (message !== null && message !== undefined) wrong[key] = message;
  }
  return wrong;
}

export type Refusal = { readonly key: string; readonly reason: "taken" | "invalid" } | null;

/**
 * The field that a refusal of the core or of the server is about: the field that the core names, or the unique field whose value is
 * taken. Null when it is about no single field of the form.
 */
export function refusedField(error: unknown, fields: readonly FormField[]): Refusal {
  const { code, message, details } = AppError.from(error);
  if (code === "request.invalid") {
    const named = details?.["field"];
    const key = typeof named === "string" ? named.split(".").at(-1) : undefined;
    return fields.some((field) => field.key === key) && key !== undefined
      ? { key, reason: "invalid" }
      : null;
  }
  if (code !== "request.conflict") return null;
  const taken = fields.find(({ unique }) => unique !== undefined && message.startsWith(unique));
  return taken === undefined ? null : { key: taken.key, reason: "taken" };
}
