/** Read marks: receipts store them, and the history returns them in the format that the SDK reads. */
import { inArray, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { chatMessage, chatRead } from "../../../base/database/schema/chat.ts";
import { jsonObject } from "../wire/json-object.ts";
import type { Written } from "../wire/records.ts";
import { MessageBodyCodec, MetaCodec } from "../wire/wire.ts";

/** Stores the read marks that the receipts of a batch contain. */
export async function writeReads(
  tx: Pick<NodePgDatabase, "insert" | "update">,
  batch: readonly Written[],
): Promise<void> {
  const single: bigint[] = [];
  const marks = new Map<string, typeof chatRead.$inferInsert>();
  for (const { outgoing, id, duplicate } of batch) {
    if (duplicate || outgoing.reads === null) continue;
    if (outgoing.reads !== "all") single.push(outgoing.reads);
    else {
      const { sender: reader, recipient: sender } = outgoing;
      const key = `${reader}|${sender}`;
      const known = marks.get(key)?.upTo ?? 0n;
      marks.set(key, { reader, sender, upTo: id > known ? id : known });
    }
  }
  if (marks.size > 0) {
    // Always in the same order. Otherwise two processes could wait for each other's row locks.
    const rows = [...marks].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    await tx
      .insert(chatRead)
      .values(rows)
      .onConflictDoUpdate({
        target: [chatRead.reader, chatRead.sender],
        set: { upTo: sql`greatest(${chatRead.upTo}, excluded.up_to)` },
      });
  }
  if (single.length > 0) {
    await tx.update(chatMessage).set({ read: true }).where(inArray(chatMessage.id, single));
  }
}

/** A stored Meta with the mark that the SDK exposes as `isRead`. */
export const markedRead = (stored: Uint8Array): Uint8Array =>
  withMarks(stored, { isRead: true, isDelivered: true });

/** A stored Meta with marks that the SDK reads in the message's own JSON. */
export function withMarks(
  stored: Uint8Array,
  marks: Readonly<Record<string, unknown>>,
): Uint8Array {
  const meta = MetaCodec.decode(stored);
  const body = MessageBodyCodec.decode(meta.payload ?? new Uint8Array());
  const all = JSON.stringify({ ...jsonObject(body.meta), ...marks });
  return MetaCodec.encode({ ...meta, payload: MessageBodyCodec.encode({ ...body, meta: all }) });
}
