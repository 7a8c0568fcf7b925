/** The fields of a form: what they begin with, what is checked before sending, and where a refusal is shown. Pure. */
import { AppError } from "../../../shared/errors.ts";
import { z } from "../../../shared/zod.ts";
import type { AnyField, ChangedOf, FormOption, StartOf, TreeNode, ValuesOf } from "./kinds.ts";
import { type FieldValue, isEmpty, isRange, sameValue, type Values } from "./values.ts";

export type {
  AnyField,
  ControlProps,
  FormField,
  FormOption,
  FormValues,
  StartOf,
  ValuesOf,
} from "./kinds.ts";
export { formFields } from "./kinds.ts";
export { changedValues, type Values } from "./values.ts";

/** What is wrong, by key; inside a group by `key.number.key`. */
export type FormErrors = Readonly<Record<string, string>>;

const recordOf = (raw: unknown): Readonly<Record<string, unknown>> =>
  typeof raw === "object" && raw !== null ? (raw as Readonly<Record<string, unknown>>) : {};
const textOf = (raw: unknown): string =>
  typeof raw === "string" || typeof raw === "number" ? String(raw) : "";
function numberOf(raw: unknown): number | null {
  if (typeof raw === "number") return raw;
  return typeof raw === "string" && raw.trim() !== "" ? Number(raw) : null;
}
/** A single text is a list of one. */
const listOf = (raw: unknown): readonly string[] =>
  (Array.isArray(raw) ? raw : [raw]).map(textOf).filter((one) => one !== "");

/** Anything as a value of the field; what does not fit is no value. */
export function valueFor(field: AnyField, raw: unknown): FieldValue {
  switch (field.input) {
    case "switch":
      return raw === true;
    case "number":
      return numberOf(raw);
    case "multi":
    case "trees":
    case "files":
      return listOf(raw);
    case "range":
      return { from: textOf(recordOf(raw)["from"]), to: textOf(recordOf(raw)["to"]) };
    case "groups":
      return (Array.isArray(raw) ? raw : []).map((group) =>
        looseValues(field.fields, recordOf(group)),
      );
    default:
      return textOf(raw);
  }
}

/** A value for each of the fields, whatever is given. */
export const looseValues = (
  fields: readonly AnyField[],
  given: Readonly<Record<string, unknown>>,
): Values =>
  Object.fromEntries(fields.map((field) => [field.key, valueFor(field, given[field.key])]));

/** A value for each of the fields, as their kinds say; none where nothing fitting is given. */
export const valuesOf = <const F extends readonly AnyField[]>(
  fields: F,
  given: Readonly<Record<string, unknown>>,
): StartOf<F> =>
  // `looseValues` has made the keys and types of these very fields.
  looseValues(fields, given) as unknown as StartOf<F>;

/** The values as the declaration names them: `pick` leaves the keys of these very fields, which the compiler cannot follow. */
export const declaredValues = <F extends readonly AnyField[]>(
  fields: F,
  values: Values,
): ValuesOf<F> => pick(fields, values) as unknown as ValuesOf<F>;
/** As `declaredValues`, of what was changed. */
export const declaredChange = <F extends readonly AnyField[]>(
  fields: F,
  values: Values,
): ChangedOf<F> => pick(fields, values) as unknown as ChangedOf<F>;
const pick = (fields: readonly AnyField[], values: Values): Values =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = values[field.key];
      return value === undefined ? [] : [[field.key, valueFor(field, value)]];
    }),
  );

/** The fields that are there beside these values. */
export const shownFields = (fields: readonly AnyField[], values: Values): readonly AnyField[] =>
  fields.filter(({ shownWhen }) => shownWhen?.(values) !== false);

/** The options of a field beside these values. */
export function optionsOf(field: AnyField, values: Values): readonly FormOption[] {
  if (field.input === "tree" || field.input === "trees") return flat(field.nodes);
  if ("optionsFrom" in field && field.optionsFrom !== undefined) return field.optionsFrom(values);
  return "options" in field ? (field.options ?? []) : [];
}
const flat = (nodes: readonly TreeNode[]): readonly TreeNode[] =>
  nodes.flatMap((node) => [node, ...flat(node.children)]);

/** The values after one was changed: what is no option any more is dropped. */
export function settled(fields: readonly AnyField[], values: Values): Values {
  const next: Record<string, FieldValue> = { ...values };
  for (const field of fields) {
    if (!("optionsFrom" in field) || field.optionsFrom === undefined) continue;
    const allowed = new Set(field.optionsFrom(next).map(({ value }) => value));
    const had = listOf(next[field.key]);
    const left = had.filter((one) => allowed.has(one));
    if (left.length < had.length) next[field.key] = field.input === "multi" ? left : "";
  }
  return next;
}

