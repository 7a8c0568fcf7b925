/**
 * Reads the files of a multipart body: streams them into temporary files and checks them by the rules of docs/server.md#files. Even a
 * refused body is read to its end, so that the browser gets the answer.
 */
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { AppError } from "../../../shared/errors.ts";
import { FILE_TYPES, type FileType, UPLOAD_LIMITS } from "../../../shared/protocol/rest/files.ts";
import type { Blobs, Spooled } from "../../base/storage/blobs.ts";
import { cleanName } from "../../base/storage/names.ts";
import { isOfType, typeOfName } from "./content.ts";

export interface Received extends Spooled {
  readonly originalName: string;
  readonly type: FileType;
}

const MEGABYTE = 1024 * 1024;

/** What a call takes. */
export interface ReceiveRules {
  readonly types: readonly FileType[];
  readonly files: number;
  readonly megabytes: number;
  /** What is inside decides the type alone. Left out: the name has to say the same. */
  readonly byContent?: boolean;
}
const USUAL: ReceiveRules = { types: FILE_TYPES, ...UPLOAD_LIMITS };

/** What is said of files that break the rules. */
export const refusals = ({ types, files, megabytes }: ReceiveRules) => ({
  type: () =>
    new AppError("file.wrong-type", {
      message: `文件格式不正确，请上传 ${types.join("/")} 格式文件！`,
    }),
  size: () => new AppError("file.too-large", { message: `上传文件大小不能超过 ${megabytes} MB！` }),
  count: () => new AppError("file.too-many", { message: `上传文件数量不能超过 ${files} 个！` }),
  missing: () => new AppError("request.invalid", { details: { fields: { file: "请选择文件" } } }),
});

/**
 * @returns the files, which the caller must keep or discard
 * @throws AppError request.invalid, file.wrong-type, file.too-large, file.too-many, file.upload-failed; no file stays behind
 *   then
 */
export async function receiveFiles(
  body: ReadableStream | null,
  contentType: string,
  blobs: Blobs,
  rules: ReceiveRules = USUAL,
): Promise<Received[]> {
  const refuse = refusals(rules);
  const form = /^multipart\/form-data\s*;.*\bboundary=/i.test(contentType);
  if (!form || body === null) {
    throw new AppError("request.invalid", {
      details: { fields: { "content-type": "multipart/form-data" } },
    });
  }
  const spooling: Promise<Received | null>[] = [];
  const streams: BusboyFileStream[] = [];
  let problem: AppError | null = null;

  function receiveStream(field: string, stream: BusboyFileStream, name: string): void {
    streams.push(stream);
    // The parser also reports a truncated body as an error of the file's stream.
    stream.on("error", () => {
      problem ??= new AppError("file.upload-failed");
    });
    // Of a file that only its content describes the type is found when it is there.
    const type =
      rules.byContent === true ? (rules.types[0] ?? null) : typeOfName(name, rules.types);
    if (field !== "file") problem ??= refuse.missing();
    else if (type === null) problem ??= refuse.type();
    if (problem !== null || type === null) {
      stream.resume();
      return;
    }
    stream.once("limit", () => {
      problem ??= refuse.size();
    });
    spooling.push(
      blobs.spool(stream).then(
        (spooled) => ({ ...spooled, originalName: cleanName(name), type }),
        () => {
          problem ??= new AppError("file.upload-failed");
          return null;
        },
      ),
    );
  }

  await new Promise<void>((resolve) => {
    const parser = new Busboy({
      headers: { "content-type": contentType },
      limits: {
        files: rules.files,
        fileSize: rules.megabytes * MEGABYTE,
        fields: 10,
        fieldSize: 1024,
        parts: rules.files + 10,
        headerPairs: 20,
        headerSize: 8192,
      },
    });
    const source = Readable.fromWeb(body);
    const fail = (): void => {
      // The body is truncated, or is not multipart.
      problem ??= new AppError("file.upload-failed");
      source.unpipe(parser);
      source.resume();
      parser.destroy();
      // Otherwise the files that are being written would wait forever.
      for (const stream of streams) stream.destroy();
      resolve();
    };
    parser.on("file", receiveStream);
    parser.on("filesLimit", () => {
      problem ??= refuse.count();
    });
    parser.on("partsLimit", () => {
      problem ??= refuse.count();
    });
    parser.on("error", fail);
    parser.on("finish", () => resolve());
    source.on("error", fail);
    source.pipe(parser);
  });

  const received = (await Promise.all(spooling)).filter((file) => file !== null);
  try {
    if (problem !== null) throw problem as AppError;
    if (received.length === 0) throw refuse.missing();
    const found: Received[] = [];
    for (const file of received) {
      const bytes = await blobs.read(file);
      const candidates = rules.byContent === true ? rules.types : [file.type];
      const type = candidates.find((one) => isOfType(bytes, one));
      if (type === undefined) throw refuse.type();
      found.push({ ...file, type });
    }
    return found;
  } catch (error) {
    await Promise.all(received.map((file) => blobs.discard(file)));
    throw error;
  }
}
