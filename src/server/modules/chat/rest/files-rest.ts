/** The provider's calls for files (docs/chat.md#files): upload, and download by the file's secret. */
import type { ReadableStream } from "node:stream/web";
import type { Context, Hono } from "hono";
import { answerFile } from "../../../base/http/answer-file.ts";
import { disposition } from "../../../base/storage/names.ts";
import type { ChatFiles, ReadableFile } from "../files/chat-files.ts";
import { isPicture } from "../files/media-types.ts";
import { type Env, ProviderError } from "./provider-app.ts";
import { partsOwner } from "../files/resumable.ts";

export const announcedSize = (header: string | undefined): number | undefined => {
  const size = Number(header);
  return header !== undefined && Number.isSafeInteger(size) && size >= 0 ? size : undefined;
};

/** Answers with the file, or the part of it that the request asks for. */
export const sendFile = (
  c: Context<Env>,
  blobs: ChatFiles["blobs"],
  file: ReadableFile,
): Promise<Response> =>
  answerFile(c.req.raw.headers, () => blobs.open(file.hash), {
    size: file.size,
    hash: file.hash,
    headers: {
      "content-type": file.contentType,
      "content-disposition": disposition(
        "file",
        file.name,
        isPicture(file.contentType) ? "inline" : "attachment",
      ),
      "cache-control": "private, max-age=3600",
    },
  });

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
    app.all(path, (c) => files.resumable.handle(partsOwner(c.get("identity").userName), c.req.raw));
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
