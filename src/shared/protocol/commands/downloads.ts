/** The queue of downloads of all tabs (docs/session.md#downloads). The slice `downloads` shows them by their keys. */
import { z } from "../../zod.ts";
import { blobSchema } from "../blob.ts";
import { groupIdSchema } from "../group-model.ts";
import { fileNameSchema } from "../rest/files.ts";
import { command, done, inCompany, none } from "./command.ts";
import { callSchema } from "./rest.ts";

const key = z.string().min(1).max(64);

/** Where the file comes from. */
export const downloadSourceSchema = z.discriminatedUnion("kind", [
  /** A file of the company. */
  z.object({ kind: z.literal("file"), fileName: fileNameSchema }),
  /** The file that a call answers. The call must say so (`download: true`). */
  callSchema.extend({ kind: z.literal("call") }),
  /** A file that was shared with a group of the chat. */
  z.object({ kind: z.literal("groupFile"), groupId: groupIdSchema, fileId: z.uuid() }),
]);
export type DownloadSource = z.infer<typeof downloadSourceSchema>;

export const downloadsCommands = {
  /** Puts a file into the queue. A key that is known already begins nothing. */
  start: inCompany(
    command(
      z.object({ key, name: z.string().min(1).max(255), source: downloadSourceSchema }),
      done,
    ),
  ),
  /** The file of a download that is done, which is then forgotten; null when there is none, or another tab took it. */
  collect: command(z.object({ key }), blobSchema.nullable()),
  /** Ends a download, or forgets one that failed; false when there is none with this key. */
  cancel: command(z.object({ key }), z.boolean()),
  /** Begins a failed download again, and a paused one at once; false when there is none with this key. */
  retry: command(z.object({ key }), z.boolean()),
  /** Forgets those that failed. */
  clear: command(none, done),
} as const;
