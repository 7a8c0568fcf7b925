/** Between the import worker and the thread that inflates for it: packed bytes there, inflated chunks back, so many at a time. */
import { z } from "zod";

const id = z.int().nonnegative();
/** The library of the shared rooms knows no Blob. */
const blob = z.custom<object>(
  (value) => typeof value === "object" && value !== null && "size" in value && "slice" in value,
);

export const toInflateSchema = z.union([
  /** Raw deflate. @param chunks that may come without being asked for */
  z.object({ id, packed: blob, chunks: z.int().positive() }),
  /** One more chunk may come. */
  z.object({ id, more: z.literal(true) }),
  z.object({ id, cancel: z.literal(true) }),
]);
export type ToInflate = z.infer<typeof toInflateSchema>;

export const fromInflateSchema = z.union([
  z.object({ id, chunk: z.instanceof(Uint8Array<ArrayBuffer>) }),
  z.object({ id, end: z.literal(true) }),
  /** file: it can no longer be read; data: it is no deflate. */
  z.object({ id, failed: z.enum(["file", "data"]) }),
]);
export type FromInflate = z.infer<typeof fromInflateSchema>;
