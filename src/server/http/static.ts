/**
 * The built console from its folder: hashed assets for ever, index.html afresh, and index.html for every path that only the
 * console's own router knows. Nothing is remembered: a build that replaces the folder under a running server is served at once.
 */
import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { Readable } from "node:stream";
import type { Context } from "hono";
import { AppError } from "../../shared/errors.ts";
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

/** A segment that is none of a build's: empty, hidden, or with what leads elsewhere. */
const UNSAFE = /^$|^\.|[\\%:\0]/;

/**
 * Opens the file of a path. Whether it lies in the folder is asked of the opened file's real path, so that neither a path nor a
 * link leads out; size and content are those of one file, also when a build replaces it meanwhile.
 *
 * @returns null when there is none; who gets one closes its handle
 */
async function openFile(root: string, url: string): Promise<StaticFile | null> {
  const segments = url.split("/").slice(1);
  if (segments.some((segment) => UNSAFE.test(segment))) return null;
  const path = join(root, ...segments);
  let handle: FileHandle | null = null;
  try {
    const [realRoot, real] = await Promise.all([realpath(root), realpath(path)]);
    if (!real.startsWith(realRoot + sep)) return null;
    // no waiting for the other end, should somebody have put a pipe there
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
    // not there, or not to be read: either way there is nothing to give
  }
  await handle?.close();
  return null;
}

/**
 * @param dist folder of the build, read anew for each request; undefined or without files: every path is answered with 404
 * @returns handler for whatever no route took
 */
export function createStaticHandler(dist: string | undefined): (c: Context) => Promise<Response> {
  const find = (path: string): Promise<StaticFile | null> =>
    dist === undefined ? Promise.resolve(null) : openFile(dist, path);

  async function send(c: Context, file: StaticFile, cache: string): Promise<Response> {
    const headers = { "content-type": file.type, "cache-control": cache, etag: file.etag };
    const sized = { ...headers, "content-length": String(file.size) };
    const unchanged = c.req.header("if-none-match") === file.etag;
    if (unchanged || c.req.method === "HEAD" || file.size === 0) {
      await file.handle.close();
      return unchanged ? c.body(null, 304, headers) : c.body(null, 200, sized);
    }
    // not more than was promised, should the file grow; the stream closes the handle
    const content = file.handle.createReadStream({ end: file.size - 1 });
    return c.body(Readable.toWeb(content) as ReadableStream, 200, sized);
  }

  return async (c) => {
    const missing = (): Response => errorResponse(c, new AppError("request.not-found"));
    if (c.req.method !== "GET" && c.req.method !== "HEAD") return missing();
    const path = c.req.path;
    const file = await find(path === "/" ? INDEX : path);
    if (file !== null) {
      const cache = path.startsWith("/assets/")
        ? "public, max-age=31536000, immutable"
        : "no-cache";
      return await send(c, file, cache);
    }
    // a missing asset must fail as such: a page in its place would be cached and break the build that asks for it
    const page = (c.req.header("accept") ?? "").includes("text/html") && extname(path) === "";
    const index = page && !path.startsWith("/assets/") ? await find(INDEX) : null;
    return index === null ? missing() : await send(c, index, "no-cache");
  };
}
