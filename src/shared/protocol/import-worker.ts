/**
 * Messages between a tab and its import worker (Comlink on a dedicated worker). The worker keeps the table; the tab asks for
 * windows of it. Row numbers are those of the file: 1 is its first line. Errors cross as wire errors, see errors.ts.
 */
import { z } from "../zod.ts";
import { importModeSchema } from "./import-model.ts";
import { importContextSchema, importFieldSchema, type importTakenCall } from "./rest/imports.ts";

export const fileKindSchema = z.enum(["xlsx", "csv", "xls"]);
/** In the order in which the page lists them. */
export const encodingSchema = z.enum([
  "utf-8",
  "gb18030",
  "big5",
  "utf-16le",
  "utf-16be",
  "shift_jis",
  "euc-kr",
  "windows-1252",
]);
/** How a csv writes a quote within quotes: twice, or behind a backslash as MySQL does. */
export const escapeSchema = z.enum(["quote", "backslash"]);

/** What a file contains, found without reading all of it. */
export const openedSchema = z.object({
  kind: fileKindSchema,
  bytes: z.number().int(),
  sheets: z.array(z.object({ index: z.number().int(), name: z.string(), hidden: z.boolean() })),
  /** Only for csv. */
  encoding: encodingSchema.nullable(),
  delimiter: z.string().nullable(),
  escape: escapeSchema.nullable(),
  /** The encoding is only a guess: nothing is loaded until the person has chosen one. */
  isGuess: z.boolean(),
});
export type Opened = z.infer<typeof openedSchema>;

export const sourceSchema = z.object({
  sheet: z.number().int().min(0).default(0),
  encoding: encodingSchema.optional(),
  delimiter: z.string().length(1).optional(),
  escape: escapeSchema.optional(),
  /** Row of the headers; null lets the worker find it. */
  headerRow: z.number().int().min(1).nullable().default(null),
  /** Last row of the headers where they take several; null lets the worker find it. */
  headerEnd: z.number().int().min(1).nullable().default(null),
  /** Merged cells, and cells that say 同上, get the content above them. */
  fill: z.boolean().default(false),
});
export type Source = z.input<typeof sourceSchema>;

/** The first 100 rows, available before the rest is read. */
export const previewSchema = z.object({
  headerRow: z.number().int(),
  /** The same as `headerRow` where the headers take one row. */
  headerEnd: z.number().int(),
  headers: z.array(z.string()),
  /** Row number of the first entry of `rows`. */
  from: z.number().int(),
  rows: z.array(z.array(z.string())),
  /** True when these are all rows of the file. */
  complete: z.boolean(),
});
export type Preview = z.infer<typeof previewSchema>;

export const readProgressSchema = z.object({
  phase: z.enum(["read", "check", "stage", "report"]),
  rows: z.number().int(),
  /** 0..1; null when unknown. */
  part: z.number().nullable(),
});
export type ReadProgress = z.infer<typeof readProgressSchema>;

export const loadedSchema = z.object({
  rows: z.number().int(),
  headers: z.array(z.string()),
  headerRow: z.number().int(),
  headerEnd: z.number().int(),
  /** Whether some cells could get the content above them, or have got it: merged cells and marks such as 同上. */
  isFillable: z.boolean(),
  /** Hash of the file's bytes, hex. */
  fileHash: z.string(),
  /** Warnings to show once: shortened cells, merged cells, hidden rows and the like. */
  warnings: z.array(z.string()),
  /** Duration of each phase in ms. */
  took: z.object({ read: z.number(), hash: z.number() }),
});
export type Loaded = z.infer<typeof loadedSchema>;

/** Per column of the file: the field that it fills, or null. */
export const mappingSchema = z.array(importFieldSchema.nullable()).max(500);
export type Mapping = z.infer<typeof mappingSchema>;

export const suggestionSchema = z.object({
  mapping: mappingSchema,
  /** Why each column was matched. unused: it is that of a field that the company does not use. */
  by: z.array(z.enum(["remembered", "name", "synonym", "content", "none", "unused"])),
  /** Required fields that no column fills. */
  missing: z.array(importFieldSchema),
  /** Number of filled cells of each column. */
  filled: z.array(z.number().int()),
});
export type Suggestion = z.infer<typeof suggestionSchema>;

export const checkRequestSchema = z.object({
  mapping: mappingSchema,
  mode: importModeSchema,
  context: importContextSchema,
});
export type CheckRequest = z.infer<typeof checkRequestSchema>;

export const issueSchema = z.object({
  column: z.number().int(),
  /**
   * Rule that failed: required, length, phone, idNumber, date, dict, department, duplicate, taken, number, email, error, digits,
   * shown, sign, exponent, total, contradiction; of warnings: copy, contradiction, tidied, picked, marks, doubt.
   */
  rule: z.string(),
  message: z.string(),
  /** Only a warning: the row is imported. */
  warning: z.literal(true).optional(),
  /** The value that was probably meant. */
  suggestion: z.string().optional(),
});
export type CellIssue = z.infer<typeof issueSchema>;

/** Rows that sum up or sign the list: the person is asked, leaves them out, or imports them as employees. */
export const totalDecisionSchema = z.enum(["ask", "out", "in"]);
export type TotalDecision = z.infer<typeof totalDecisionSchema>;

