/** What was measured of past calls (docs/calls.md#records): figures of a list of calls, and the scores and causes of one. */
import { and, asc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { causesOf } from "../../../shared/domain/call-causes.ts";
import { directionScores, timelineOf } from "../../../shared/domain/call-timeline.ts";
import { CALL_TYPE } from "../../../shared/domain/call-types.ts";
import { soundScore } from "../../../shared/domain/opinion-score.ts";
import type { CallQuality } from "../../../shared/protocol/rest/call-records.ts";
import { accounts } from "../../base/database/schema/base.ts";
import { callRecords } from "../../base/database/schema/calls.ts";
import { qualitySamples } from "../../base/database/schema/quality.ts";

/** `kind` of the periodic quality records. */
const PERIODIC = 1;
/** Most records of a call that are read: about twelve hours of a video call from both sides. */
const RECORDS = 200_000;

export interface CallMeans {
  /** ms; null when it was not measured. */
  readonly rtt: number | null;
  /** % */
  readonly loss: number;
  /** Opinion score of the worse direction. */
  readonly mos: number;
}

const round = (value: number, digits: number): number =>
  Math.round(value * 10 ** digits) / 10 ** digits;
const score = (value: number | null): number | null => (value === null ? null : round(value, 2));

export function createCallQuality(db: NodePgDatabase) {
  /** The means of these calls, by channel, as the account's own devices measured them. */
  async function means(
    accountId: string,
    channels: readonly string[],
  ): Promise<ReadonlyMap<string, CallMeans>> {
    const known = [...new Set(channels)].filter((channel) => channel !== "");
    if (known.length === 0) return new Map();
    const number = (key: string): SQL => sql`(${qualitySamples.record}->>${key})::float8`;
    const text = (key: string): SQL => sql`${qualitySamples.record}->>${key}`;
    const streams = db
      .select({
        channel: qualitySamples.confrId,
        count: sql<number>`count(*)`.as("count"),
        // 0 means that the browser has not measured it yet
        rtt: sql<number | null>`avg(nullif(${number("rtt")}, 0))`.as("rtt"),
        loss: sql<number | null>`avg(${number("packetLossRate")})`.as("loss"),
        mos: sql<number | null>`avg(${number("mos")}) / 100`.as("mos"),
      })
      .from(qualitySamples)
      .where(
        and(
          inArray(qualitySamples.confrId, known),
          eq(qualitySamples.accountId, accountId),
          eq(qualitySamples.kind, PERIODIC),
        ),
      )
      .groupBy(qualitySamples.confrId, text("isPub"), text("media"), text("subMemName"))
      .as("streams");
    const whole = (value: SQL): SQL<number | null> =>
      sql`sum(${value} * ${streams.count}) / nullif(sum(${streams.count}) FILTER (WHERE ${value} IS NOT NULL), 0)`;
    const rows = await db
      .select({
        channel: streams.channel,
        rtt: whole(sql`${streams.rtt}`),
        loss: whole(sql`${streams.loss}`),
        mos: sql<number | null>`min(${streams.mos})`,
      })
      .from(streams)
      .groupBy(streams.channel);
    return new Map(
      rows.flatMap(({ channel, rtt, loss, mos }) => {
        if (loss === null) return [];
        // Records of older cores have no score.
        const heard = mos ?? soundScore({ rtt, jitter: null, buffer: null, loss });
        return [
          [
            channel,
            {
              rtt: rtt === null ? null : Math.round(rtt),
              loss: round(loss, 1),
              mos: round(heard, 2),
            },
          ],
        ];
      }),
    );
  }

  /**
   * The scores and causes of one record of the account; null when it has no such record. The records of the other side of a call of two
   * say more of its causes; they count only where the account's own devices sent records too, since a report of a call proves nothing.
   */
  async function read(accountId: string, id: string): Promise<CallQuality | null> {
    const [call] = await db
      .select({
        channel: callRecords.channel,
        type: callRecords.type,
        peer: callRecords.peer,
        peerName: callRecords.peerName,
      })
      .from(callRecords)
      .where(
        and(
          eq(callRecords.id, id),
          eq(callRecords.accountId, accountId),
          sql`NOT ${callRecords.removed}`,
        ),
      );
    if (call === undefined) return null;
    const nothing = { scores: [], causes: [] };
    if (call.channel === "") return nothing;
    const isOwn = eq(qualitySamples.accountId, accountId);
    const rows = await db
      .select({
        accountId: qualitySamples.accountId,
        memName: qualitySamples.memName,
        record: qualitySamples.record,
      })
      .from(qualitySamples)
      .where(
        and(
          eq(qualitySamples.confrId, call.channel),
          call.type === CALL_TYPE.single ? or(isOwn, eq(qualitySamples.memName, call.peer)) : isOwn,
        ),
      )
      .orderBy(asc(qualitySamples.time))
      .limit(RECORDS);
    const own = rows.filter((row) => row.accountId === accountId);
    if (own.length === 0) return nothing;
    const measured = timelineOf(
      call.channel,
      own.map(({ record }) => record),
    );
    const scores = directionScores(measured);
    const causes = causesOf(
      timelineOf(
        call.channel,
        rows.map(({ record }) => record),
      ),
    );
    const names = await namesOf([
      ...scores.map(({ from }) => from),
      ...causes.flatMap(({ from }) => (from === null ? [] : [from])),
    ]);
    // The name of a group call's record is that of the call, not of the person who rang.
    const nameOf = (from: string): string =>
      call.type === CALL_TYPE.single && from === call.peer
        ? call.peerName
        : (names.get(from) ?? from);
    return {
      scores: scores.map(({ from, sound, picture, mos }) => ({
        from,
        name: nameOf(from),
        sound: score(sound),
        picture: score(picture),
        mos: score(mos),
      })),
      causes: causes.map(({ cause, from, begin, end }) => ({
        cause,
        name: from === null ? null : nameOf(from),
        begin,
        end,
      })),
    };
  }

  async function namesOf(userNames: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const wanted = [...new Set(userNames)];
    if (wanted.length === 0) return new Map();
    const rows = await db
      .select({ userName: accounts.chatUserName, name: accounts.nickname })
      .from(accounts)
      .where(inArray(accounts.chatUserName, wanted));
    return new Map(rows.map(({ userName, name }) => [userName, name]));
  }

  return { means, read };
}
