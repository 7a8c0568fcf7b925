/** Answers a request with a stored file, or with the part of it that the request asks for (docs/server.md#files). */
import { Readable } from "node:stream";
import type { Blobs, ByteRange } from "../storage/blobs.ts";

/** The bytes that a Range header asks for; null for all of them, "none" when the file has none of them. */
export function rangeOf(header: string | undefined, size: number): ByteRange | null | "none" {
  const parts = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  const [, from = "", to = ""] = parts ?? [];
  // Several ranges, other units and nonsense are answered with the whole file, as the standard allows.
  if (parts === null || (from === "" && to === "")) return null;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size ? "none" : { start, end };
}

/** Whether an If-None-Match header names the file that the browser has. */
const isKnown = (header: string | null, etag: string): boolean =>
  (header ?? "")
    .split(",")
    .map((one) => one.trim().replace(/^W\//, ""))
    .some((one) => one === etag || one === "*");

/**
 * @param open is called when bytes are sent, and not for 304 and 416
 * @param file.headers of every answer with the file
 */
export async function answerFile(
  asked: Headers,
  open: () => ReturnType<Blobs["open"]>,
  file: {
    /** Bytes. */
    readonly size: number;
    readonly hash: string;
    readonly headers: Readonly<Record<string, string>>;
  },
): Promise<Response> {
  const etag = `"${file.hash}"`;
  const headers = { ...file.headers, "accept-ranges": "bytes", etag };
  if (isKnown(asked.get("if-none-match"), etag))
    return new Response(null, { status: 304, headers });
  // Parts of another content would not fit those that the browser has.
  const same = [null, etag].includes(asked.get("if-range"));
  const range = same ? rangeOf(asked.get("range") ?? undefined, file.size) : null;
  if (range === "none") {
    return new Response(null, {
      status: 416,
      headers: { ...headers, "content-range": `bytes */${file.size}` },
    });
  }
  const content = await open();
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  // An empty file has no last byte.
  const bytes = content.stream(file.size === 0 ? undefined : { start, end });
  return new Response(Readable.toWeb(bytes) as globalThis.ReadableStream, {
    status: range === null ? 200 : 206,
    headers: {
      ...headers,
      "content-length": String(end - start + 1),
      ...(range === null ? {} : { "content-range": `bytes ${start}-${end}/${file.size}` }),
    },
  });
}
