/**
 * Reads the body of an upload (docs/chat.md#files): one file, or the id of one that came before, and the smaller picture that our client adds. Both are streamed into
 * temporary files. Even a refused body is read to its end, so that the sender gets the answer.
 */
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { CHAT_FILE_MAX } from "../../../../shared/domain/chat-files.ts";
import type { Blobs, Spooled } from "../../../base/storage/blobs.ts";
import { cleanName } from "../../../base/storage/names.ts";
import { CHAT_LIMITS } from "../limits.ts";
import { ProviderError } from "../rest/provider-app.ts";

export interface ReceivedFile {
  readonly file: Spooled;
  readonly name: string;
  readonly thumb: Spooled | null;
}

const bad = (what: string): ProviderError => new ProviderError(400, "illegal_argument", what);

/** Whether the server could not read or write, as without space. */
const isOfDisk = (error: unknown): error is Error => error instanceof Error && "syscall" in error;

/**
 * @returns the contents, which the caller must keep or discard
 * @throws ProviderError for anything but one file of the allowed size, and any error of the disk; no content stays behind then
 */
export async function receiveChatFile(
  body: ReadableStream | null,
  contentType: string,
  blobs: Pick<Blobs, "spool" | "discard">,
  takeUploaded: (id: string) => Promise<Spooled>,
): Promise<ReceivedFile> {
  if (!/^multipart\/form-data\s*;.*\bboundary=/i.test(contentType) || body === null) {
    throw bad("the body must be multipart/form-data");
  }
  const spooling = new Map<string, Promise<Spooled | null>>();
  const streams: BusboyFileStream[] = [];
  let problem: Error | null = null;
  let name = "";
  let uploaded = "";

  function receiveStream(field: string, stream: BusboyFileStream, given: string): void {
    streams.push(stream);
    // The parser also reports a truncated body as an error of the file's stream.
    stream.on("error", () => {
      problem ??= bad("the body is incomplete");
    });
    if ((field !== "file" && field !== "thumbnail") || spooling.has(field)) {
      problem ??= bad(`unexpected field ${field.slice(0, 40)}`);
    }
    if (problem !== null) {
      stream.resume();
      return;
    }
    if (field === "file") name = cleanName(given);
    stream.once("limit", () => {
      problem ??= new ProviderError(413, "request_entity_too_large", "the file is too large");
    });
    spooling.set(
      field,
      blobs.spool(stream).catch((error: unknown) => {
        problem ??= isOfDisk(error) ? error : bad("the body is incomplete");
        return null;
      }),
    );
  }

  await new Promise<void>((resolve) => {
    const parser = new Busboy({
      headers: { "content-type": contentType },
      limits: {
        files: 2,
        fileSize: CHAT_FILE_MAX,
        fields: 10,
        fieldSize: 1024,
        parts: 12,
        headerPairs: 20,
        headerSize: 8192,
      },
    });
    const source = Readable.fromWeb(body);
    const fail = (): void => {
      problem ??= bad("the body is not multipart/form-data");
      source.unpipe(parser);
      source.resume();
      parser.destroy();
      // Otherwise the files that are being written would wait forever.
      for (const stream of streams) stream.destroy();
      resolve();
    };
    parser.on("file", receiveStream);
    parser.on("field", (field, value) => {
      if (field === "upload") uploaded = value;
      if (field === "name" && name === "") name = cleanName(value);
    });
    for (const event of ["filesLimit", "partsLimit"] as const) {
      parser.on(event, () => {
        problem ??= bad("too many parts");
      });
    }
    parser.on("error", fail);
    parser.on("finish", () => resolve());
    source.on("error", fail);
    source.pipe(parser);
  });

  const sent = (await spooling.get("file")) ?? null;
  const thumb = (await spooling.get("thumbnail")) ?? null;
  if (thumb !== null && thumb.size > CHAT_LIMITS.thumbBytes) {
    problem ??= new ProviderError(413, "request_entity_too_large", "the thumbnail is too large");
  }
  let file = sent;
  if (file === null && problem === null && uploaded !== "") {
    file = await takeUploaded(uploaded).catch((error: unknown) => {
      problem = error instanceof Error ? error : bad("the upload cannot be read");
      return null;
    });
  }
  if (file === null || file.size === 0) problem ??= bad("the file is missing or empty");
  if (problem === null && file !== null) return { file, name: name === "" ? "file" : name, thumb };
  for (const spooled of [file, thumb]) if (spooled !== null) await blobs.discard(spooled);
  throw problem ?? bad("the file is missing or empty");
}
