/**
 * Uploads a file for a chat message by the provider's call. The SDK's own upload cannot be cancelled, sends the message in the same step,
 * and knows no smaller picture; the message must be stored between the two (docs/chat.md#files).
 */
import { z } from "../../../../shared/zod.ts";
import { FAILURE } from "./failures.ts";
import { failureOf, parsed } from "./upload-answers.ts";
import { RESUMABLE_FROM } from "../../../../shared/domain/chat-files.ts";
import { uploadInParts } from "./resumable-upload.ts";
import { ChatFailure, type Upload, type UploadedFile } from "./port.ts";

/** ms for one upload. */
const UPLOAD_DEADLINE = 300_000;

const answerSchema = z.object({
  entities: z.tuple([z.object({ uuid: z.uuid(), "share-secret": z.string() })]),
});

/**
 * Sends a form by the provider's rules.
 *
 * @param read takes what is wanted of the answer; null when it is not there
 * @throws ChatFailure
 */
export function postForm<T>(
  form: FormData,
  to: { readonly url: string; readonly token: string },
  { onProgress, signal }: Pick<Upload, "onProgress" | "signal">,
  read: (body: unknown) => T | null,
  newRequest: () => XMLHttpRequest = () => new XMLHttpRequest(),
): Promise<T> {
  return new Promise((resolve, reject) => {
    // fetch would not say how far it is
    const request = newRequest();
    const failed = (): void =>
      reject(new ChatFailure(FAILURE.disconnected, "the upload broke off"));
    request.open("POST", to.url);
    request.setRequestHeader("Authorization", `Bearer ${to.token}`);
    request.setRequestHeader("restrict-access", "true");
    request.timeout = UPLOAD_DEADLINE;
    request.upload.onprogress = ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total);
    };
    request.onerror = failed;
    request.onabort = failed;
    request.ontimeout = failed;
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status !== 200) return reject(failureOf(request.status, body));
      const answer = read(body);
      if (answer === null) failed();
      else resolve(answer);
    };
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}

/** @param uploaded id of the file that the server has in parts; null: the form carries it */
export function addFile(
  form: FormData,
  { file, name }: Pick<Upload, "file" | "name">,
  uploaded: string | null,
): void {
  if (uploaded === null) return form.append("file", file, name);
  form.append("upload", uploaded);
  form.append("name", name);
}

/**
 * @param server.files the address of the provider's files
 * @param server.type what the receiver is
 * @returns the uploaded file
 * @throws ChatFailure
 */
export async function uploadFile(
  upload: Upload,
  server: {
    readonly files: string;
    readonly token: string;
    readonly type: "CHAT" | "GROUP";
    /** Whether the server takes a large file in parts. */
    readonly resumable: boolean;
  },
  newRequest?: () => XMLHttpRequest,
): Promise<UploadedFile> {
  const { to, file, thumb } = upload;
  const inParts = server.resumable && file.size > RESUMABLE_FROM;
  const id = inParts
    ? await uploadInParts(upload, { url: `${server.files}/resumable`, token: server.token })
    : null;
  const query = new URLSearchParams({ "chat-type": server.type, "chat-target": to });
  const form = new FormData();
  addFile(form, upload, id);
  if (thumb !== null) form.append("thumbnail", thumb, "thumbnail");
  const uploaded = await postForm(
    form,
    { url: `${server.files}?${query.toString()}`, token: server.token },
    // The parts already reported the progress.
    id === null ? upload : { ...upload, onProgress: () => undefined },
    (body) => {
      const answer = answerSchema.safeParse(body);
      if (!answer.success) return null;
      const [{ uuid, "share-secret": secret }] = answer.data.entities;
      return { url: `${server.files}/${uuid}`, secret };
    },
    newRequest,
  ).catch(async (error: unknown) => {
    // A server that refuses has dropped the parts, so the next attempt begins with the first.
    const refused = error instanceof ChatFailure && error.type !== FAILURE.disconnected;
    if (id !== null && refused) await upload.resume.write(null);
    throw error;
  });
  if (id !== null) await upload.resume.write(null);
  return uploaded;
}
