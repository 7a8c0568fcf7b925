/**
 * Serves the built console from its folder. Hashed assets may be cached forever, index.html never. index.html also answers
 * every path that only the console's router knows. Nothing is kept in memory, so a build that replaces the folder under a
 * running server is served immediately. If the build left a compressed copy beside a file, clients that accept the encoding get
 * the copy.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants as constantsOfZlib, gzip } from "node:zlib";
import type { Context } from "hono";
import { AppError } from "../../../shared/errors.ts";
import type { HttpEnv } from "../module.ts";
import { pageBelow } from "./base-path.ts";
import { errorResponse } from "./errors.ts";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".ttf": "font/ttf",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
  ".mp3": "audio/mpeg",
  ".wav": "audio/wav",
  ".ogg": "audio/ogg",
};

const INDEX = "/index.html";

interface StaticFile {
  readonly size: number;
  readonly etag: string;
  readonly type: string;
  readonly handle: FileHandle;
}

/** Encodings that the build writes, smallest first, with the file suffix. */
const ENCODINGS = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Both are fast enough for each request of a page: a tenth of a millisecond. */
const PACK = {
  br: (text: string) =>
    promisify(brotliCompress)(text, { params: { [constantsOfZlib.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text: string) => promisify(gzip)(text),
} as const satisfies Readonly<Record<Encoding["name"], unknown>>;

/**
 * @param header the `Accept-Encoding` header of the request
 * @returns the encodings that the client accepts, in the order of ENCODINGS; `*` covers those it does not name, q=0 refuses
 */
export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  const weights = new Map<string, number>();
  for (const part of (header ?? "").split(",")) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const q = parameters.find((one) => one.startsWith("q="));
    if (name !== "") weights.set(name, q === undefined ? 1 : Number(q.slice(2)));
  }
  return ENCODINGS.filter(({ name }) => (weights.get(name) ?? weights.get("*") ?? 0) > 0);
}

/** A path segment that no build produces: empty, hidden, or with characters that lead elsewhere. */
const UNSAFE = /^$|^\.|[\\%:\0]/;

/**
 * Opens the file of a path. The check that it lies in the folder uses the real path, so neither a path nor a symbolic link leads out.
 * Size and content come from one open file, even if a build replaces it meanwhile.
 *
 * @returns null when there is no such file; otherwise the caller closes the handle
 */
async function openFile(root: string, url: string): Promise<StaticFile | null> {
  const segments = url.split("/").slice(1);
  if (segments.some((segment) => UNSAFE.test(segment))) return null;
  const path = join(root, ...segments);
  let handle: FileHandle | null = null;
  try {
    const [realRoot, real] = await Promise.all([realpath(root), realpath(path)]);
    if (!real.startsWith(realRoot + sep)) return null;
    // O_NONBLOCK: opening a named pipe must not wait for its other end.
    handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await handle.stat();
    if (stat.isFile()) {
      const { size, mtimeMs } = stat;
      return {
        size,
        etag: `"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`,
        type: TYPES[extname(real).toLowerCase()] ?? "application/octet-stream",
        handle,
      };
    }
  } catch {
    // The file is missing or unreadable.
  }
  await handle?.close();
  return null;
}

/** Browsers ask for favicon.ico where a document names no icon, for example beside a file that opens in a tab. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "/": INDEX,
  "/favicon.ico": "/favicon.svg",
};

const digest = (text: string, as: "hex" | "base64"): string =>
  createHash("sha256").update(text).digest(as);

/** CSP sources for the page's own inline styles: one hash per `<style>` of index.html. */
function styleHashes(html: string): string[] {
  return [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(
    ([, style = ""]) => `'sha256-${digest(style, "base64")}'`,
  );
}

/**
 * @param dist folder of the build, read for each request; undefined or empty: every path is answered with 404
 * @param base path below which the console lies; only the page says it, so the same build serves any (docs/server.md#base-path)
 * @returns handler for requests that no route took
 */
export function createStaticHandler(
  dist: string | undefined,
  base = "",
): (c: Context<HttpEnv>) => Promise<Response> {
  const find = (path: string): Promise<StaticFile | null> =>
    dist === undefined ? Promise.resolve(null) : openFile(dist, path);

  async function send(
    c: Context,
    file: StaticFile,
    headers: Record<string, string>,
  ): Promise<Response> {
    const all = { ...headers, etag: file.etag, vary: "accept-encoding" };
    const sized = { ...all, "content-length": String(file.size) };
    const unchanged = c.req.header("if-none-match") === file.etag;
    if (unchanged || c.req.method === "HEAD" || file.size === 0) {
      await file.handle.close();
      return unchanged ? c.body(null, 304, all) : c.body(null, 200, sized);
    }
    // Send at most the announced size, even if the file grows. The stream closes the handle.
    const content = file.handle.createReadStream({ end: file.size - 1 });
    return c.body(Readable.toWeb(content) as ReadableStream, 200, sized);
  }

  /** Sends the page and names its inline styles for the content policy of this response. */
  async function sendPage(c: Context<HttpEnv>, file: StaticFile): Promise<Response> {
    const html = Buffer.alloc(file.size);
    await file.handle.read(html, 0, file.size, 0);
    await file.handle.close();
    const page = pageBelow(html.toString("utf8"), base);
    c.set("styleHashes", styleHashes(page));
    // The page depends on the base path, so the build has no compressed copy of it.
    const [encoding] = acceptedEncodings(c.req.header("accept-encoding"));
    const marks = [
      ...(base === "" ? [] : [digest(base, "hex")]),
      ...(encoding === undefined ? [] : [encoding.name]),
    ];
    const headers = {
      "content-type": file.type,
      "cache-control": "no-cache",
      vary: "accept-encoding",
      etag: file.etag.replace(/"$/, `${marks.map((mark) => `-${mark}`).join("")}"`),
      ...(encoding === undefined ? {} : { "content-encoding": encoding.name }),
    };
    if (c.req.header("if-none-match") === headers.etag) return c.body(null, 304, headers);
    const body = encoding === undefined ? Buffer.from(page) : await PACK[encoding.name](page);
    const sized = { ...headers, "content-length": String(body.length) };
    return c.req.method === "HEAD"
      ? c.body(null, 200, sized)
      : c.body(new Uint8Array(body), 200, sized);
  }

  async function sendFile(c: Context, path: string, file: StaticFile): Promise<Response> {
    const headers = {
      "content-type": file.type,
      "cache-control": path.startsWith("/assets/")
        ? "public, max-age=31536000, immutable"
        : "no-cache",
    };
    for (const { name, suffix } of acceptedEncodings(c.req.header("accept-encoding"))) {
      const packed = await find(path + suffix);
      if (packed === null) continue;
      await file.handle.close();
      return await send(c, packed, { ...headers, "content-encoding": name });
    }
    return await send(c, file, headers);
  }

  return async (c) => {
    const missing = (): Response => errorResponse(c, new AppError("request.not-found"));
    if (c.req.method !== "GET" && c.req.method !== "HEAD") return missing();
    const path = OTHER_NAMES[c.req.path] ?? c.req.path;
    const file = await find(path);
    if (file !== null) {
      return path === INDEX ? await sendPage(c, file) : await sendFile(c, path, file);
    }
    // A missing asset must be a 404. A page in its place would be cached and would break the build that requests it.
    const page = (c.req.header("accept") ?? "").includes("text/html") && extname(path) === "";
    const index = page && !path.startsWith("/assets/") ? await find(INDEX) : null;
    return index === null ? missing() : await sendPage(c, index);
  };
}
