/** The company's own fields in form, list, details and filter. Pure. */
import { employeeFields } from "../../../shared/domain/employee-fields.ts";
import { isDay } from "../../../shared/domain/validate.ts";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import type { AnyField, FormOption } from "../../components/form/kinds.ts";
import type { Values } from "../../components/form/values.ts";

export type OwnField = PageCallData<"ownFields.list">["records"][number];
export type OwnValues = Readonly<Record<string, string | number | null>>;

const PREFIX = "custom.";
/** Longest text, as the server takes it. */
const TEXT_MAX = 500;

export const ownKey = (key: string): string => `${PREFIX}${key}`;
export const isOwnKey = (key: string): boolean => key.startsWith(PREFIX);

/** Dictionaries that common and own fields use, separated by commas. */
export const dictsWith = (own: readonly OwnField[]): string =>
  [
    ...new Set([
      ...employeeFields.flatMap(({ rule }) => (rule.type === "dict" ? [rule.dict] : [])),
      ...own.flatMap(({ dictType }) => dictType ?? []),
    ]),
  ].join(",");

export function ownFormField(
  { key, label, type, dictType, required }: OwnField,
  needs: {
    readonly optionsOf: (dict: string) => readonly FormOption[];
    readonly wrong: { readonly date: string };
  },
): AnyField {
  const field = { key: ownKey(key), label, required };
  switch (type) {
    case "number":
      return { ...field, input: "number" };
    case "date":
      return { ...field, input: "date", check: (text) => (isDay(text) ? null : needs.wrong.date) };
    case "dict":
      return { ...field, input: "select", options: needs.optionsOf(dictType ?? "") };
    case "text":
      return { ...field, max: TEXT_MAX };
  }
}

/** A record with its own values beside the common ones, as a form wants them. */
export const withOwn = (
  record: Readonly<Record<string, unknown>> & { readonly custom?: OwnValues },
): Readonly<Record<string, unknown>> => ({
  ...record,
  ...Object.fromEntries(
    Object.entries(record.custom ?? {}).map(([key, value]) => [ownKey(key), value]),
  ),
});

/** What is sent of the own fields among these values; null clears one. */
export const ownBody = (values: Values, own: readonly OwnField[]): OwnValues =>
  Object.fromEntries(
    own.flatMap(({ key, type }): [string, string | number | null][] => {
      const value = values[ownKey(key)];
      if (typeof value === "number" && type === "number") return [[key, value]];
      if (value === null || value === "") return [[key, null]];
      return typeof value === "string" ? [[key, value]] : [];
    }),
  );

/** Whether the employee has something in the field. */
export const hasOwn = ({ key }: OwnField, values: OwnValues): boolean => (values[key] ?? "") !== "";

/** What a person reads; null without a value. */
export function ownText(
  { key, dictType }: OwnField,
  values: OwnValues,
  labelOf: (dict: string, value: string) => string,
): string | null {
  const value = values[key] ?? "";
  if (value === "") return null;
  return dictType === null ? String(value) : labelOf(dictType, String(value));
}
