/** Turns a chunk into rows. Each distinct text of a column is checked once, by the rules for a single employee. */
import { zhCN } from "zod/locales";
import { AppError } from "../../../shared/errors.ts";
import {
  type EmployeeField,
  employeeFields,
  VALUE_MAX,
} from "../../../shared/domain/employee-fields.ts";
import { isInvisible } from "../../../shared/domain/text-marks.ts";
import { readValue } from "../../../shared/domain/employee-values.ts";
import { isDay, isIdNumber, isPhone } from "../../../shared/domain/validate.ts";
import { hasNoNul, NUL_MESSAGE } from "../../../shared/protocol/rest/call.ts";
import {
  type EmployeeCreate,
  employeeCreateSchema,
} from "../../../shared/protocol/rest/employee-schemas.ts";
import {
  IMPORT_FIELDS,
  type ImportChunk,
  type ImportField,
} from "../../../shared/protocol/rest/imports.ts";
import type { OwnField } from "../field-settings/own-fields.ts";

export type Given = Partial<Omit<EmployeeCreate, "applyId">>;
type Value = string | number | null;

export interface ChunkRow {
  /** Row number in the file. */
  readonly row: number;
  readonly given: Given;
  /** Texts that break a rule, by field. */
  readonly wrong: readonly Wrong[];
}
export interface Wrong {
  readonly field: string;
  readonly message: string;
}

const IN_CHINESE = { error: zhCN().localeError };
const shape = employeeCreateSchema.shape;
const COMMON: ReadonlySet<string> = new Set(IMPORT_FIELDS);
const OWN = "custom.";
/** Rows, or texts of a column, that are worked on without a pause: about 2 ms. */
export const ROWS_PER_STEP = 200;
const NUMBER = /^[+-]?(\d{1,15}(\.\d{1,10})?|\.\d{1,10})$/;

type Verdict = { readonly value: Value } | { readonly message: string };

const firstMessage = (error: { readonly issues: readonly { readonly message: string }[] }) => ({
  message: error.issues[0]?.message ?? "不正确",
});

const upTo =
  (length: number) =>
  (text: string): boolean =>
    text.length <= length;
function plainCheck({ rule, required }: EmployeeField): ((text: string) => boolean) | null {
  switch (rule.type) {
    case "text":
    case "department": {
      const isRead = (text: string): boolean => {
        const read = readValue(rule, text);
        return "value" in read && read.value === text;
      };
      return required === true ? (text) => !isInvisible(text) && isRead(text) : isRead;
    }
    case "dict":
      return rule.values === undefined ? upTo(VALUE_MAX) : null;
    case "date":
      return isDay;
    case "phone":
      return isPhone;
    case "idNumber":
      return isIdNumber;
    case "email":
    case "departmentId":
      return null;
  }
}
/**
 * Fast checks for texts that the schema certainly accepts unchanged. Four of five texts of an import are unique numbers, and the
 * schema takes ten times as long for each. The schema judges every text that fails here, and words the error.
 */
export const PLAIN = Object.fromEntries(
  employeeFields.flatMap((field) => {
    const check = plainCheck(field);
    return check === null ? [] : [[field.key, check]];
  }),
) as Readonly<Partial<Record<ImportField, (text: string) => boolean>>>;

/** @param text trimmed, not empty, without half surrogate pairs */
export function readCommon(field: ImportField, text: string, plain = PLAIN[field]): Verdict {
  if (plain?.(text) === true) return { value: text };
  const parsed = shape[field].safeParse(text, IN_CHINESE);
  return parsed.success ? { value: parsed.data ?? null } : firstMessage(parsed.error);
}

/** Checks a text of one of the company's own fields. Numbers are texts in the chunk too. */
function readOwn(key: string, text: string, own: readonly OwnField[]): Verdict {
  const type = own.find((field) => field.key === key)?.type;
  if (type === "number") {
    return NUMBER.test(text) ? { value: Number(text) } : { message: "应为数字" };
  }
  const parsed = shape.custom.safeParse({ [key]: text }, IN_CHINESE);
  return parsed.success ? { value: parsed.data?.[key] ?? null } : firstMessage(parsed.error);
}

const refuse = (field: string, message: string): AppError =>
  new AppError("request.invalid", { details: { fields: { [field]: message } } });

/** @throws AppError request.invalid for columns that do not match the rows, or that the job does not have */
export function checkShape(chunk: ImportChunk, fields: readonly string[]): void {
  const { rows, columns } = chunk;
  if (rows.some((row, i) => i > 0 && row <= (rows[i - 1] ?? 0))) {
    throw refuse("rows", "行号应递增");
  }
  const seen = new Set<string>();
  for (const [i, { field, dict, idx }] of columns.entries()) {
    const at = `columns.${i}`;
    if (!fields.includes(field) || seen.has(field)) throw refuse(`${at}.field`, "任务中没有该列");
    seen.add(field);
    if (idx.length !== rows.length) throw refuse(`${at}.idx`, "与行数不一致");
    if (idx.some((n) => n >= dict.length)) throw refuse(`${at}.idx`, "超出字典");
  }
}

/**
 * The rows of a chunk that passed checkShape. An empty text, and a field that the company has removed, mean that nothing is given. Yields
 * after each ROWS_PER_STEP texts.
 */
export function* readRows(
  chunk: ImportChunk,
  own: readonly OwnField[],
): Generator<undefined, ChunkRow[]> {
  const rows = chunk.rows.map((row) => ({
    row,
    given: {} as Record<string, Value | Record<string, Value>>,
    wrong: [] as Wrong[],
  }));
  for (const { field, dict, idx } of chunk.columns) {
    const key = field.startsWith(OWN) ? field.slice(OWN.length) : null;
    // The company removed the field since the job began. That takes along what employees have in it, also of the rows before.
    if (key !== null && !own.some((one) => one.key === key)) continue;
    const plain = PLAIN[field as ImportField];
    const judge = (raw: string): Verdict => {
      const text = raw.trim();
      if (text === "") return { value: null };
      if (!hasNoNul(text)) return { message: NUL_MESSAGE };
      return key === null ? readCommon(field as ImportField, text, plain) : readOwn(key, text, own);
    };
    const verdicts: Verdict[] = [];
    for (const text of dict) {
      if (verdicts.push(judge(text)) % ROWS_PER_STEP === 0) yield;
    }
    for (let i = 0; i < idx.length; i += 1) {
      const verdict = verdicts[idx[i] ?? -1];
      const row = rows[i];
      if (verdict === undefined || row === undefined) continue;
      if ("message" in verdict) row.wrong.push({ field, message: verdict.message });
      else if (verdict.value !== null) {
        if (key === null) row.given[field] = verdict.value;
        else Object.assign((row.given["custom"] ??= {}) as object, { [key]: verdict.value });
      }
    }
  }
  // Each value was read by the rule of its field, so it has the type of that field.
  return rows as unknown as ChunkRow[];
}

/** Whether a chunk has columns for the company's own fields. */
export const hasOwnFields = ({ columns }: ImportChunk): boolean =>
  columns.some(({ field }) => field.startsWith(OWN));

/** Fields that no employee of the company has. */
export const unknownFields = (fields: readonly string[], own: readonly OwnField[]): string[] =>
  fields.filter(
    (field) =>
      !COMMON.has(field) &&
      !(field.startsWith(OWN) && own.some(({ key }) => key === field.slice(OWN.length))),
  );
