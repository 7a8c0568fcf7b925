/** The fields of a form: what a page declares, what is checked before sending, and where a refusal is shown. Pure. */
import type { ReactNode } from "react";
import { AppError } from "../../../shared/errors.ts";
import { z } from "../../../shared/zod.ts";

export interface FormOption {
  readonly value: string;
  readonly label: string;
}

/** What a control of a page's own gets. */
export interface ControlProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly invalid: boolean;
  /** Id of the note below the control. */
  readonly describedBy: string | undefined;
}

export interface FormField {
  readonly key: string;
  readonly label: string;
  /** Left out: one line of text. */
  readonly input?: "text" | "area" | "date" | "number" | "password" | "select";
  readonly options?: readonly FormOption[];
  /** Replaces the input, and takes the whole width. */
  readonly control?: (props: ControlProps) => ReactNode;
  /** Of a select: the options can be searched by what they are called. */
  readonly search?: boolean;
  readonly required?: boolean;
  readonly disabled?: boolean;
  /** Most characters. */
  readonly max?: number;
  readonly hint?: string;
  /** @returns what is wrong with a value that is not empty; null when nothing is */
  readonly check?: (value: string, values: FormValues) => string | null;
  /** @returns what a person should look at in a value that is not empty; it can be saved all the same */
  readonly warn?: (value: string, values: FormValues) => string | null;
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
    const message =
      value === "" ? (required === true ? missing(label) : null) : check?.(value, values);
    if (message !== null && message !== undefined) wrong[key] = message;
  }
  return wrong;
}

/** The warning of a field; null when there is none, or no value. */
export function warningOf({ key, warn }: FormField, values: FormValues): string | null {
  const value = (values[key] ?? "").trim();
  return value === "" ? null : (warn?.(value, values) ?? null);
}

export type Refusal = { readonly key: string; readonly reason: "taken" | "invalid" } | null;

/** Codes of refusals that name fields. */
const REASONS: Readonly<Record<string, "taken" | "invalid">> = {
  "request.conflict": "taken",
  "request.invalid": "invalid",
};
const fieldsSchema = z.record(z.string(), z.unknown()).catch({});

/** The first field that a refusal of the core or of the server names. Null when it names no field of the form. */
export function refusedField(error: unknown, fields: readonly FormField[]): Refusal {
  const { code, details } = AppError.from(error);
  const reason = REASONS[code];
  if (reason === undefined) return null;
  const paths = [details?.["field"], ...Object.keys(fieldsSchema.parse(details?.["fields"]))];
  const named = paths.map((path) => String(path).split(".").at(-1));
  const found = fields.find(({ key }) => named.includes(key));
  return found === undefined ? null : { key: found.key, reason };
}
