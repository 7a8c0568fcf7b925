/** Contents of a file. Browsers, their workers and Node have the class, but the types of this folder know none of them. */
import { z } from "../zod.ts";

export type AnyBlob = typeof globalThis extends { Blob: { prototype: infer B } }
  ? B
  : { readonly size: number };

const TAGS = ["[object Blob]", "[object File]"];

export const blobSchema = z.custom<AnyBlob>((value) =>
  TAGS.includes(Object.prototype.toString.call(value)),
);
