/**
 * Records of group calls (docs/calls.md#records): who was inside when, and, once a call is over, one row in the list of each person
 * concerned. What a stop of the server interrupts, the next sweep of any process completes.
 */
import { CALL_TYPE } from "../../../shared/domain/call-types.ts";
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, notInArray, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { CallResult } from "../../../shared/domain/call-results.ts";
import { callMediaSchema } from "../../../shared/protocol/call-message.ts";
import { parsePerson } from "../../../shared/protocol/group-call.ts";
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import { accounts } from "../../base/database/schema/base.ts";
import { callRecords } from "../../base/database/schema/calls.ts";
import {
  conferences,
  groupCallPeople,
  groupCallVisits,
} from "../../base/database/schema/conferences.ts";
import type { Bus, Clock } from "../../base/module.ts";
import { recordOf } from "./store.ts";

/** Ended calls that one sweep records. */
const SWEEP = 100;
/** Calls that the conversation of a group shows. */
const PAST = 100;
/** ms for which past calls are shown; their records are kept as long. */
const KEPT = 365 * 24 * 3_600_000;
/** Characters of the names by which a call of chosen people goes. */
const TITLE = 200;

interface Span {
  readonly from: Date;
  readonly to: Date;
}
interface Known {
  readonly accountId: string;
  readonly userName: string;
  readonly name: string;
}
export interface PastGroupCall {
  readonly confrId: string;
  readonly media: "voice" | "video";
  readonly startedBy: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly people: number;
}

export interface GroupCallRecords {
  /** @param inside chat user names of those who are inside now */
  changed(conferenceId: string, inside: ReadonlySet<string>): void;
  /** The call's end is in the database. Does nothing for other conferences, and for a call that is recorded. */
  ended(conferenceId: string): Promise<void>;
  /** Records calls whose end no process has recorded. */
  sweep(): Promise<void>;
  /** The latest calls of the group that are over, newest first. */
  past(groupId: string): Promise<PastGroupCall[]>;
}

