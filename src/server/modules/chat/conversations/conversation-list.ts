/** The list of a person's conversations: unread messages, the last one, pins and marks (docs/chat.md#provider-calls). */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { chatMark } from "../../../base/database/schema/chat.ts";
import type { Erasures } from "./erasures.ts";
import type { ChatArchive } from "./history.ts";
import { lowestIdAt } from "../wire/ids.ts";
import { conversationOf } from "../wire/records.ts";

/** Conversations with marks that a person has at most. */
const MARKS_MAX = 2000;
/** A count of unread messages goes no further. */
const UNREAD_MAX = 999;

export interface ConversationRow {
  /** As the store names it. */
  readonly peer: string;
  readonly unread: number;
  readonly marks: readonly number[];
  /** The id of the newest message, also when the person removed it; null for a conversation without any. */
  readonly newest: bigint | null;
  /** The bytes of the last message that the person sees. */
  readonly last: Uint8Array | null;
}
export interface ConversationList {
  /**
   * The newest conversation first.
   *
   * @param groups the person's groups by key, with the time of joining in ms since the epoch
   * @param filter what is wanted: only these peers, in this order, only those with this mark, only those whose last message is before this one
   */
  list(
    userName: string,
    groups: ReadonlyMap<string, number>,
    filter: {
      readonly peers?: readonly string[];
      readonly mark?: number;
      readonly before: bigint | null;
      readonly limit: number;
    },
  ): Promise<ConversationRow[]>;
  /** @returns whether there was space */
  mark(userName: string, peers: readonly string[], mark: number, on: boolean): Promise<boolean>;
}

export function createConversationList(deps: {
  readonly db: NodePgDatabase;
  readonly archive: Pick<ChatArchive, "conversations">;
  readonly erasures: Pick<Erasures, "erasuresOf">;
}): ConversationList {
  const { db } = deps;

  /** The messages of others that came after this person read the conversation, entered it, or emptied it. */
  async function unread(
    userName: string,
    rows: readonly { peer: string; after: bigint; since: number }[],
  ): Promise<Map<string, number>> {
    if (rows.length === 0) return new Map();
    const found = await db.execute<{ peer: string; n: number }>(sql`
      select w.peer, count(m.id)::int as n
      from unnest(
        ${sql.param(rows.map((r) => r.peer))}::text[],
        ${sql.param(rows.map((r) => conversationOf(userName, r.peer)))}::text[],
        ${sql.param(rows.map((r) => String(r.after)))}::bigint[],
        ${sql.param(rows.map((r) => r.since))}::bigint[]
      ) as w (peer, conversation, after, since)
      cross join lateral (
        select c.id from chat_message c
        where c.conversation = w.conversation and c.roams and not c.recalled
          and c.sender <> ${userName} and c.sent_at >= w.since
          and not exists (select from chat_erased e
            where e.user_name = ${userName} and e.message_id = c.id)
          and c.id > greatest(w.after, coalesce((
            select r.up_to from chat_read r where r.reader = ${userName} and r.sender = w.peer), 0))
        order by c.id desc
        limit ${UNREAD_MAX}
      ) m
      group by w.peer`);
    return new Map(found.rows.map(({ peer, n }) => [peer, n]));
  }

  return {
    async list(userName, groups, filter) {
      const [all, erased, marked] = await Promise.all([
        deps.archive.conversations(userName, groups),
        deps.erasures.erasuresOf(userName),
        db.select().from(chatMark).where(eq(chatMark.userName, userName)),
      ]);
      const most = (a = 0n, b = 0n): bigint => (a > b ? a : b);
      const limits = (peer: string) => {
        const [own, every] = [erased.get(peer), erased.get("")];
        return {
          clearedTo: most(own?.clearedTo, every?.clearedTo),
          hiddenTo: most(own?.hiddenTo, every?.hiddenTo),
        };
      };
      const marks = new Map<string, number[]>();
      for (const { peer, mark } of marked) marks.set(peer, [...(marks.get(peer) ?? []), mark]);
      const wanted = filter.peers === undefined ? null : new Set(filter.peers);
      const shown = all.filter(
        ({ peer, id }) =>
          id > limits(peer).hiddenTo &&
          (wanted === null || wanted.has(peer)) &&
          (filter.mark === undefined || (marks.get(peer)?.includes(filter.mark) ?? false)) &&
          (filter.before === null || id < filter.before),
      );
      const page = shown.slice(0, filter.limit);
      const counts = await unread(
        userName,
        page.map(({ peer }) => {
          const since = groups.get(peer) ?? 0;
          return { peer, after: most(limits(peer).clearedTo, lowestIdAt(since) - 1n), since };
        }),
      );
      const rows = page.map(({ peer, id, meta }): ConversationRow => ({
        peer,
        unread: counts.get(peer) ?? 0,
        marks: [...(marks.get(peer) ?? [])].sort((a, b) => a - b),
        newest: id,
        last: id > limits(peer).clearedTo ? meta : null,
      }));
      // A pinned conversation stands there without a message too.
      const empty = (filter.peers ?? []).filter((peer) => !all.some((one) => one.peer === peer));
      const order = filter.peers ?? [];
      return [
        ...rows,
        ...empty.map((peer) => ({
          peer,
          unread: 0,
          marks: marks.get(peer) ?? [],
          newest: null,
          last: null,
        })),
      ].sort((a, b) => order.indexOf(a.peer) - order.indexOf(b.peer));
    },
    async mark(userName, peers, mark, on) {
      const these = and(
        eq(chatMark.userName, userName),
        eq(chatMark.mark, mark),
        inArray(chatMark.peer, [...peers]),
      );
      if (!on) {
        await db.delete(chatMark).where(these);
        return true;
      }
      const [count] = await db
        .select({ n: sql<number>`count(*)::int` })
        .from(chatMark)
        .where(eq(chatMark.userName, userName));
      if ((count?.n ?? 0) + peers.length > MARKS_MAX) return false;
      await db
        .insert(chatMark)
        .values(peers.map((peer) => ({ userName, peer, mark })))
        .onConflictDoNothing();
      return true;
    },
  };
}
