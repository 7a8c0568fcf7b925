/**
 * Batch import of employees. Paths are chosen, the platform shows none. A job is made once for a
 * key; its rows come in chunks, each answered once and the same ever after, so a sender may repeat whatever it is unsure of.
 */
import { EMPLOYEE_FIELDS, type EmployeeFieldKey } from "../../domain/employee-fields.ts";
import { z } from "../../zod.ts";
import { defineCall, hasNoNul, NUL_MESSAGE, pageQuerySchema, pageSchema } from "./call.ts";
import { importModeSchema } from "../import-model.ts";
import { idSchema } from "./entities.ts";
import { fieldSettingSchema } from "./field-settings.ts";
import { importInvitationStateSchema } from "./invitations.ts";

const PREFIX = "/scm-supplier/api/sec/imports";
const access = { company: "required", permissions: ["supplier:employee:edit"] } as const;

/**
 * Rows per chunk; only the last chunk of a job may have fewer. The embedded database runs one statement at a time, so every other
 * request waits as long as a chunk takes. Larger chunks are not faster.
 */
export const IMPORT_CHUNK_ROWS = 2000;
export const IMPORT_LIMITS = {
  /** Rows of one job. */
  rows: 1_048_576,
  /** Bytes of a chunk, first as sent, then unpacked. */
  chunkBytes: 4 * 1024 * 1024,
  chunkRawBytes: 32 * 1024 * 1024,
  /** Unfinished jobs per company. A job that received nothing for a day does not count. */
  openJobs: 5,
  /** Numbers per `taken` request. */
  taken: 5000,
  /** Employees whose marks are in one answer. */
  marks: 10_000,
} as const;

/** Employee fields that a chunk may have, by their names on the wire. */
export const IMPORT_FIELDS = EMPLOYEE_FIELDS.map(({ key }) => key);
export type ImportField = EmployeeFieldKey;
/** One of IMPORT_FIELDS, or `custom.<key>` for a company's own field. */
export const importFieldSchema = z.union([
  z.enum(IMPORT_FIELDS),
  z.string().regex(/^custom\.[a-z][a-zA-Z0-9]{0,31}$/),
]);

export const importJobSchema = z.object({
  id: idSchema,
  key: z.string(),
  fileName: z.string(),
  mode: importModeSchema,
  isInvite: z.boolean(),
  state: z.enum(["open", "done", "cancelled"]),
  rows: z.number().int(),
  chunks: z.number().int(),
  chunksDone: z.number().int(),
  /** In a dry run: the counts that a real run would have. */
  created: z.number().int(),
  updated: z.number().int(),
  refused: z.number().int(),
  createdBy: z.object({ accountId: idSchema.nullable(), name: z.string() }),
  createTime: z.string(),
  endTime: z.string().nullable(),
});
export type ImportJob = z.infer<typeof importJobSchema>;

export const importCreateCall = defineCall({
  id: "imports.create",
  method: "POST",
  path: PREFIX,
  summary:
    "A job for a key: made, or the one that this company has for it already; one that was cancelled, and a dry run that is over, begin again",
  auth: "bearer",
  touches: ["imports"],
  access,
  body: z.object({
    /** Hash of file, mapping, edits and mode (hex). */
    key: z.string().regex(/^[0-9a-f]{64}$/),
    fileName: z.string().trim().min(1).max(255).refine(hasNoNul, NUL_MESSAGE),
    mode: importModeSchema,
    isInvite: z.boolean().default(false),
    rows: z.number().int().min(1).max(IMPORT_LIMITS.rows),
    chunks: z.number().int().min(1).max(IMPORT_LIMITS.rows),
    /** insert and dry-run need name, update needs idNumber. */
    fields: z.array(importFieldSchema).min(1).max(80),
  }),
  data: importJobSchema,
});

export const importRefusalSchema = z.object({
  /** Row number in the file; 1 is its first line. */
  row: z.number().int(),
  /** null: the message concerns the whole row. */
  field: z.string().nullable(),
  message: z.string(),
});
export type ImportRefusal = z.infer<typeof importRefusalSchema>;

export const importChunkResultSchema = z.object({
  index: z.number().int(),
  created: z.number().int(),
  updated: z.number().int(),
  refused: z.number().int(),
  /** The first 100 refused rows; imports.refusals has all. */
  refusals: z.array(importRefusalSchema),
  job: importJobSchema,
});
export type ImportChunkResult = z.infer<typeof importChunkResultSchema>;

/** Accepts any text, because an invalid text refuses its row and not the whole chunk. */
const cell = z.string();
/** Integers from `least` on. One check for the whole list, because a schema per element takes ten times as long. */
const integers = (least: number, fewest = 0) =>
  z
    .custom<number[]>(
      (value) =>
        Array.isArray(value) &&
        value.length >= fewest &&
        value.length <= IMPORT_CHUNK_ROWS &&
        value.every((n) => Number.isSafeInteger(n) && n >= least),
      "应为整数列表",
    )
    .meta({
      type: "array",
      items: { type: "integer", minimum: least, maximum: Number.MAX_SAFE_INTEGER },
      minItems: fewest,
      maxItems: IMPORT_CHUNK_ROWS,
    });
/** A chunk by columns. Each column has its distinct texts and, per row, the index of the row's text (-1: empty). */
export const importChunkSchema = z.object({
  v: z.literal(1),
  /** Row number in the file of each row, ascending. */
  rows: integers(1, 1),
  columns: z
    .array(
      z.object({
        field: importFieldSchema,
        dict: z.array(cell).max(IMPORT_CHUNK_ROWS),
        idx: integers(-1),
      }),
    )
    .min(1)
    .max(80),
});
export type ImportChunk = z.infer<typeof importChunkSchema>;

