/** The provider's calls about files of groups, for sdk.ts. The SDK's own upload and download give no promise. */
import { z } from "../../../../shared/zod.ts";
import { FAILURE } from "./failures.ts";
import { ChatFailure, type GroupFile, type GroupFileCalls } from "./port.ts";
import { uploadInParts } from "./resumable-upload.ts";
import { addFile, postForm } from "./sdk-upload.ts";
import { failureOf } from "./upload-answers.ts";

export interface SdkGroupFileMethods {
  getGroupSharedFilelist(options: object): Promise<unknown>;
  deleteGroupSharedFile(options: object): Promise<unknown>;
}

/** Files of a page, and pages. */
const PAGE = 200;
const PAGES = 10;
const listSchema = z.object({
  data: z.array(
    z.object({
      file_id: z.string(),
      file_name: z.string(),
      file_owner: z.string(),
      file_size: z.number(),
      created: z.number(),
    }),
  ),
});

/** The body of an answer, which is counted while it comes. */
async function readBody(
  answer: Response,
  onReceived: (received: number, total: number | null) => void,
): Promise<Blob> {
  const type = answer.headers.get("content-type") ?? "";
  const length = answer.headers.get("content-length");
  const total = length === null ? null : Number(length);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  const reader = answer.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return new Blob(pieces, { type });
    pieces.push(value);
    received += value.length;
    onReceived(received, total);
  }
}

export function createGroupFileCalls(
  conn: SdkGroupFileMethods,
  server: {
    /** Address of a group at the provider. */
    readonly group: (groupId: string) => string;
    /** Where parts are sent; null: the server takes none. */
    readonly parts: string | null;
    readonly token: () => string;
  },
  /** Makes any rejection a ChatFailure. */
  guard: <T>(run: () => Promise<T>) => Promise<T>,
): GroupFileCalls {
  const address = (groupId: string): string => `${server.group(groupId)}/share_files`;
  return {
    list: (groupId) =>
      guard(async () => {
        const found: GroupFile[] = [];
        for (let pageNum = 1; pageNum <= PAGES; pageNum += 1) {
          const options = { groupId, pageNum, pageSize: PAGE };
          const { data } = listSchema.parse(await conn.getGroupSharedFilelist(options));
          found.push(
            ...data.map((row) => ({
              id: row.file_id,
              name: row.file_name,
              owner: row.file_owner,
              size: row.file_size,
              at: row.created,
            })),
          );
          if (data.length < PAGE) break;
        }
        return found;
      }),
    async sendParts(upload) {
      if (server.parts === null) return null;
      return await uploadInParts(upload, { url: server.parts, token: server.token() });
    },
    share: (groupId, upload) => {
      const form = new FormData();
      addFile(form, upload, upload.uploaded);
      const to = { url: address(groupId), token: server.token() };
      return postForm(form, to, upload, () => true).then(() => undefined);
    },
    read: (groupId, fileId, { onReceived, signal }) =>
      guard(async () => {
        const answer = await fetch(`${address(groupId)}/${encodeURIComponent(fileId)}`, {
          headers: { authorization: `Bearer ${server.token()}` },
          signal,
        });
        if (answer.status === 404) throw new ChatFailure(FAILURE.fileGone, "the file is gone");
        if (!answer.ok) throw failureOf(answer.status, null);
        return await readBody(answer, onReceived);
      }),
    remove: (groupId, fileId) =>
      guard(async () => {
        await conn.deleteGroupSharedFile({ groupId, fileId });
      }),
  };
}
