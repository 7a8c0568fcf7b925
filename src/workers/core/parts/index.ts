/**
 * Sends a large file in parts by the tus protocol (docs/server.md#uploads-in-parts), for chat and for files of a company. What the server
 * has got stays there, so after an outage, or in the next core, the upload goes on where it broke off.
 */
import type { Upload as TusUpload } from "tus-js-client";
import type { ResumePoint } from "./resume-point.ts";

export { resumePoint, type ResumePoint } from "./resume-point.ts";

/** Bytes of one part: what is lost at most when a proxy keeps a request back until it is whole. */
export const PART = 2 * 1024 * 1024;

/** Why an upload ends: it was taken back, so that the server may drop what it has. */
export const TAKEN_BACK = "taken back";

export type LoadTus = () => Promise<{ readonly Upload: typeof TusUpload }>;

export interface PartsUpload {
  readonly file: Blob;
  /** @param sent bytes of all */
  readonly onSent: (sent: number, size: number) => void;
  /** @param accepted bytes of all that the server says it has */
  readonly onAccepted?: (accepted: number) => void;
  /** Its reason may be TAKEN_BACK. It has to end a connection that is dead: a part has no deadline of its own. */
  readonly signal: AbortSignal;
  readonly resume: ResumePoint;
}

export interface PartsServer {
  /** Where uploads are created. */
  readonly url: string;
  /** Asked for each request, because a long upload outlives a token. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /**
   * The error of a request without an answer, or with a refusal.
   *
   * @param status null: there was no answer
   */
  readonly errorOf: (status: number | null, body: string) => Error;
}

/** Answers to the question how much is there that mean: nothing, and never again. */
const GONE: ReadonlySet<number> = new Set([404, 410]);

/**
 * @returns the id by which the server knows the complete file; null: the code for parts is not there
 * @throws what `server.errorOf` makes
 */
export async function sendParts(
  upload: PartsUpload,
  server: PartsServer,
  load: LoadTus = () => import("tus-js-client"),
): Promise<string | null> {
  // A deployment may have removed the code of this build.
  const tus = await load().catch(() => null);
  if (tus === null) return null;
  const known = await upload.resume.read();
  try {
    return await attempt(tus.Upload, upload, server, known);
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    const isGone = known !== null && error.status !== null && GONE.has(error.status);
    if (!isGone) throw server.errorOf(error.status, error.body);
    await upload.resume.write(null);
    upload.onAccepted?.(0);
  }
  return await attempt(tus.Upload, upload, server, null).catch((error: unknown) => {
    throw error instanceof Broken ? server.errorOf(error.status, error.body) : error;
  });
}

class Broken extends Error {
  readonly status: number | null;
  readonly body: string;
  constructor(status: number | null, body: string) {
    super("the upload broke off");
    this.status = status;
    this.body = body;
  }
}

function brokenBy(error: unknown): Broken {
  const answer = (error as { originalResponse?: { getStatus(): number; getBody(): string } | null })
    .originalResponse;
  return answer == null ? new Broken(null, "") : new Broken(answer.getStatus(), answer.getBody());
}

/** @param known the address at which the upload goes on; null: it begins */
function attempt(
  Upload: typeof TusUpload,
  { file, onSent, onAccepted, signal, resume }: PartsUpload,
  server: PartsServer,
  known: string | null,
): Promise<string> {
  if (signal.aborted) return Promise.reject(new Broken(null, ""));
  return new Promise((resolve, reject) => {
    const job = new Upload(file, {
      // With both of them the library begins again whenever the question fails, for whatever reason.
      ...(known === null ? { endpoint: server.url } : { uploadUrl: known }),
      chunkSize: PART,
      // A small file needs no request of its own for its bytes.
      uploadDataDuringCreation: file.size <= PART,
      // Who asked decides when to try again.
      retryDelays: null,
      storeFingerprintForResuming: false,
      async onBeforeRequest(request) {
        for (const [name, value] of Object.entries(await server.headers())) {
          request.setHeader(name, value);
        }
      },
      onUploadUrlAvailable() {
        if (job.url !== null) resume.write(job.url).catch(() => undefined);
      },
      onProgress: (sent, size) => onSent(sent, size),
      onAfterResponse(_request, answer) {
        // The question how much is there is answered by it too, and each part.
        const accepted = answer.getHeader("Upload-Offset") ?? "";
        if (/^\d+$/.test(accepted) && answer.getStatus() < 300) onAccepted?.(Number(accepted));
      },
      onError: (error) => reject(brokenBy(error)),
      onSuccess: () => resolve(job.url?.split("/").at(-1) ?? ""),
    });
    signal.addEventListener("abort", () => {
      job.abort(signal.reason === TAKEN_BACK).catch(() => undefined);
      reject(new Broken(null, ""));
    });
    job.start();
  });
}
