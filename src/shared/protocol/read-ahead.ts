/**
 * Messages between the import worker and the thread that reads ahead for it. Packed bytes go there; inflated chunks come back, or
 * rows that were already read from them.
 */
import { z } from "../zod.ts";

const id = z.int().nonnegative();
/** The type library of src/shared has no Blob. */
const blob = z.custom<object>(
  (value) => typeof value === "object" && value !== null && "size" in value && "slice" in value,
);
const pieces = z.int().positive();
const typed = <T extends ArrayBufferView>(kind: new (length: number) => T) =>
  z.custom<T>((value) => value instanceof kind);
const bytes = typed<Uint8Array>(Uint8Array);
const indexes = typed<Uint32Array>(Uint32Array);

export const toAheadSchema = z.union([
  z.object({
    id,
    /** Raw deflate. */
    packed: blob,
    /** How many chunks may be sent ahead of what was taken. */
    chunks: pieces,
    /** Set for a sheet. Where no more chunks may be sent ahead, the thread reads their rows itself, up to `pieces` pieces in all. */
    sheet: z
      .object({
        pieces,
        /** By style: how to keep its numbers. */
        styles: bytes,
        date1904: z.boolean(),
      })
      .optional(),
  }),
  /** The worker has used one piece of this kind, so one more may be sent. The memory of a chunk goes back for reuse. */
  z.object({ id, taken: z.enum(["chunk", "rows"]), memory: bytes.optional() }),
  z.object({ id, cancel: z.literal(true) }),
]);
export type ToAhead = z.infer<typeof toAheadSchema>;

const count = z.int().nonnegative();
const batchSchema = z.object({
  rows: count,
  width: count,
  rowNumbers: indexes,
  kinds: bytes,
  values: typed<Int32Array>(Int32Array),
  numbers: typed<Float64Array>(Float64Array),
  ends: indexes,
  gap: z.union([z.literal(0), z.literal(1)]),
  bytes,
});
const rowsSchema = z.object({
  /** Number of inflated bytes that the rows were read from. */
  length: count,
  batches: z.array(batchSchema),
  /** Width of the widest row so far. */
  width: count,
  /** Number of the last row in the file, blank rows included. */
  lastRow: count,
  /** Highest shared string index so far; -1 for none. */
  maxShared: z.int(),
  /** Counts within these rows. */
  hiddenRows: count,
  formulas: count,
});
/** Consecutive rows of a sheet, read from a chunk of whole rows. */
export type RowsPiece = z.infer<typeof rowsSchema>;

export const fromAheadSchema = z.union([
  /** The thread runs. Starting it takes longer than reading a small file. */
  z.object({ ready: z.literal(true) }),
  z.object({ id, chunk: bytes }),
  z.object({ id, rows: rowsSchema }),
  z.object({ id, end: z.literal(true) }),
  /** file: the file can no longer be read. data: the bytes are not valid deflate. */
  z.object({ id, failed: z.enum(["file", "data"]) }),
]);
export type FromAhead = z.infer<typeof fromAheadSchema>;
