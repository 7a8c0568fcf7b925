/** The provider's calls for files (docs/chat.md#files): upload, and download by the file's secret. */
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { Context, Hono } from "hono";
import type { ByteRange } from "../../base/storage/blobs.ts";
import { disposition } from "../../base/storage/names.ts";
import type { ChatFiles, ReadableFile } from "./chat-files.ts";
import { isPicture } from "./media-types.ts";
import { type Env, ProviderError } from "./provider-app.ts";

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

export const announcedSize = (header: string | undefined): number | undefined => {
  const size = Number(header);
  return header !== undefined && Number.isSafeInteger(size) && size >= 0 ? size : undefined;
};

/** Answers with the file, or the part of it that the request asks for. */
export async function sendFile(
  c: Context<Env>,
  blobs: ChatFiles["blobs"],
  file: ReadableFile,
): Promise<Response> {
  const range = rangeOf(c.req.header("range"), file.size);
  const headers: Record<string, string> = {
    "content-type": file.contentType,
    "content-disposition": disposition(
      "file",
      file.name,
      isPicture(file.contentType) ? "inline" : "attachment",
    ),
    "accept-ranges": "bytes",
    "cache-control": "private, max-age=3600",
  };
  if (range === "none") {
    return new Response(null, {
      status: 416,
      headers: { ...headers, "content-range": `bytes */${file.size}` },
    });
  }
  const content = await blobs.open(file.hash);
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  return new Response(Readable.toWeb(content.stream({ start, end })) as globalThis.ReadableStream, {
    status: range === null ? 200 : 206,
    headers: {
      ...headers,
      "content-length": String(end - start + 1),
      ...(range === null ? {} : { "content-range": `bytes ${start}-${end}/${file.size}` }),
    },
  });
}

/** Adds the download, which needs no login: a picture element sends no token. The secret opens the file. */
export function addDownload(app: Hono<Env>, files: ChatFiles): void {
  app.get("/chatfiles/:uuid", async (c) => {
    const secret = c.req.header("share-secret") ?? c.req.query("share-secret") ?? "";
    const wanted =
      c.req.query("vframe") === "true"
        ? "frame"
        : c.req.query("thumbnail") === "true"
          ? "thumbnail"
          : "file";
    return await sendFile(c, files.blobs, await files.find(c.req.param("uuid"), secret, wanted));
  });
}

/** Adds the upload, for callers with a chat token. */
export function addUpload(
  app: Hono<Env>,
  files: ChatFiles,
  answer: (c: Context<Env>, fields: Record<string, unknown>) => Response,
): void {
  for (const path of ["/chatfiles/resumable", "/chatfiles/resumable/:id"]) {
    app.all(path, (c) => files.resumable.handle(c.get("identity").userName, c.req.raw));
  }
  app.post("/chatfiles", async (c) => {
    const target = c.req.query("chat-target") ?? "";
    const type = c.req.query("chat-type") ?? "CHAT";
    if (target === "" || !/^(CHAT|GROUP|ROOM)$/.test(type)) {
      throw new ProviderError(400, "illegal_argument", "invalid parameter chat-target");
    }
    const stored = await files.store({
      owner: c.get("identity").userName,
      target: type === "CHAT" ? target : null,
      announced: announcedSize(c.req.header("content-length")),
      body: c.req.raw.body as ReadableStream | null,
      contentType: c.req.header("content-type") ?? "",
    });
    return answer(c, {
      entities: [
        {
          uuid: stored.uuid,
          type: "chatfile",
          "share-secret": stored.secret,
          "file-metadata": {
            "content-type": stored.contentType,
            "content-length": stored.size,
          },
        },
      ],
    });
  });
}