const trimmedOf = (field: AnyField, value: FieldValue): FieldValue => {
  if (field.input === "groups")
    return (value as readonly Values[]).map((group) => trimmed(field.fields, group));
  // A password is taken as it was typed.
  return typeof value === "string" && field.input !== "password" ? value.trim() : value;
};
/** The values of the fields without spaces around texts. */
export const trimmed = (fields: readonly AnyField[], values: Values): Values =>
  Object.fromEntries(
    fields.map((field) => [field.key, trimmedOf(field, valueFor(field, values[field.key]))]),
  );

/** What to say of values that the kind of a field does not take. */
export interface Wordings {
  readonly missing: (label: string) => string;
  readonly number: string;
  readonly whole: string;
  readonly between: (min: number | undefined, max: number | undefined, whole: boolean) => string;
  readonly order: string;
}

const onStep = (value: number, step: number | undefined, from: number): boolean => {
  if (step === undefined) return true;
  const steps = (value - from) / step;
  return Math.abs(steps - Math.round(steps)) < 1e-9;
};

/** What is wrong with a value that is not empty by the kind of its field. */
function kindError(field: AnyField, value: FieldValue, say: Wordings): string | null {
  if (field.input === "number" && typeof value === "number") {
    const { min, max, step } = field;
    if (!Number.isFinite(value)) return say.number;
    const whole = step === 1;
    const inside = value >= (min ?? value) && value <= (max ?? value);
    const fits = onStep(value, step, min ?? 0);
    if (!inside || (!fits && whole && min !== undefined && max !== undefined))
      return say.between(min, max, whole);
    return fits ? null : whole ? say.whole : say.number;
  }
  if (isRange(value)) {
    return value.from !== "" && value.to !== "" && value.from > value.to ? say.order : null;
  }
  return null;
}

/** The page's own judgement. The kind of the field fits its value, since both come from `valueFor`. */
const judged = (field: AnyField, which: "check" | "warn", value: FieldValue, values: Values) =>
  (field[which] as ((value: FieldValue, values: Values) => string | null) | undefined)?.(
    value,
    values,
  ) ?? null;

/** Whether a required value is not complete. */
const lacks = (value: FieldValue): boolean =>
  isRange(value) ? value.from === "" || value.to === "" : isEmpty(value);

/** What is wrong with the fields that are there. */
export function checkValues(
  fields: readonly AnyField[],
  values: Values,
  say: Wordings,
  prefix = "",
): FormErrors {
  const wrong: Record<string, string> = {};
  for (const field of shownFields(fields, values)) {
    const { key, label, required, disabled } = field;
    if (disabled === true) continue;
    const value = valueFor(field, values[key]);
    const message =
      required === true && lacks(value)
        ? say.missing(label)
        : isEmpty(value)
          ? null
          : (kindError(field, value, say) ?? judged(field, "check", value, values));
    if (message !== null) wrong[prefix + key] = message;
    if (field.input !== "groups") continue;
    for (const [at, group] of (value as readonly Values[]).entries())
      Object.assign(wrong, checkValues(field.fields, group, say, `${prefix}${key}.${at}.`));
  }
  return wrong;
}

/** The warning of a field; null when there is none, or no value. */
export function warningOf(field: AnyField, values: Values): string | null {
  const value = valueFor(field, values[field.key]);
  const given = typeof value === "string" ? value.trim() : value;
  return isEmpty(given) ? null : judged(field, "warn", given, values);
}

export type Refusal = { readonly key: string; readonly reason: "taken" | "invalid" } | null;

/** Codes of refusals that name fields. */
const REASONS: Readonly<Record<string, "taken" | "invalid">> = {
  "request.conflict": "taken",
  "request.invalid": "invalid",
};
const fieldsSchema = z.record(z.string(), z.unknown()).catch({});

/** Where a path of a refusal leads to in the form: to a field, or to one inside a group. */
function keyAt(path: string, { key, input }: AnyField): string | null {
  if (path === key || path.endsWith(`.${key}`)) return key;
  const at = `.${path}`.indexOf(`.${key}.`);
  return input === "groups" && at >= 0 ? path.slice(at) : null;
}

/** The first field that a refusal of the core or of the server names. Null when it names no field of the form. */
export function refusedField(error: unknown, fields: readonly AnyField[]): Refusal {
  const { code, details } = AppError.from(error);
  const reason = REASONS[code];
  if (reason === undefined) return null;
  const paths = [details?.["field"], ...Object.keys(fieldsSchema.parse(details?.["fields"]))];
  for (const field of fields) {
    const key = paths.map((path) => keyAt(String(path), field)).find((found) => found !== null);
    if (key !== undefined && key !== null) return { key, reason };
  }
  return null;
}

/** Whether a field holds the same in both. */
export const sameIn = (field: AnyField, a: Values, b: Values): boolean =>
  sameValue(
    trimmedOf(field, valueFor(field, a[field.key])),
    trimmedOf(field, valueFor(field, b[field.key])),
  );
