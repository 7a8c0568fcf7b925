/**
 * The gateway's tables. One transaction writes a batch of messages with their inbox entries; everything else is single
 * statements.
 */
import { and, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { chatCursor, chatMessage } from "../../base/database/schema/chat.ts";
import { imGroups } from "../../base/database/schema/im.ts";
import { countOf } from "../../base/tasks/index.ts";
import { type Editable, lockEdited } from "./messages/edits.ts";
import { createInboxes, type Inboxes } from "./delivery/inboxes.ts";
import { CHAT_LIMITS } from "./limits.ts";
import { writeReads } from "./conversations/reads.ts";
import { audienceOf, conversationOf, groupIdOf } from "./wire/records.ts";
import type { InboxPlace, Outgoing, StoredMessage, Written } from "./wire/records.ts";

/** `now` is in milliseconds since the epoch everywhere. */
export interface ChatStore extends Omit<Inboxes, "sweepInboxes"> {
  /** Writes messages and inbox entries in one transaction, in the given order. A resend gets the id of its first sending. */
  writeBatch(
    batch: readonly { outgoing: Outgoing; id: bigint; sentAt: number }[],
  ): Promise<Written[]>;
  message(id: bigint): Promise<StoredMessage | undefined>;
  /** Whether a message of this sender stands in the history of the two. */
  wrote(sender: string, recipient: string): Promise<boolean>;
  /** A message with what an edit of it needs. */
  editable(id: bigint): Promise<Editable | undefined>;
  /** Deletes expired entries and entries beyond the inbox limit. */
  sweep(now: number): Promise<number>;
}

const resendKey = (m: { sender: string; clientId: string; digest: string }): string =>
  `${m.sender}\n${m.clientId}\n${m.digest}`;

export function createChatStore(db: NodePgDatabase): ChatStore {
  async function writeBatch(
    batch: readonly { outgoing: Outgoing; id: bigint; sentAt: number }[],
  ): Promise<Written[]> {
    return await db.transaction(async (tx) => {
      const targets = batch.flatMap(({ outgoing }) => outgoing.edit?.target ?? []);
      const edits = await lockEdited(tx, targets);
      const rows = batch.map(({ outgoing, id, sentAt }) => ({
        id,
        editOf: outgoing.edit?.target ?? null,
        recalled: outgoing.edit != null && edits.isRecalled(outgoing.edit.target),
        sender: outgoing.sender,
        recipient: outgoing.recipient,
        conversation: conversationOf(outgoing.sender, outgoing.recipient),
        clientId: outgoing.clientId,
        digest: outgoing.digest,
        kind: outgoing.kind,
        roams: outgoing.roams,
        directed: outgoing.directed === undefined ? null : [...outgoing.directed],
        sentAt,
        meta: outgoing.build(
          id,
          sentAt,
          outgoing.edit == null
            ? undefined
            : edits.next(outgoing.edit.target, outgoing.sender, sentAt),
        ),
      }));
      const fresh = await insertMessages(tx, rows);

      const earlier = new Map<string, { id: bigint; sentAt: number; meta: Uint8Array }>();
      const repeated = rows.filter((r) => !fresh.has(r.id));
      if (repeated.length > 0) {
        const found = await tx
          .select({
            id: chatMessage.id,
            sender: chatMessage.sender,
            clientId: chatMessage.clientId,
            digest: chatMessage.digest,
            sentAt: chatMessage.sentAt,
            meta: chatMessage.meta,
          })
          .from(chatMessage)
          .where(
            and(
              inArray(chatMessage.sender, [...new Set(repeated.map((r) => r.sender))]),
              inArray(chatMessage.clientId, [...new Set(repeated.map((r) => r.clientId))]),
            ),
          );
        for (const row of found) earlier.set(resendKey(row), row);
      }

      const places = new Map<bigint, InboxPlace[]>(batch.map(({ id }) => [id, []]));
      const written = batch.map(({ outgoing, id, sentAt }, i): Written => {
        const first = fresh.has(id) ? undefined : earlier.get(resendKey(outgoing));
        const row = rows[i];
        if (first === undefined) {
          const meta = row?.meta ?? new Uint8Array();
          return { outgoing, id, sentAt, duplicate: false, meta, places: places.get(id) ?? [] };
        }
        const { id: firstId, sentAt: firstAt, meta } = first;
        return { outgoing, id: firstId, sentAt: firstAt, duplicate: true, meta, places: [] };
      });

      const entries = written.flatMap(entriesOf);
      const keys = await insertEntries(tx, entries);
      for (const [at, entry] of entries.entries()) {
        places.get(entry.id)?.push({ ...entry, key: keys[at] ?? 0n });
      }

      await writeReads(tx, written);
      await edits.apply(written);
      const recalled = written.flatMap((w) =>
        w.duplicate || w.outgoing.recalls === null ? [] : [w.outgoing.recalls],
      );
      if (recalled.length > 0) {
        await tx
          .update(chatMessage)
          .set({ recalled: true })
          .where(or(inArray(chatMessage.id, recalled), inArray(chatMessage.editOf, recalled)));
      }
      return await withRosters(tx, written);
    });
  }

  const { sweepInboxes, ...inboxes } = createInboxes(db);
  return {
    ...inboxes,
    writeBatch,
    async message(id) {
      const [row] = await db
        .select({
          id: chatMessage.id,
          sender: chatMessage.sender,
          recipient: chatMessage.recipient,
          kind: chatMessage.kind,
          sentAt: chatMessage.sentAt,
          recalled: chatMessage.recalled,
          directed: chatMessage.directed,
        })
        .from(chatMessage)
        .where(eq(chatMessage.id, id));
      return row;
    },
    async wrote(sender, recipient) {
      const rows = await db
        .select({ id: chatMessage.id })
        .from(chatMessage)
        .where(
          and(
            eq(chatMessage.conversation, conversationOf(sender, recipient)),
            eq(chatMessage.sender, sender),
            eq(chatMessage.roams, true),
          ),
        )
        .limit(1);
      return rows.length > 0;
    },
    async editable(id) {
      const [row] = await db
        .select({
          sender: chatMessage.sender,
          recipient: chatMessage.recipient,
          kind: chatMessage.kind,
          recalled: chatMessage.recalled,
          edits: chatMessage.edits,
          meta: chatMessage.meta,
        })
        .from(chatMessage)
        // An edit goes to the whole conversation, so only what stands in its history may be edited.
        .where(and(eq(chatMessage.id, id), eq(chatMessage.roams, true)));
      return row;
    },
    async sweep(now) {
      let removed = await sweepInboxes();
      const statements = [
        db
          .delete(chatMessage)
          .where(
            and(
              eq(chatMessage.roams, false),
              lt(chatMessage.sentAt, now - CHAT_LIMITS.transientMs),
            ),
          ),
        db.delete(chatCursor).where(lt(chatCursor.seenAt, now - CHAT_LIMITS.cursorMs)),
        db.execute(sql`delete from chat_presence_subscription where expires_at < ${now}::bigint`),
      ];
      for (const statement of statements) removed += await countOf(statement);
      return removed;
    },
  };
}

type MessageRow = Omit<typeof chatMessage.$inferSelect, "read" | "edits">;

/**
 * As arrays: the query builder would work longer on the values of a large batch than the database.
 *
 * @returns the ids of those that were not stored before
 */
async function insertMessages(
  tx: Pick<NodePgDatabase, "execute">,
  rows: readonly MessageRow[],
): Promise<ReadonlySet<bigint>> {
  const column = (valueOf: (row: MessageRow) => unknown) => sql.param(rows.map(valueOf));
  const inserted = await tx.execute<{ id: string }>(sql`
    insert into chat_message (id, edit_of, recalled, sender, recipient, conversation, client_id,
      digest, kind, roams, directed, sent_at, meta)
    select id, edit_of, recalled, sender, recipient, conversation, client_id, digest, kind, roams,
      (select array_agg(d.name order by d.at)
        from jsonb_array_elements_text(directed::jsonb) with ordinality as d (name, at)),
      sent_at, meta
    from unnest(${column(({ id }) => String(id))}::bigint[],
      ${column(({ editOf }) => (editOf === null ? null : String(editOf)))}::bigint[],
      ${column(({ recalled }) => recalled)}::boolean[],
      ${column(({ sender }) => sender)}::text[],
      ${column(({ recipient }) => recipient)}::text[],
      ${column(({ conversation }) => conversation)}::text[],
      ${column(({ clientId }) => clientId)}::text[],
      ${column(({ digest }) => digest)}::text[],
      ${column(({ kind }) => kind)}::smallint[],
      ${column(({ roams }) => roams)}::boolean[],
      ${column(({ directed }) => (directed === null ? null : JSON.stringify(directed)))}::text[],
      ${column(({ sentAt }) => sentAt)}::bigint[],
      ${column(({ meta }) => Buffer.from(meta.buffer, meta.byteOffset, meta.byteLength))}::bytea[])
      as m (id, edit_of, recalled, sender, recipient, conversation, client_id, digest, kind, roams,
        directed, sent_at, meta)
    on conflict (sender, client_id, digest) do nothing
    returning id::text`);
  return new Set(inserted.rows.map(({ id }) => BigInt(id)));
}

type Entry = Omit<InboxPlace, "key">;

/**
 * Adds entries at the end of their inboxes, in the given order. As arrays, because a batch for large groups has more values than one
 * statement takes parameters.
 *
 * @returns the key of each
 */
async function insertEntries(
  tx: Pick<NodePgDatabase, "execute">,
  entries: readonly Entry[],
): Promise<bigint[]> {
  if (entries.length === 0) return [];
  const counts = new Map<string, number>();
  /** Its place among those of its inbox, from 1. */
  const nth = entries.map(({ owner }) => {
    const n = (counts.get(owner) ?? 0) + 1;
    counts.set(owner, n);
    return n;
  });
  /** How many of its inbox follow it. */
  const behind = entries.map(({ owner }, at) => (counts.get(owner) ?? 0) - (nth[at] ?? 0));
  // Always in the same order. Otherwise two processes could wait for each other's row locks.
  const owners = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const { rows } = await tx.execute<{ user_name: string; last_key: string }>(sql`
    with heads as (
      insert into chat_inbox_head as h (user_name, last_key)
      select * from unnest(${sql.param(owners.map(([name]) => name))}::text[],
        ${sql.param(owners.map(([, n]) => n))}::bigint[])
      on conflict (user_name) do update set last_key = h.last_key + excluded.last_key
      returning user_name, last_key
    ), added as (
      insert into chat_inbox (user_name, key, message_id, except_resource)
      select e.owner, heads.last_key - e.behind, e.id, e.except_resource
      from unnest(${sql.param(entries.map((e) => e.owner))}::text[],
        ${sql.param(behind)}::bigint[],
        ${sql.param(entries.map((e) => String(e.id)))}::bigint[],
        ${sql.param(entries.map((e) => e.exceptResource))}::text[])
        as e (owner, behind, id, except_resource)
      join heads on heads.user_name = e.owner
    )
    select user_name, last_key::text from heads`);
  const last = new Map(rows.map((row) => [row.user_name, BigInt(row.last_key)]));
  return entries.map(({ owner }, at) => (last.get(owner) ?? 0n) - BigInt(behind[at] ?? 0));
}

/** Which inboxes a message enters. */
function entriesOf({ outgoing, duplicate, id }: Written): Entry[] {
  if (duplicate || outgoing.onlineOnly) return [];
  const { sender, resource, carbon, recipient } = outgoing;
  if (outgoing.inGroup === true)
    return [{ owner: recipient, id, sender, exceptResource: resource }];
  const audience = audienceOf(outgoing);
  const entries = audience.map((owner) => ({ owner, id, sender, exceptResource: null }));
  if (!carbon || audience.includes(sender)) return entries;
  return [...entries, { owner: sender, id, sender, exceptResource: resource }];
}

/** Adds the versions of the groups' members. Read here, they are no older than the entries. */
async function withRosters(
  tx: Pick<NodePgDatabase, "select">,
  written: readonly Written[],
): Promise<Written[]> {
  const isNew = (w: Written): boolean => w.outgoing.inGroup === true && !w.duplicate;
  const ids = new Set(written.filter(isNew).map((w) => groupIdOf(w.outgoing.recipient)));
  if (ids.size === 0) return [...written];
  const rows = await tx
    .select({ id: imGroups.id, roster: imGroups.roster })
    .from(imGroups)
    .where(inArray(imGroups.id, [...ids]));
  const rosters = new Map(rows.map(({ id, roster }) => [id, roster]));
  return written.map((w) => {
    const roster = isNew(w) ? rosters.get(groupIdOf(w.outgoing.recipient)) : undefined;
    return roster === undefined ? w : { ...w, roster };
  });
}
