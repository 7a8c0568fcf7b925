/**
 * Between the import worker and the thread that reads ahead for it: packed bytes there; inflated chunks back, or the rows that were
 * read from them already.
 */
import { z } from "../zod.ts";

const id = z.int().nonnegative();
/** The library of the shared rooms knows no Blob. */
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
    /** Chunks of bytes that may be on their way. */
    chunks: pieces,
    /** It is a sheet: where there is no room for more chunks, their rows are read there, up to so many pieces in all. */
    sheet: z
      .object({
        pieces,
        /** By style: how its numbers are kept. */
        styles: bytes,
        date1904: z.boolean(),
      })
      .optional(),
  }),
  /** A piece of this kind is done with: one more may come. The memory of a chunk goes back. */
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
  bytes,
});
const rowsSchema = z.object({
  /** Inflated bytes that they were read from. */
  length: count,
  batches: z.array(batchSchema),
  /** Widest row so far. */
  width: count,
  /** Row in the file of the last one, blank ones too. */
  lastRow: count,
  /** Highest index of a shared string so far, -1 for none. */
  maxShared: z.int(),
  /** Among these rows. */
  hiddenRows: count,
  formulas: count,
});
/** Rows of a sheet that stand behind one another, read from a chunk of whole rows. */
export type RowsPiece = z.infer<typeof rowsSchema>;

export const fromAheadSchema = z.union([
  /** It runs: a thread takes a moment to begin, longer than a small file. */
  z.object({ ready: z.literal(true) }),
  z.object({ id, chunk: bytes }),
  z.object({ id, rows: rowsSchema }),
  z.object({ id, end: z.literal(true) }),
  /** file: it can no longer be read; data: it is no deflate. */
  z.object({ id, failed: z.enum(["file", "data"]) }),
]);
export type FromAhead = z.infer<typeof fromAheadSchema>;
