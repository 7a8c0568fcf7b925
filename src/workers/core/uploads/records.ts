/**
 * What the queue of uploads stores (docs/session.md#uploads): a list for each account, the contents of each file, and the address of what the
 * server has in part. So the next core goes on with what a dead one did not finish.
 */
import { wireErrorSchema } from "../../../shared/protocol/wire-error.ts";
import { z } from "../../../shared/zod.ts";
import type { Kv } from "../contracts.ts";
import { type ResumePoint, resumePoint } from "../parts/index.ts";

const recordSchema = z.object({
  key: z.string(),
  name: z.string(),
  size: z.number(),
  /** The company of the file. */
  supplierId: z.string(),
  at: z.number(),
  survives: z.boolean(),
  /** The tab that began it. */
  tabId: z.string(),
  /** Null while it is to be sent. */
  over: z.enum(["failed", "done"]).nullable(),
  error: wireErrorSchema.nullable(),
  fileName: z.string().nullable(),
});
export type UploadRecord = z.infer<typeof recordSchema>;
const listSchema = z.array(recordSchema).catch([]);

/** The storage of one account. */
export interface Records {
  /** Rejects when the storage cannot be read. */
  read(): Promise<UploadRecord[]>;
  /** Replaces the list. Later lists are written later, and none before the list was read. */
  write(records: readonly UploadRecord[]): Promise<void>;
  /** Deletes the list. */
  clear(): Promise<void>;
  keep(key: string, file: Blob): Promise<void>;
  contents(key: string): Promise<Blob | null>;
  /** Deletes the contents of a file. */
  drop(key: string): Promise<void>;
  resume(key: string): ResumePoint;
}

export function createRecords(kv: Kv, accountId: string): Records {
  const place = (what: string, key: string): string => `uploads.${what}.${accountId}.${key}`;
  const list = `uploads.${accountId}`;
  let written: Promise<void> = Promise.resolve();
  /** Until the list was read, nothing is written over it. */
  let isRead = false;
  return {
    async read() {
      const stored = await kv.get<unknown>(list);
      isRead = true;
      return listSchema.parse(stored ?? []);
    },
    write(records) {
      const copy = structuredClone(records);
      written = written.then(async () => {
        if (!isRead) return;
        await (copy.length === 0 ? kv.del(list) : kv.set(list, copy));
      });
      return written;
    },
    clear: () => kv.del(list),
    keep: (key, file) => kv.set(place("file", key), file),
    async contents(key) {
      const file = await kv.get<unknown>(place("file", key));
      return file instanceof Blob ? file : null;
    },
    drop: (key) => kv.del(place("file", key)),
    resume: (key) => resumePoint(kv, place("parts", key)),
  };
}
