/** Deflates on the thread pool of Node, so that a large export does not hold up other requests. */
import { pipeline } from "node:stream/promises";
import { createDeflateRaw } from "node:zlib";
import type { Bytes, Deflate } from "../../../shared/xlsx/zip.ts";

export const zlibDeflate: Deflate = async function* (source) {
  // Sheets are so repetitive that higher levels take time and gain little.
  const deflate = createDeflateRaw({ level: 4 });
  const fed = pipeline(source, deflate);
  // Its error is thrown by the loop below. When the reader disconnects, the early end is intended.
  fed.catch(() => undefined);
  try {
    for await (const chunk of deflate) yield chunk as Bytes;
    await fed;
  } finally {
    deflate.destroy();
  }
};