/** @param deps.track registers work that a stop waits for */
export function createGroupCallRecords(deps: {
  readonly db: NodePgDatabase;
  readonly clock: Pick<Clock, "now">;
  readonly bus: Pick<Bus, "publish">;
  readonly track: (work: Promise<void>) => void;
  /** Everybody who may enter the call, by chat user name. */
  readonly people: (conferenceId: string) => Promise<readonly string[]>;
  readonly onError: (error: unknown, what: string) => void;
}): GroupCallRecords {
  const { db, clock } = deps;
  /** The latest write of each call; one call's writes follow each other. */
  const writing = new Map<string, Promise<void>>();

  async function visit(conferenceId: string, inside: readonly string[], at: Date): Promise<void> {
    const open = and(
      eq(groupCallVisits.conferenceId, conferenceId),
      isNull(groupCallVisits.leftAt),
      inside.length === 0 ? undefined : notInArray(groupCallVisits.userName, [...inside]),
    );
    await db.update(groupCallVisits).set({ leftAt: at }).where(open);
    if (inside.length === 0) return;
    await db
      .insert(groupCallVisits)
      .values(inside.map((userName) => ({ conferenceId, userName, enteredAt: at })))
      .onConflictDoNothing();
  }

  /** First entering and last leaving of each visitor. */
  async function visits(tx: Pick<NodePgDatabase, "select">, conferenceId: string, end: Date) {
    const rows = await tx
      .select()
      .from(groupCallVisits)
      .where(eq(groupCallVisits.conferenceId, conferenceId))
      .orderBy(asc(groupCallVisits.enteredAt));
    const spans = new Map<string, Span>();
    for (const { userName, enteredAt, leftAt } of rows) {
      spans.set(userName, { from: spans.get(userName)?.from ?? enteredAt, to: leftAt ?? end });
    }
    return spans;
  }

  /** @returns whether this process recorded the call */
  const record = (conferenceId: string): Promise<boolean> =>
    db.transaction(async (tx) => {
      const [row] = await tx
        .update(conferences)
        .set({ callRecorded: true })
        .where(
          and(
            eq(conferences.id, conferenceId),
            isNotNull(conferences.callId),
            isNotNull(conferences.endedAt),
            eq(conferences.callRecorded, false),
          ),
        )
        .returning();
      if (row === undefined || row.callId === null || row.endedAt === null) return false;
      const { caller, callId, endedAt, createdAt } = row;
      await tx
        .update(groupCallVisits)
        .set({ leftAt: sql`greatest(${groupCallVisits.enteredAt}, ${endedAt.toISOString()})` })
        .where(and(eq(groupCallVisits.conferenceId, conferenceId), isNull(groupCallVisits.leftAt)));
      const inside = await visits(tx, conferenceId, endedAt);
      const invited = new Map(
        (
          await tx
            .select()
            .from(groupCallPeople)
            .where(eq(groupCallPeople.conferenceId, conferenceId))
        ).map(({ userName, invitedAt }) => [userName, invitedAt]),
      );
      const names = [...new Set([caller, ...inside.keys(), ...invited.keys()])];
      const known: Known[] = await tx
        .select({
          accountId: accounts.id,
          userName: accounts.chatUserName,
          name: accounts.nickname,
        })
        .from(accounts)
        .where(inArray(accounts.chatUserName, names));
      const others = [...inside.keys()].some((name) => name !== caller);
      const said = new Map(
        recordOf(row).kept.cattrs.map(({ key, val }) => [key, parsePerson(val)?.state]),
      );
      const resultOf = (userName: string): CallResult => {
        if (userName === caller) {
          if (!inside.has(caller)) return "failed";
          return others ? "answered" : "no-response";
        }
        if (inside.has(userName)) return "answered";
        return said.get(userName) === "refused" ? "refused" : "missed";
      };
      const values = known.map(({ accountId, userName }) => {
        const span = inside.get(userName);
        const result = resultOf(userName);
        const answeredAt = result === "answered" ? (span?.from ?? null) : null;
        const began = userName === caller ? createdAt : (invited.get(userName) ?? createdAt);
        const startedAt = span !== undefined && span.from < began ? span.from : began;
        const left = span?.to ?? endedAt;
        return {
          accountId,
          callId,
          channel: conferenceId,
          type: CALL_TYPE.group,
          media: callMediaSchema.catch("voice").parse(row.callMedia),
          direction: userName === caller ? ("out" as const) : ("in" as const),
          peer: caller,
          peerName: row.name === "" ? titleOf(known, userName, caller) : row.name,
          result,
          startedAt,
          answeredAt,
          endedAt: left < startedAt ? startedAt : left,
          own: true,
        };
      });
      if (values.length > 0) await tx.insert(callRecords).values(values).onConflictDoNothing();
      return true;
    });

  async function ended(conferenceId: string): Promise<void> {
    await writing.get(conferenceId);
    if (!(await record(conferenceId))) return;
    const changes: DataChanges = {
      supplierId: null,
      tags: ["calls"],
      except: null,
      only: null,
      people: [...(await deps.people(conferenceId))],
    };
    await deps.bus.publish(DATA_CHANGES, changes);
  }

  return {
    changed(conferenceId, inside) {
      const at = new Date(clock.now());
      const names = [...inside];
      const work = (writing.get(conferenceId) ?? Promise.resolve())
        .then(() => visit(conferenceId, names, at))
        .catch((error: unknown) => deps.onError(error, "group call visits"))
        .finally(() => {
          if (writing.get(conferenceId) === work) writing.delete(conferenceId);
        });
      writing.set(conferenceId, work);
      deps.track(work);
    },
    ended,
    async sweep() {
      const rows = await db
        .select({ id: conferences.id })
        .from(conferences)
        .where(
          and(
            isNotNull(conferences.callId),
            isNotNull(conferences.endedAt),
            eq(conferences.callRecorded, false),
          ),
        )
        .orderBy(asc(conferences.endedAt))
        .limit(SWEEP);
      for (const { id } of rows) await ended(id);
    },
    async past(groupId) {
      const { id, caller, callMedia, createdAt, endedAt } = conferences;
      const rows = await db
        .select({ id, caller, callMedia, createdAt, endedAt })
        .from(conferences)
        .where(
          and(
            eq(conferences.callGroup, groupId),
            isNotNull(conferences.callId),
            eq(conferences.callRecorded, true),
            gt(conferences.createdAt, new Date(clock.now() - KEPT)),
          ),
        )
        .orderBy(desc(conferences.createdAt))
        .limit(PAST);
      const counts = await countVisitors(rows.map((row) => row.id));
      return rows.flatMap((row): PastGroupCall[] =>
        row.endedAt === null
          ? []
          : [
              {
                confrId: row.id,
                media: callMediaSchema.catch("voice").parse(row.callMedia),
                startedBy: row.caller,
                startedAt: row.createdAt.getTime(),
                endedAt: row.endedAt.getTime(),
                people: counts.get(row.id) ?? 0,
              },
            ],
      );
    },
  };

  async function countVisitors(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map();
    const rows = await db
      .select({
        id: groupCallVisits.conferenceId,
        people: sql<number>`count(DISTINCT ${groupCallVisits.userName})::int`,
      })
      .from(groupCallVisits)
      .where(inArray(groupCallVisits.conferenceId, [...ids]))
      .groupBy(groupCallVisits.conferenceId);
    return new Map(rows.map(({ id, people }) => [id, people]));
  }
}

/** The names of the other people, the starter of the call first. */
function titleOf(known: readonly Known[], self: string, caller: string): string {
  const names = known
    .filter(({ userName }) => userName !== self)
    .toSorted((a, b) => Number(b.userName === caller) - Number(a.userName === caller))
    .map(({ name }) => name)
    .join("、");
  return names.length > TITLE ? `${names.slice(0, TITLE)}…` : names;
}
