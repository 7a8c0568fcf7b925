/**
 * Queries behind the provider's REST calls: history of a conversation, list of conversations, presence subscriptions, profiles.
 */
import { and, asc, desc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import {
  chatMessage,
  chatPresenceSubscription,
  chatProfile,
  chatStatus,
  chatRead,
} from "../../../base/database/schema/chat.ts";
import { lowestIdAt } from "../wire/ids.ts";
import { markedRead } from "./reads.ts";
import { conversationOf } from "../wire/records.ts";
import { MessageBodyCodec, MetaCodec } from "../wire/wire.ts";

export interface HistoryPage {
  /** Encoded Metas in the requested direction. */
  readonly metas: readonly { id: bigint; meta: Uint8Array }[];
  readonly isLast: boolean;
}

export interface ChatArchive {
  /**
   * A page of the messages between two people. Own messages that the other side has read are marked as read.
   *
   * @param start exclusive; null starts at the newest message (backwards) or the oldest (forwards)
   * @param range ms since the epoch, null for an open end
   */
  history(
    self: string,
    peer: string,
    start: bigint | null,
    forwards: boolean,
    limit: number,
    range?: {
      readonly from: number | null;
      readonly to: number | null;
      /** Types of contents, one of Content.Type; null for all. */
      readonly types?: readonly number[] | null;
      readonly sender?: string | null;
    },
  ): Promise<HistoryPage>;
  /**
   * Newest message of each conversation that the person has not removed, newest conversation first. Conversations with people without a
   * recent message are left out. `peer` is a user name, or the key of one of the given groups (records.ts).
   *
   * @param groups the person's groups by key, with the time of joining in ms since the epoch
   */
  conversations(
    self: string,
    groups: ReadonlyMap<string, number>,
  ): Promise<{ peer: string; id: bigint; meta: Uint8Array }[]>;
  /** Adds or renews subscriptions to the presence of these users. `expiresAt` and `now` are ms since the epoch. */
  subscribe(subscriber: string, targets: readonly string[], expiresAt: number): Promise<void>;
  unsubscribe(subscriber: string, targets: readonly string[]): Promise<void>;
  /** Users who subscribed to this user's presence. */
  subscribers(target: string, now: number): Promise<string[]>;
  subscriptions(subscriber: string, now: number): Promise<{ uid: string; expiresAt: number }[]>;
  /** The attributes that each user has saved; users without any are left out. */
  /** The status texts of those users who chose one. */
  statuses(userNames: readonly string[]): Promise<Map<string, string>>;
  /** @param ext "" for none */
  setStatus(userName: string, ext: string): Promise<void>;
  profile(userNames: readonly string[]): Promise<Map<string, Record<string, string>>>;
  /** Adds these attributes and replaces those of the same name. */
  saveProfile(userName: string, attributes: Record<string, string>): Promise<void>;
}

/** Most recent messages per direction that are searched for the list of conversations. */
const RECENT = 2000;

/** Messages that one statement reads for a page of certain types, and such statements at most. */
const FILTERED_PAGE = 200;
const PAGES_MAX = 25;

function contentTypeOf(meta: Uint8Array): number {
  const body = MessageBodyCodec.decode(MetaCodec.decode(meta).payload ?? new Uint8Array());
  return body.contents?.[0]?.type ?? 0;
}

export function createArchive(db: NodePgDatabase): ChatArchive {
  const page: ChatArchive["history"] = async (self, peer, start, forwards, limit, range) => {
    const from = range?.from ?? null;
    const to = range?.to ?? null;
    const rows = await db
      .select({
        id: chatMessage.id,
        meta: chatMessage.meta,
        read: sql<boolean>`${chatMessage.sender} = ${self}
            and (${chatMessage.read} or ${chatMessage.id} <= coalesce(${chatRead.upTo}, 0))`,
      })
      .from(chatMessage)
      .leftJoin(
        chatRead,
        and(eq(chatRead.reader, chatMessage.recipient), eq(chatRead.sender, chatMessage.sender)),
      )
      .where(
        and(
          eq(chatMessage.conversation, conversationOf(self, peer)),
          eq(chatMessage.roams, true),
          eq(chatMessage.recalled, false),
          range?.sender == null ? undefined : eq(chatMessage.sender, range.sender),
          // What this person has removed.
          sql`${chatMessage.id} > coalesce((select max(c.cleared_to) from chat_cleared c
              where c.user_name = ${self} and c.peer in ('', ${peer})), 0)`,
          sql`not exists (select from chat_erased e
              where e.user_name = ${self} and e.message_id = ${chatMessage.id})`,
          start === null
            ? undefined
            : forwards
              ? gt(chatMessage.id, start)
              : lt(chatMessage.id, start),
          from === null ? undefined : sql`${chatMessage.sentAt} >= ${from}::bigint`,
          to === null ? undefined : sql`${chatMessage.sentAt} <= ${to}::bigint`,
        ),
      )
      .orderBy(forwards ? asc(chatMessage.id) : desc(chatMessage.id))
      .limit(limit + 1);
    const metas = rows
      .slice(0, limit)
      .map(({ id, meta, read }) => ({ id, meta: read ? markedRead(meta) : meta }));
    return { metas, isLast: rows.length <= limit };
  };

  async function filtered(
    self: string,
    peer: string,
    start: bigint | null,
    forwards: boolean,
    limit: number,
    range: Parameters<ChatArchive["history"]>[5],
    types: readonly number[],
  ): Promise<HistoryPage> {
    const found: HistoryPage["metas"][number][] = [];
    let at = start;
    for (let pages = 0; pages < PAGES_MAX; pages += 1) {
      const { metas, isLast } = await page(self, peer, at, forwards, FILTERED_PAGE, range);
      found.push(...metas.filter(({ meta }) => types.includes(contentTypeOf(meta))));
      if (isLast || found.length > limit) {
        return { metas: found.slice(0, limit), isLast: isLast && found.length <= limit };
      }
      at = metas.at(-1)?.id ?? at;
    }
    return { metas: found.slice(0, limit), isLast: found.length <= limit };
  }

  /** The newest message of each group that its member sees and has not removed. */
  async function newestOf(self: string, groups: ReadonlyMap<string, number>) {
    if (groups.size === 0) return [];
    const since = [...groups.values()];
    const { rows } = await db.execute<{ peer: string; id: string; meta: Uint8Array }>(sql`
      select g.peer, m.id::text as id, m.meta
      from unnest(
        ${sql.param([...groups.keys()])}::text[],
        ${sql.param(since)}::bigint[],
        ${sql.param(since.map((time) => String(lowestIdAt(time))))}::bigint[]
      ) as g (peer, since, lowest)
      cross join lateral (
        select c.id, c.meta from chat_message c
        where c.conversation = g.peer and c.roams and not c.recalled
          and c.id >= g.lowest and c.sent_at >= g.since
          and not exists (select from chat_erased e
            where e.user_name = ${self} and e.message_id = c.id)
        order by c.id desc
        limit 1
      ) m`);
    return rows.map(({ peer, id, meta }) => ({ peer, id: BigInt(id), meta }));
  }

  return {
    async history(self, peer, start, forwards, limit, range) {
      const types = range?.types ?? null;
      // Types stand inside the bytes: pages are read until one is full.
      if (types !== null) return await filtered(self, peer, start, forwards, limit, range, types);
      return await page(self, peer, start, forwards, limit, range);
    },
    async conversations(self, groups) {
      const notErased = sql`not exists (select from chat_erased e
        where e.user_name = ${self} and e.message_id = ${chatMessage.id})`;
      const side = (condition: SQL) =>
        db
          .select({
            id: chatMessage.id,
            sender: chatMessage.sender,
            recipient: chatMessage.recipient,
            meta: chatMessage.meta,
          })
          .from(chatMessage)
          .where(
            and(
              condition,
              sql`left(${chatMessage.recipient}, 1) <> '#'`,
              eq(chatMessage.roams, true),
              eq(chatMessage.recalled, false),
              notErased,
            ),
          )
          .orderBy(desc(chatMessage.id))
          .limit(RECENT);
      const [sent, received, inGroups] = await Promise.all([
        side(eq(chatMessage.sender, self)),
        side(eq(chatMessage.recipient, self)),
        newestOf(self, groups),
      ]);
      const newest = new Map<string, { peer: string; id: bigint; meta: Uint8Array }>();
      for (const { id, sender, recipient, meta } of [...sent, ...received]) {
        const peer = sender === self ? recipient : sender;
        if ((newest.get(peer)?.id ?? 0n) < id) newest.set(peer, { peer, id, meta });
      }
      return [...newest.values(), ...inGroups].sort((x, y) => (x.id < y.id ? 1 : -1));
    },
    async subscribe(subscriber, targets, expiresAt) {
      if (targets.length === 0) return;
      await db
        .insert(chatPresenceSubscription)
        .values([...new Set(targets)].map((target) => ({ subscriber, target, expiresAt })))
        .onConflictDoUpdate({
          target: [chatPresenceSubscription.subscriber, chatPresenceSubscription.target],
          set: { expiresAt },
        });
    },
    async unsubscribe(subscriber, targets) {
      if (targets.length === 0) return;
      await db
        .delete(chatPresenceSubscription)
        .where(
          and(
            eq(chatPresenceSubscription.subscriber, subscriber),
            inArray(chatPresenceSubscription.target, [...targets]),
          ),
        );
    },
    async subscribers(target, now) {
      const rows = await db
        .select({ name: chatPresenceSubscription.subscriber })
        .from(chatPresenceSubscription)
        .where(
          and(
            eq(chatPresenceSubscription.target, target),
            gt(chatPresenceSubscription.expiresAt, now),
          ),
        );
      return rows.map((r) => r.name);
    },
    async subscriptions(subscriber, now) {
      return await db
        .select({
          uid: chatPresenceSubscription.target,
          expiresAt: chatPresenceSubscription.expiresAt,
        })
        .from(chatPresenceSubscription)
        .where(
          and(
            eq(chatPresenceSubscription.subscriber, subscriber),
            gt(chatPresenceSubscription.expiresAt, now),
          ),
        )
        .orderBy(chatPresenceSubscription.target);
    },
    async statuses(userNames) {
      if (userNames.length === 0) return new Map();
      const rows = await db
        .select()
        .from(chatStatus)
        .where(inArray(chatStatus.userName, [...userNames]));
      return new Map(rows.map(({ userName, ext }) => [userName, ext]));
    },
    async setStatus(userName, ext) {
      if (ext === "") {
        await db.delete(chatStatus).where(eq(chatStatus.userName, userName));
        return;
      }
      await db
        .insert(chatStatus)
        .values({ userName, ext })
        .onConflictDoUpdate({ target: chatStatus.userName, set: { ext } });
    },
    async profile(userNames) {
      if (userNames.length === 0) return new Map();
      const rows = await db
        .select()
        .from(chatProfile)
        .where(inArray(chatProfile.userName, [...userNames]));
      return new Map(rows.map((r) => [r.userName, r.attributes]));
    },
    async saveProfile(userName, attributes) {
      await db
        .insert(chatProfile)
        .values({ userName, attributes })
        .onConflictDoUpdate({
          target: chatProfile.userName,
          set: { attributes: sql`${chatProfile.attributes} || excluded.attributes` },
        });
    },
  };
}
