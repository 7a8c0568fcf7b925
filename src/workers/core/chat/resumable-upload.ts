/**
 * Uploads a large file in parts (docs/chat.md#resumable-uploads). What the server has got stays there, so after an outage, or in the next
 * core, the upload goes on where it broke off.
 */
import type { Upload as TusUpload } from "tus-js-client";
import { FAILURE } from "./failures.ts";
import { ChatFailure, type Upload } from "./port.ts";
import { failureOf, parsed } from "./upload-answers.ts";

/** Bytes of one part: what is lost at most when a proxy keeps a request back until it is whole. */
export const PART = 2 * 1024 * 1024;
/** ms for one part. */
const PART_DEADLINE = 120_000;

/** Why an upload ends: its message was taken back, so that the server may drop what it has. */
export const TAKEN_BACK = "taken back";

export type LoadTus = () => Promise<{ readonly Upload: typeof TusUpload }>;

const broken = (): ChatFailure => new ChatFailure(FAILURE.disconnected, "the upload broke off");
/** The failure of a request without an answer, or with a refusal. */
function failureFrom(error: unknown): ChatFailure {
  const answer = (error as { originalResponse?: { getStatus(): number; getBody(): string } | null })
    .originalResponse;
  return answer == null ? broken() : failureOf(answer.getStatus(), parsed(answer.getBody()));
}

/**
 * @param server.url where uploads are created
 * @returns the id by which the server knows the complete file; null: the code for parts is not there, and the file goes in one piece
 * @throws ChatFailure
 */
export async function uploadInParts(
  { file, onProgress, signal, resume }: Pick<Upload, "file" | "onProgress" | "signal" | "resume">,
  server: { readonly url: string; readonly token: string },
  load: LoadTus = () => import("tus-js-client"),
): Promise<string | null> {
  // A deployment may have removed the code of this build.
  const tus = await load().catch(() => null);
  if (tus === null) return null;
  const known = await resume.read();
  if (signal.aborted) throw broken();
  return new Promise((resolve, reject) => {
    const job = new tus.Upload(file, {
      endpoint: server.url,
      ...(known === null ? {} : { uploadUrl: known }),
      headers: { Authorization: `Bearer ${server.token}` },
      chunkSize: PART,
      // The outbox decides when to try again.
      retryDelays: null,
      storeFingerprintForResuming: false,
      onBeforeRequest(request) {
        const wire = request.getUnderlyingObject() as Partial<XMLHttpRequest> | undefined;
        if (wire === undefined) return;
        wire.timeout = PART_DEADLINE;
        wire.ontimeout = () => reject(broken());
      },
      onUploadUrlAvailable() {
        if (job.url !== null) resume.write(job.url).catch(() => undefined);
      },
      onProgress: (sent, total) => onProgress(total > 0 ? sent / total : 0),
      onError: (error) => reject(failureFrom(error)),
      onSuccess: () => resolve(job.url?.split("/").at(-1) ?? ""),
    });
    signal.addEventListener("abort", () => {
      job.abort(signal.reason === TAKEN_BACK).catch(() => undefined);
      reject(broken());
    });
    job.start();
  });
}
