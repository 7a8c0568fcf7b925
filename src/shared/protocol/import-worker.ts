/**
 * Between a tab and its import worker (Comlink on a dedicated worker). The worker keeps the table; the tab asks for windows of it.
 * Rows are counted as in the file: 1 is its first line. Errors cross as wire errors, see errors.ts.
 */
import { z } from "../zod.ts";
import { importContextSchema, importFieldSchema, importModeSchema } from "./rest/imports.ts";

export const fileKindSchema = z.enum(["xlsx", "csv", "xls"]);
export const encodingSchema = z.enum(["utf-8", "utf-16le", "utf-16be", "gb18030"]);

/** What is in a file, as found without reading it whole. */
export const openedSchema = z.object({
  kind: fileKindSchema,
  bytes: z.number().int(),
  sheets: z.array(z.object({ index: z.number().int(), name: z.string(), hidden: z.boolean() })),
  /** csv alone. */
  encoding: encodingSchema.nullable(),
  delimiter: z.string().nullable(),
});
export type Opened = z.infer<typeof openedSchema>;

export const sourceSchema = z.object({
  sheet: z.number().int().min(0).default(0),
  encoding: encodingSchema.optional(),
  delimiter: z.string().length(1).optional(),
  /** Row of the headers; null: found by itself. */
  headerRow: z.number().int().min(1).nullable().default(null),
});
export type Source = z.input<typeof sourceSchema>;

/** The first 100 rows, there before the rest is read. */
export const previewSchema = z.object({
  headerRow: z.number().int(),
  headers: z.array(z.string()),
  /** Row number of the first entry of `rows`. */
  from: z.number().int(),
  rows: z.array(z.array(z.string())),
  /** Fewer than 100 rows: this is all there is. */
  complete: z.boolean(),
});
export type Preview = z.infer<typeof previewSchema>;

export const readProgressSchema = z.object({
  phase: z.enum(["read", "check", "stage", "report"]),
  rows: z.number().int(),
  /** 0..1, null when not known. */
  part: z.number().nullable(),
});
export type ReadProgress = z.infer<typeof readProgressSchema>;

export const loadedSchema = z.object({
  rows: z.number().int(),
  headers: z.array(z.string()),
  headerRow: z.number().int(),
  /** Hash of the file's bytes, hex. */
  fileHash: z.string(),
  /** Said once: cells cut, merged cells, hidden rows and the like, in words. */
  warnings: z.array(z.string()),
  /** ms each phase took. */
  took: z.object({ read: z.number(), hash: z.number() }),
});
export type Loaded = z.infer<typeof loadedSchema>;

/** By column of the file: the field it fills, null for none. */
export const mappingSchema = z.array(importFieldSchema.nullable()).max(500);
export type Mapping = z.infer<typeof mappingSchema>;

export const suggestionSchema = z.object({
  mapping: mappingSchema,
  /** Why each column was matched. */
  by: z.array(z.enum(["remembered", "name", "synonym", "content", "none"])),
  /** Fields that must be filled and are not. */
  missing: z.array(importFieldSchema),
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
   * shown, sign, exponent, total, copy.
   */
  rule: z.string(),
  message: z.string(),
  /** The row goes in all the same. */
  warning: z.literal(true).optional(),
  /** What was probably meant. */
  suggestion: z.string().optional(),
});
export type CellIssue = z.infer<typeof issueSchema>;

/** A row that sums up the list: asked about, left out, or taken for an employee after all. */
export const totalDecisionSchema = z.enum(["ask", "out", "in"]);
export type TotalDecision = z.infer<typeof totalDecisionSchema>;

export const checkedSchema = z.object({
  rows: z.number().int(),
  good: z.number().int(),
  bad: z.number().int(),
  /** Cells by rule and column, most first. */
  byRule: z.array(
    z.object({
      column: z.number().int(),
      rule: z.string(),
      message: z.string(),
      cells: z.number().int(),
    }),
  ),
  /** Undo steps there are. */
  undo: z.number().int(),
  total: z
    .object({ row: z.number().int(), text: z.string(), decision: totalDecisionSchema })
    .nullable(),
  /** Rows without numbers that are nearly the same as one before; the first of them by row. */
  copies: z.object({
    count: z.number().int(),
    rows: z.array(z.object({ row: z.number().int(), of: z.number().int() })),
  }),
  took: z.number(),
});
export type Checked = z.infer<typeof checkedSchema>;

export const windowRequestSchema = z.object({
  view: z.enum(["bad", "all"]),
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

/** Values of a column with the rows they stand in, those with an issue first. */
export const valuesSchema = z.array(
  z.object({
    value: z.string(),
    rows: z.number().int(),
    message: z.string().nullable(),
    suggestion: z.string().nullable(),
  }),
);
export type ColumnValues = z.infer<typeof valuesSchema>;

export const stageRequestSchema = z.object({
  fileName: z.string().min(1).max(255),
  isInvite: z.boolean(),
  accountId: z.string(),
});

/** Numbers that must be nobody's on the server, asked in portions. */
export type AskTaken = (numbers: {
  idNumbers: string[];
  employeeNos: string[];
}) => Promise<{ idNumbers: string[]; employeeNos: string[] }>;
export type OnProgress = (progress: ReadProgress) => void;

/** The face of the worker over the platform's Blob, exposed by Comlink. Every method rejects with a wire error (see errors.ts) and may be cancelled by `cancel`. */
export interface ImportApi<File> {
  open(file: File, name: string): Promise<Opened>;
  preview(source: Source): Promise<Preview>;
  load(source: Source, onProgress: OnProgress): Promise<Loaded>;
  /** @param remembered of this company and header set, null when none */
  suggest(
    context: z.infer<typeof importContextSchema>,
    remembered: Mapping | null,
  ): Promise<Suggestion>;
  check(request: CheckRequest, askTaken: AskTaken, onProgress: OnProgress): Promise<Checked>;
  window(request: z.input<typeof windowRequestSchema>): Promise<TableWindow>;
  values(column: number, limit: number): Promise<ColumnValues>;
  edit(row: number, column: number, value: string): Promise<Checked>;
  /** Every cell of the column that holds `from`. */
  replace(column: number, from: string, to: string): Promise<Checked & { changed: number }>;
  undo(): Promise<Checked>;
  decideTotal(decision: TotalDecision): Promise<Checked>;
  /** Writes the good rows down as chunks; @returns the job's key. */
  stage(
    request: z.input<typeof stageRequestSchema>,
    onProgress: OnProgress,
  ): Promise<{ key: string; rows: number; chunks: number; took: number }>;
  /** .xlsx of the bad rows with their original columns and a reason a cell. */
  report(onProgress: OnProgress): Promise<File>;
  /** .xlsx to fill in, dictionaries as drop-downs. */
  template(context: z.infer<typeof importContextSchema>): Promise<File>;
  /** Ends what is under way, which rejects with import.cancelled. */
  cancel(): Promise<void>;
}