export const importChunkCall = defineCall({
  id: "imports.chunk",
  method: "POST",
  path: `${PREFIX}/{id}/chunks/{index}`,
  summary:
    "Rows of a job: gzip over the JSON of importChunkSchema. One transaction: refused rows are reported by number, all others are stored",
  auth: "bearer",
  touches: ["employees", "imports", "invitations"],
  steady: true,
  access,
  bodyType: "gzip",
  bodyLimit: IMPORT_LIMITS.chunkBytes,
  rawLimit: IMPORT_LIMITS.chunkRawBytes,
  body: importChunkSchema,
  params: z.object({ id: idSchema, index: z.coerce.number().int().min(0).max(IMPORT_LIMITS.rows) }),
  data: importChunkResultSchema,
});

const jobId = z.object({ id: idSchema });
export const importCancelCall = defineCall({
  id: "imports.cancel",
  method: "POST",
  path: `${PREFIX}/{id}/cancel`,
  summary: "Takes no more chunks; what is in stays in",
  auth: "bearer",
  touches: ["imports"],
  access,
  params: jobId,
  data: importJobSchema,
});
export const importGetCall = defineCall({
  id: "imports.get",
  method: "GET",
  path: `${PREFIX}/job/{id}`,
  summary: "A job of the company",
  auth: "bearer",
  shows: ["imports"],
  access,
  params: jobId,
  data: importJobSchema,
});
const plainPage = pageQuerySchema.omit({ keyword: true });
export const importListCall = defineCall({
  id: "imports.list",
  method: "GET",
  path: PREFIX,
  summary: "Jobs of the company, newest first",
  auth: "bearer",
  page: true,
  shows: ["imports"],
  access,
  query: plainPage,
  data: pageSchema(importJobSchema),
});
export const importRefusalsCall = defineCall({
  id: "imports.refusals",
  method: "GET",
  path: `${PREFIX}/{id}/refusals`,
  summary: "Rows that the server refused, in the order of the file",
  auth: "bearer",
  page: true,
  shows: ["imports"],
  access,
  params: jobId,
  query: plainPage,
  data: pageSchema(importRefusalSchema),
});
export const importInvitationsCall = defineCall({
  id: "imports.invitations",
  method: "GET",
  path: `${PREFIX}/{id}/invitations`,
  summary: "Links for those whom a job with isInvite created, to apply with an account",
  auth: "bearer",
  page: true,
  shows: ["imports", "invitations", "employees"],
  access,
  params: jobId,
  query: plainPage,
  data: pageSchema(
    z.object({
      row: z.number().int(),
      employeeId: idSchema,
      name: z.string(),
      link: z.string(),
      expiresAt: z.string(),
      /** What became of it; `bound`: the employee got an account by another way. */
      state: importInvitationStateSchema,
      /** Why its SMS was not sent; empty otherwise. */
      reason: z.string(),
    }),
  ),
});

const numbers = z
  .array(z.string().min(1).max(32).refine(hasNoNul, NUL_MESSAGE))
  .max(IMPORT_LIMITS.taken);
/** Marks (domain/number-marks.ts) of the numbers of some employees. */
export const importMarksSchema = z.object({
  idNumbers: z.array(z.number().int()),
  employeeNos: z.array(z.number().int()),
  /** Id of the last employee of this page; null when no more follow. */
  next: z.string().nullable(),
  /** Number of the company's employed staff. If it is large, asking about the own numbers is cheaper than reading all marks. */
  employed: z.number().int(),
});
export type ImportMarks = z.infer<typeof importMarksSchema>;

export const importTakenCall = defineCall({
  id: "imports.taken",
  method: "POST",
  path: `${PREFIX}/taken`,
  summary:
    "Which of these numbers employed staff of the company bear; or marks of all that they bear, so that a file need not send its numbers",
  auth: "bearer",
  access,
  bodyLimit: 1024 * 1024,
  body: z.object({
    idNumbers: numbers.default([]),
    employeeNos: numbers.default([]),
    /** Asks for marks, from behind this employee on; 0 is the beginning. */
    marksAfter: z
      .string()
      .regex(/^\d{1,18}$/)
      .optional(),
  }),
  data: z.object({
    idNumbers: z.array(z.string()),
    employeeNos: z.array(z.string()),
    marks: importMarksSchema.optional(),
  }),
});

/** What mapping and checking need to know about a company. */
export const importContextSchema = z.object({
  supplierId: idSchema,
  /** The company's name, which files write in front of departments. */
  company: z.string().optional(),
  ownFields: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      type: z.enum(["text", "number", "date", "dict"]),
      dictType: z.string().nullable(),
      required: z.boolean(),
    }),
  ),
  /** Which fields the company uses; left out by a platform that uses all. */
  fields: z.array(fieldSettingSchema).optional(),
  /** Full names of the department tree. */
  departments: z.array(z.object({ id: idSchema, name: z.string() })),
  /** By dictionary type: the text that a file may contain (label) and the value that is sent. */
  dictionaries: z.record(z.string(), z.array(z.object({ value: z.string(), label: z.string() }))),
});
export type ImportContext = z.infer<typeof importContextSchema>;
export const importContextCall = defineCall({
  id: "imports.context",
  method: "GET",
  path: `${PREFIX}/context`,
  summary: "Fields, departments and dictionaries of the company",
  auth: "bearer",
  access,
  data: importContextSchema,
});

export const importCalls = {
  importCreate: importCreateCall,
  importChunk: importChunkCall,
  importCancel: importCancelCall,
  importGet: importGetCall,
  importList: importListCall,
  importRefusals: importRefusalsCall,
  importInvitations: importInvitationsCall,
  importTaken: importTakenCall,
  importContext: importContextCall,
};
