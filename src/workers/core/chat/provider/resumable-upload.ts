/** Uploads a large file of chat in parts (docs/chat.md#resumable-uploads). */
import { type LoadTus, type ResumePoint, resumePoint, sendParts } from "../../parts/index.ts";
import type { Kv } from "../../contracts.ts";
import { FAILURE } from "./failures.ts";
import { ChatFailure, type Upload } from "./port.ts";
import { failureOf, parsed } from "./upload-answers.ts";

/** @param key of the file, unique among those of this person */
export const chatResumePoint = (kv: Kv, me: string, key: string): ResumePoint =>
  resumePoint(kv, `chat.parts.${me}.${key}`);

/**
 * @param server.url where uploads are created
 * @returns the id by which the server knows the complete file; null: the code for parts is not there, and the file goes in one piece
 * @throws ChatFailure
 */
export const uploadInParts = (
  { file, onProgress, signal, resume }: Pick<Upload, "file" | "onProgress" | "signal" | "resume">,
  server: { readonly url: string; readonly token: string },
  load?: LoadTus,
): Promise<string | null> =>
  sendParts(
    { file, signal, resume, onSent: (sent, size) => onProgress(size > 0 ? sent / size : 0) },
    {
      url: server.url,
      headers: () => Promise.resolve({ Authorization: `Bearer ${server.token}` }),
      errorOf: (status, body) =>
        status === null
          ? new ChatFailure(FAILURE.disconnected, "the upload broke off")
          : failureOf(status, parsed(body)),
    },
    load,
  );