export const checkedSchema = z.object({
  rows: z.number().int(),
  /** Rows that are left out because no matched column shows anything in them. */
  blank: z.number().int(),
  good: z.number().int(),
  bad: z.number().int(),
  /** Rows with a warning, whether or not they are imported. */
  warned: z.number().int(),
  /** Number of cells by rule and column, largest first; warnings last. */
  byRule: z.array(
    z.object({
      column: z.number().int(),
      rule: z.string(),
      message: z.string(),
      cells: z.number().int(),
      warning: z.literal(true).optional(),
    }),
  ),
  /** Number of available undo steps. */
  undo: z.number().int(),
  total: z
    .object({
      rows: z.array(z.object({ row: z.number().int(), text: z.string() })),
      decision: totalDecisionSchema,
    })
    .nullable(),
  /** Departments that the file names although the company does not have them, those of most rows first. */
  missing: z.array(
    z.object({
      path: z.string(),
      /** The department below which it would stand; null: at the top. */
      parentId: z.string().nullable(),
      /** The names from there down. */
      names: z.array(z.string()),
      rows: z.number().int(),
      /** The department that was perhaps meant. */
      meant: z.string().nullable(),
    }),
  ),
  /** Columns with telephone numbers beside those that are taken, and in how many rows, if there is a column of remarks for them. */
  spare: z.array(z.object({ column: z.number().int(), rows: z.number().int() })),
  /** Rows without numbers that nearly equal an earlier row; `earlier` is that row. */
  copies: z.object({
    count: z.number().int(),
    rows: z.array(z.object({ row: z.number().int(), earlier: z.number().int() })),
  }),
  took: z.number(),
});
export type Checked = z.infer<typeof checkedSchema>;

const viewSchema = z.enum(["bad", "warned", "all"]);
export type TableView = z.infer<typeof viewSchema>;
export const windowRequestSchema = z.object({
  view: viewSchema,
  from: z.number().int().min(0),
  count: z.number().int().min(1).max(500),
});
export const windowSchema = z.object({
  total: z.number().int(),
  from: z.number().int(),
  rows: z.array(
    z.object({ row: z.number().int(), cells: z.array(z.string()), issues: z.array(issueSchema) }),
  ),
});
export type TableWindow = z.infer<typeof windowSchema>;

/** Distinct values of a column and their number of rows; values with an issue come first. */
export const valuesSchema = z.array(
  z.object({
    value: z.string(),
    rows: z.number().int(),
    message: z.string().nullable(),
    /** The message is only a warning. */
    warning: z.boolean(),
    suggestion: z.string().nullable(),
  }),
);
export type ColumnValues = z.infer<typeof valuesSchema>;

export const stageRequestSchema = z.object({
  fileName: z.string().min(1).max(255),
  isInvite: z.boolean(),
  accountId: z.string(),
});

/** A correction that a person made in the check. Columns and rows are those of the file. */
export const correctionSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("edit"),
    row: z.number().int(),
    column: z.number().int(),
    value: z.string(),
  }),
  z.object({
    kind: z.literal("replace"),
    column: z.number().int(),
    from: z.string(),
    to: z.string(),
  }),
  /** Writes the further telephone numbers of the column to the remarks. */
  z.object({ kind: z.literal("spare"), column: z.number().int() }),
]);
export type Correction = z.infer<typeof correctionSchema>;

/** Asks the server which numbers are taken, in portions, or for the marks of all taken numbers. */
export type AskTaken = (
  asked: z.output<typeof importTakenCall.body>,
) => Promise<z.output<typeof importTakenCall.data>>;
export type OnProgress = (progress: ReadProgress) => void;

/** The worker's interface over the platform's Blob, exposed by Comlink. Every method rejects with a wire error (see errors.ts); `cancel` aborts it. */
export interface ImportApi<File> {
  open(file: File, name: string): Promise<Opened>;
  preview(source: Source): Promise<Preview>;
  load(source: Source, onProgress: OnProgress): Promise<Loaded>;
  /** @param remembered mapping last used for this company and these headers, or null */
  suggest(
    context: z.infer<typeof importContextSchema>,
    remembered: Mapping | null,
  ): Promise<Suggestion>;
  check(request: CheckRequest, askTaken: AskTaken, onProgress: OnProgress): Promise<Checked>;
  window(request: z.input<typeof windowRequestSchema>): Promise<TableWindow>;
  values(column: number, limit: number): Promise<ColumnValues>;
  edit(row: number, column: number, value: string): Promise<Checked & { changed: number }>;
  /** Replaces `from` in every cell of the column that holds it. */
  replace(column: number, from: string, to: string): Promise<Checked & { changed: number }>;
  undo(): Promise<Checked>;
  /** Makes corrections again that were kept. `made` says which of them changed something; a row or column may be gone. */
  correct(corrections: readonly Correction[]): Promise<Checked & { made: boolean[] }>;
  decideTotal(decision: TotalDecision): Promise<Checked>;
  /** Stores the valid rows as chunks. @returns the job's key */
  stage(
    request: z.input<typeof stageRequestSchema>,
    onProgress: OnProgress,
  ): Promise<{ key: string; rows: number; chunks: number; took: number }>;
  /** Makes an .xlsx of the refused rows with their original columns and one reason per cell. */
  report(onProgress: OnProgress): Promise<File>;
  /** Makes an .xlsx to fill in, with dictionaries as drop-down lists. */
  template(context: z.infer<typeof importContextSchema>): Promise<File>;
  /** Aborts the running method, which rejects with import.cancelled. */
  cancel(): Promise<void>;
}
