/** Past calls in the database, one row per person and call; see 0074_call_records.sql. */
import { and, asc, count, eq, gt, inArray, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { z } from "../../../shared/zod.ts";
import type {
  CallPerson,
  CallReport,
  callRecordsCall,
} from "../../../shared/protocol/rest/call-records.ts";
import { auditPlatform } from "../../base/audit/index.ts";
import { isId } from "../../base/database/ids.ts";
import { accounts } from "../../base/database/schema/base.ts";
import { agoraChannels, callRecords } from "../../base/database/schema/calls.ts";
import {
  conferences,
  groupCallPeople,
  groupCallVisits,
} from "../../base/database/schema/conferences.ts";
import { orderBy } from "../../base/database/sorting.ts";
import type { Principal } from "../../base/module.ts";
import { createCallQuality } from "./quality.ts";

type Query = z.output<typeof callRecordsCall.query>;
type Page = z.output<typeof callRecordsCall.data>;
type Person = Pick<Principal, "accountId" | "chatUserName">;

/** `type` of a call of two. */
const OF_TWO = 1;

export interface NewRecord extends CallReport {
  readonly accountId: string;
  readonly peerName: string;
  /** Whether a device of the person reports it, not the other side. */
  readonly own: boolean;
}

/** How much a report says: one device answers or refuses, the others of the person merely stop ringing. */
const weight = (result: SQL): SQL =>
  sql`CASE ${result} WHEN 'answered' THEN 2 WHEN 'refused' THEN 1 ELSE 0 END`;

export function createCallRecordStore(db: NodePgDatabase) {
  const quality = createCallQuality(db);
  return {
    /** Adds the record. A record of the same call is replaced only by the person's own report, and only if that says more. */
    async add({ startedAt, answeredAt, endedAt, ...rest }: NewRecord): Promise<void> {
      const values = {
        ...rest,
        startedAt: new Date(startedAt),
        answeredAt: answeredAt === null ? null : new Date(answeredAt),
        endedAt: new Date(endedAt),
      };
      const { accountId: _account, callId: _call, ...changed } = values;
      await db
        .insert(callRecords)
        .values(values)
        .onConflictDoUpdate({
          target: [callRecords.accountId, callRecords.callId],
          set: changed,
          setWhere: sql`excluded.own AND (NOT ${callRecords.own}
            OR ${weight(sql`excluded.result`)} > ${weight(sql`${callRecords.result}`)})`,
        });
    },

    /** Whether this person has called that one over this conference or channel, as the server knows it from tickets and tokens. */
    async hasCalled(channel: string, caller: string, callee: string): Promise<boolean> {
      const ownConferences = db
        .select({ name: conferences.id })
        .from(conferences)
        .where(
          and(
            eq(conferences.id, channel),
            eq(conferences.caller, caller),
            eq(conferences.callee, callee),
          ),
        );
      const channels = db
        .select({ name: agoraChannels.name })
        .from(agoraChannels)
        .where(and(eq(agoraChannels.name, channel), eq(agoraChannels.founder, caller)));
      return (await ownConferences.unionAll(channels).limit(1)).length > 0;
    },

    /** A page of the account's records, newest first, with the means of what its devices measured. */
    async page(accountId: string, query: Query): Promise<Page> {
      const { cursor, limit, keyword, direction, result, media, peer, since, type } = query;
      const where = and(
        eq(callRecords.accountId, accountId),
        sql`NOT ${callRecords.removed}`,
        direction && eq(callRecords.direction, direction),
        result && eq(callRecords.result, result),
        media && eq(callRecords.media, media),
        type && eq(callRecords.type, type),
        since === undefined ? undefined : gt(callRecords.startedAt, new Date(since)),
        peer === undefined
          ? undefined
          : and(eq(callRecords.peer, peer), eq(callRecords.type, OF_TWO)),
        (keyword ?? "") === ""
          ? undefined
          : sql`position(lower(${keyword}) in lower(${callRecords.peerName} || ' ' ||
              CASE ${callRecords.type} WHEN ${OF_TWO} THEN ${callRecords.peer} ELSE '' END)) > 0`,
      );
      const rows = await db
        .select()
        .from(callRecords)
        .where(where)
        .orderBy(
          orderBy(
            query.sort,
            {
              name: sql`${callRecords.peerName}`,
              result: sql`${callRecords.result}`,
              startedAt: sql`${callRecords.startedAt}`,
              duration: sql`${callRecords.endedAt} - ${callRecords.answeredAt}`,
            },
            sql`${callRecords.startedAt} DESC, ${callRecords.id} DESC`,
          ),
        )
        .limit(limit)
        .offset((cursor - 1) * limit);
      const [counted] = query.searchCount
        ? await db.select({ total: count() }).from(callRecords).where(where)
        : [];
      const means = await quality.means(
        accountId,
        rows.filter((row) => row.answeredAt !== null).map((row) => row.channel),
      );
      const groups = await groupCalls(
        rows.filter(({ type }) => type !== OF_TWO).map(({ channel }) => channel),
      );
      return {
        records: rows.map((row) => ({
          id: row.id,
          channel: row.channel,
          type: row.type,
          media: row.media,
          direction: row.direction,
          peer: row.peer,
          name: row.peerName,
          result: row.result,
          startedAt: row.startedAt.getTime(),
          answeredAt: row.answeredAt?.getTime() ?? null,
          endedAt: row.endedAt.getTime(),
          groupId: groups.get(row.channel)?.groupId ?? null,
          people: groups.get(row.channel)?.people ?? [],
          quality: row.answeredAt === null ? null : (means.get(row.channel) ?? null),
        })),
        total: counted?.total ?? 0,
        cursor,
        limit,
      };
    },

    /** The scores and causes of one call; null when it is none of the account's. */
    quality: (accountId: string, id: string) =>
      isId(id) ? quality.read(accountId, id) : Promise.resolve(null),

    /** Hides records of the person; ids of others are ignored. @returns how many were hidden */
    async remove(person: Person, ids: readonly string[]): Promise<number> {
      const valid = ids.filter(isId);
      if (valid.length === 0) return 0;
      return db.transaction(async (tx) => {
        const gone = await tx
          .update(callRecords)
          .set({ removed: true })
          .where(
            and(
              eq(callRecords.accountId, person.accountId),
              inArray(callRecords.id, valid),
              sql`NOT ${callRecords.removed}`,
            ),
          )
          .returning({ id: callRecords.id });
        await auditPlatform(
          tx,
          person,
          ...gone.map(({ id }) => ({
            action: "delete",
            entity: "call-record",
            entityId: id,
          })),
        );
        return gone.length;
      });
    },

    /** Deletes records of calls that began before this time. */
    async prune(before: Date): Promise<void> {
      await db.delete(callRecords).where(lt(callRecords.startedAt, before));
      await db
        .delete(groupCallVisits)
        .where(and(lt(groupCallVisits.enteredAt, before), isNotNull(groupCallVisits.leftAt)));
    },

    /** The name that the account shows to others. */
    async nameOf(chatUserName: string): Promise<string | null> {
      const [row] = await db
        .select({ name: accounts.nickname })
        .from(accounts)
        .where(eq(accounts.chatUserName, chatUserName));
      return row?.name ?? null;
    },
  };

  /** The group and the people of these group calls, by channel. */
  async function groupCalls(
    channels: readonly string[],
  ): Promise<
    ReadonlyMap<string, { readonly groupId: string | null; readonly people: CallPerson[] }>
  > {
    const ids = [...new Set(channels)];
    if (ids.length === 0) return new Map();
    const calls = await db
      .select({ id: conferences.id, groupId: conferences.callGroup })
      .from(conferences)
      .where(and(inArray(conferences.id, ids), isNotNull(conferences.callId)));
    const time = (value: SQL): SQL<number> =>
      sql<number>`(extract(epoch FROM ${value}) * 1000)::float8`;
    const { conferenceId, userName, enteredAt, leftAt } = groupCallVisits;
    const visits = await db
      .select({
        id: conferenceId,
        userName,
        enteredAt: time(sql`min(${enteredAt})`),
        leftAt: time(sql`max(${leftAt})`),
        inside: time(sql`sum(${leftAt} - ${enteredAt})`),
      })
      .from(groupCallVisits)
      .where(and(inArray(conferenceId, ids), isNotNull(leftAt)))
      .groupBy(conferenceId, userName)
      .orderBy(asc(sql`min(${enteredAt})`), asc(userName));
    const invited = await db
      .select({ id: groupCallPeople.conferenceId, userName: groupCallPeople.userName })
      .from(groupCallPeople)
      .where(inArray(groupCallPeople.conferenceId, ids))
      .orderBy(asc(groupCallPeople.userName));
    const names = [...new Set([...visits, ...invited].map((row) => row.userName))];
    const known = new Map(
      (names.length === 0
        ? []
        : await db
            .select({ userName: accounts.chatUserName, name: accounts.nickname })
            .from(accounts)
            .where(inArray(accounts.chatUserName, names))
      ).map((row) => [row.userName, row.name]),
    );
    const person = (name: string): Pick<CallPerson, "userName" | "name"> => ({
      userName: name,
      name: known.get(name) ?? name,
    });
    return new Map(
      calls.map(({ id, groupId }) => {
        const inside = visits.filter((visit) => visit.id === id);
        const came = new Set(inside.map((visit) => visit.userName));
        const only = invited.filter((row) => row.id === id && !came.has(row.userName));
        const people: CallPerson[] = [
          ...inside.map((visit) => ({
            ...person(visit.userName),
            enteredAt: Math.round(visit.enteredAt),
            leftAt: Math.round(visit.leftAt),
            inside: Math.round(visit.inside),
          })),
          ...only.map((row) => ({
            ...person(row.userName),
            enteredAt: null,
            leftAt: null,
            inside: 0,
          })),
        ];
        return [id, { groupId, people }] as const;
      }),
    );
  }
}
