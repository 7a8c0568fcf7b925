/**
 * The inboxes and how far each device has read them (docs/chat.md#gateway). A person's device reads the person's own inbox and that of
 * each group of which the person is a member.
 */
import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { countOf } from "../../../base/tasks/index.ts";
import { belongs } from "../groups/facts.ts";
import { CHAT_LIMITS } from "../limits.ts";
import type { InboxEntry, InboxPlaces } from "../wire/records.ts";

export interface Acknowledged {
  readonly userName: string;
  readonly resource: string;
  /** Greatest position in each inbox that the device has. Inboxes in which nothing changed may be left out. */
  readonly places: InboxPlaces;
}

export interface Inboxes {
  /** Cursors of a device. A new device starts where the user's furthest device is, the first one at the beginning. */
  openCursor(userName: string, resource: string, now: number): Promise<InboxPlaces>;
  /** Moves the cursors of these devices forward, never back. Each device stands there once. */
  acknowledge(all: readonly Acknowledged[], now: number): Promise<void>;
  /**
   * Entries after these places in all inboxes that the person may read now, without those that the device itself sent. The entries of
   * one inbox stand in its order; older messages stand first otherwise.
   */
  inbox(
    userName: string,
    resource: string,
    after: InboxPlaces,
    limit: number,
  ): Promise<InboxEntry[]>;
  /** Number of entries that `inbox` would return without a limit. */
  unread(userName: string, resource: string, after: InboxPlaces): Promise<number>;
  /** Deletes entries beyond the limit of an inbox, and those of groups that are gone. */
  sweepInboxes(): Promise<number>;
}

/** The inboxes of a person with the place after which this device reads each: of a group never before the person came. */
const boxesOf = (userName: string, after: InboxPlaces) => sql`(
  select b.owner, greatest(b.since, coalesce(p.key, 0)) as after
  from (
    select ${userName}::text as owner, 0::bigint as since
    union all
    select '#' || im_groups.id, coalesce(im_group_members.inbox_from, 0)
    from accounts
    join im_group_members on im_group_members.account_id = accounts.id
    join im_groups on im_groups.id = im_group_members.group_id
    where accounts.chat_user_name = ${userName} and ${belongs}
  ) b
  left join unnest(
    ${sql.param([...after.keys()])}::text[],
    ${sql.param([...after.values()].map(String))}::bigint[]
  ) as p (owner, key) on p.owner = b.owner
)`;

/** Condition on an entry `i` with its message `m`, in an inbox `b`. What the person has deleted does not come back on another device. */
const pending = (userName: string, resource: string) => sql`
  i.user_name = b.owner and i.key > b.after and not m.recalled
  and not exists (
    select from chat_erased x where x.user_name = ${userName} and x.message_id = m.id)
  and (i.except_resource is null or i.except_resource <> ${resource} or m.sender <> ${userName})`;

export function createInboxes(db: NodePgDatabase): Inboxes {
  return {
    async openCursor(userName, resource, now) {
      const { rows } = await db.execute<{ group_key: string | null; acked: string }>(sql`
        with opened as (
          insert into chat_cursor (user_name, resource, acked, seen_at)
          values (${userName}, ${resource},
            coalesce((select max(c.acked) from chat_cursor c where c.user_name = ${userName}), 0),
            ${now}::bigint)
          on conflict (user_name, resource) do update set seen_at = excluded.seen_at
          returning acked, xmax = 0 as is_new
        ), copied as (
          insert into chat_group_cursor (user_name, resource, group_key, acked)
          select ${userName}, ${resource}, c.group_key, max(c.acked)
          from chat_group_cursor c, opened
          where c.user_name = ${userName} and opened.is_new
          group by c.group_key
          on conflict do nothing
          returning group_key, acked
        )
        select null as group_key, acked::text from opened
        union all select group_key, acked::text from copied
        union all select c.group_key, c.acked::text from chat_group_cursor c
          where c.user_name = ${userName} and c.resource = ${resource}`);
      await db.execute(sql`
        delete from chat_cursor where user_name = ${userName} and resource in (
          select resource from chat_cursor where user_name = ${userName}
          order by seen_at desc, resource offset ${CHAT_LIMITS.cursorsPerUser})`);
      return new Map(rows.map((row) => [row.group_key ?? userName, BigInt(row.acked)]));
    },
    async acknowledge(all, now) {
      const rows = all.flatMap(({ userName, resource, places }) =>
        Array.from(places, ([owner, key]) => ({ userName, resource, owner, key: String(key) })),
      );
      // Always in the same order. Otherwise two processes could wait for each other's row locks.
      rows.sort((a, b) =>
        `${a.userName}\n${a.resource}\n${a.owner}` < `${b.userName}\n${b.resource}\n${b.owner}`
          ? -1
          : 1,
      );
      const [own, ofGroups] = [
        rows.filter((row) => row.owner === row.userName),
        rows.filter((row) => row.owner !== row.userName),
      ];
      const table = (
        some: typeof rows,
      ) => sql`unnest(${sql.param(some.map((a) => a.userName))}::text[],
        ${sql.param(some.map((a) => a.resource))}::text[],
        ${sql.param(some.map((a) => a.owner))}::text[],
        ${sql.param(some.map((a) => a.key))}::bigint[]) as a (user_name, resource, owner, key)`;
      if (own.length > 0) {
        await db.execute(sql`
          update chat_cursor c set acked = greatest(c.acked, a.key), seen_at = ${now}::bigint
          from ${table(own)} where c.user_name = a.user_name and c.resource = a.resource`);
      }
      if (ofGroups.length > 0) {
        await db.execute(sql`
          insert into chat_group_cursor as c (user_name, resource, group_key, acked)
          select * from ${table(ofGroups)}
          on conflict (user_name, resource, group_key)
          do update set acked = excluded.acked where excluded.acked > c.acked`);
      }
    },
    async inbox(userName, resource, after, limit) {
      // Of each inbox a beginning is taken, and no entry before an earlier one of its inbox: `at` never falls within one.
      const { rows } = await db.execute<{
        owner: string;
        key: string;
        id: string;
        meta: Buffer;
      }>(sql`
        select b.owner, e.key::text, e.id::text, e.meta
        from ${boxesOf(userName, after)} b
        cross join lateral (
          select i.key, m.id, m.meta, max(m.id) over (order by i.key) as at
          from chat_inbox i join chat_message m on m.id = i.message_id
          where ${pending(userName, resource)}
          order by i.key limit ${limit}
        ) e
        order by e.at, b.owner, e.key limit ${limit}`);
      return rows.map((row) => ({ ...row, key: BigInt(row.key), id: BigInt(row.id) }));
    },
    async unread(userName, resource, after) {
      const { rows } = await db.execute<{ n: number }>(sql`
        select count(*)::int as n
        from ${boxesOf(userName, after)} b, chat_inbox i join chat_message m on m.id = i.message_id
        where ${pending(userName, resource)}`);
      return rows[0]?.n ?? 0;
    },
    async sweepInboxes() {
      const statements = [
        sql`delete from chat_inbox i using chat_inbox_head h
            where h.user_name = i.user_name and i.key <= h.last_key - ${CHAT_LIMITS.inboxEntries}::bigint`,
        sql`delete from chat_inbox i where i.user_name like '#%'
            and not exists (select from im_groups g where g.id = substr(i.user_name, 2))`,
        sql`delete from chat_group_cursor g where not exists (
            select from chat_cursor c where c.user_name = g.user_name and c.resource = g.resource)`,
      ];
      let removed = 0;
      for (const statement of statements) removed += await countOf(db.execute(statement));
      return removed;
    },
  };
}
