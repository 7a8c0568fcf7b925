/** Conferences in the database. Their ends are stored by ../calls/store.ts. */
import {
  and,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  notInArray,
  or,
  sql,
  type SQL,
} from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { z } from "zod";
import {
  confrRoleSchema,
  type VideoCodec,
  videoCodecSchema,
} from "../../../shared/protocol/confr-model.ts";
import { CONFR_LIMITS } from "../../../shared/protocol/confr-signalling.ts";
import { type CallMedia, callMediaSchema } from "../../../shared/protocol/call-message.ts";
import { confrLimitsSchema } from "../../../shared/protocol/rest/confr.ts";
import { conferences } from "../../base/database/schema/conferences.ts";
import { P2P } from "../calls/store.ts";
import type { ConferenceLimits, ConferenceSpec, Kept } from "./types.ts";

/** A stored conference. */
export interface ConferenceRecord extends ConferenceSpec {
  readonly name: string;
  readonly roomName: string | null;
  readonly passwordHash: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly ended: boolean;
  readonly kept: Kept;
  /** Set for a group call. */
  readonly call?: GroupCall;
}

/** What a group call has besides a conference. */
export interface GroupCall {
  /** The id that the caller's core gave the call. */
  readonly callId: string;
  readonly media: CallMedia;
  /** The chat group that called; null: people were chosen. */
  readonly groupId: string | null;
}

export interface NewConference {
  readonly id: string;
  readonly type: 10 | 11 | 12 | 14;
  readonly creator: string;
  readonly companyId: string | null;
  readonly name: string;
  readonly roomName: string | null;
  readonly passwordHash: string | null;
  readonly limits: Partial<ConferenceLimits>;
  readonly rec: boolean;
  readonly recMerge: boolean;
  readonly liveCfg: Record<string, unknown> | null;
  readonly vcodes: readonly VideoCodec[];
  readonly call?: GroupCall | undefined;
  /** Calls of its group that the caller knows to be over, although the database may not know it yet. */
  readonly over?: readonly string[] | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface ConferenceStore {
  /**
   * @returns what is there already: the number, an open conference of that name, or another call of the group; nothing is stored then
   */
  create(conference: NewConference): Promise<"made" | "conference" | "number" | "call">;
  find(id: string): Promise<ConferenceRecord | null>;
  /** The open conference of this name: of the company, or without one of the creator. */
  findByName(
    companyId: string | null,
    creator: string,
    roomName: string,
  ): Promise<ConferenceRecord | null>;
  /** Open conferences, newest first, at most 200: those of these companies, and those without a company of these people. */
  open(
    companyIds: readonly string[],
    person: string,
    colleagues: readonly string[],
  ): Promise<ConferenceRecord[]>;
  /** Whether a member was seen in an open conference after `since` (ms since the epoch). */
  someOpen(since: number): Promise<boolean>;
  keep(id: string, kept: Kept): Promise<void>;
}

/** Most conferences in one list. */
const LIST = 200;

/** A part that this build cannot read does not cost the other parts. */
const keptSchema = z.object({
  roles: z.record(z.string(), confrRoleSchema).catch({}),
  cattrs: z.array(z.object({ key: z.string(), val: z.string() })).catch([]),
  muteAll: z.boolean().catch(false),
  mayUnmute: z.boolean().optional().catch(undefined),
  muted: z.array(z.string()).catch([]),
});

type Row = typeof conferences.$inferSelect;

/** A conference from its row. */
export const recordOf = (row: Row): ConferenceRecord => {
  const limits = confrLimitsSchema.safeParse(row.limits);
  const given = Object.fromEntries(
    Object.entries(limits.data ?? {}).filter(([, value]) => value !== undefined),
  );
  return {
    id: row.id,
    type: row.type,
    creator: row.caller,
    limits: { ...CONFR_LIMITS, ...given },
    vcodes: z.array(videoCodecSchema).catch([]).parse(row.vcodes),
    companyId: row.companyId,
    name: row.name,
    roomName: row.roomName,
    passwordHash: row.passwordHash,
    createdAt: row.createdAt.getTime(),
    ended: row.endedAt !== null,
    kept: keptSchema.catch(keptSchema.parse({})).parse(row.state),
    ...(row.callId === null
      ? {}
      : {
          groupCall: true,
          call: {
            callId: row.callId,
            media: callMediaSchema.catch("voice").parse(row.callMedia),
            groupId: row.callGroup,
          },
        }),
  };
};

export function createConferenceStore(db: NodePgDatabase): ConferenceStore {
  const many = ne(conferences.type, P2P);
  // a group call stands in no list and has no name by which others find it
  const open = and(many, isNull(conferences.endedAt), isNull(conferences.callId));
  async function first(where: SQL | undefined): Promise<ConferenceRecord | null> {
    const rows = await db.select().from(conferences).where(where).limit(1);
    return rows[0] === undefined ? null : recordOf(rows[0]);
  }
  async function insert(
    handle: Pick<NodePgDatabase, "insert" | "select">,
    conference: NewConference,
  ): Promise<"made" | "conference" | "number"> {
    const { at, creator, vcodes, call, over: _, ...values } = conference;
    const time = new Date(at);
    const rows = await handle
      .insert(conferences)
      .values({
        ...values,
        caller: creator,
        vcodes: [...vcodes],
        createdAt: time,
        activeAt: time,
        ...(call === undefined
          ? {}
          : { callId: call.callId, callMedia: call.media, callGroup: call.groupId }),
      })
      .onConflictDoNothing()
      .returning({ id: conferences.id });
    if (rows.length > 0) return "made";
    const same = await handle
      .select({ id: conferences.id })
      .from(conferences)
      .where(eq(conferences.id, values.id));
    return same.length > 0 ? "number" : "conference";
  }
  return {
    create(conference) {
      const groupId = conference.call?.groupId ?? null;
      if (groupId === null) return insert(db, conference);
      return db.transaction(async (tx) => {
        // Of several people who call one group at the same moment, each finds the call of the one before.
        const key = `group-call:${groupId}`;
        await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
        const others = await tx
          .select({ id: conferences.id })
          .from(conferences)
          .where(
            and(
              eq(conferences.callGroup, groupId),
              isNotNull(conferences.callId),
              isNull(conferences.endedAt),
              notInArray(conferences.id, [...(conference.over ?? [])]),
            ),
          )
          .limit(1);
        return others.length > 0 ? "call" : insert(tx, conference);
      });
    },
    find: (id) => first(and(eq(conferences.id, id), many)),
    findByName: (companyId, creator, roomName) =>
      first(
        and(
          open,
          eq(conferences.roomName, roomName),
          companyId === null
            ? and(isNull(conferences.companyId), eq(conferences.caller, creator))
            : eq(conferences.companyId, companyId),
        ),
      ),
    async open(companyIds, person, colleagues) {
      const rows = await db
        .select()
        .from(conferences)
        .where(
          and(
            open,
            or(
              inArray(conferences.companyId, [...companyIds]),
              and(
                isNull(conferences.companyId),
                inArray(conferences.caller, [person, ...colleagues]),
              ),
            ),
          ),
        )
        .orderBy(desc(conferences.createdAt))
        .limit(LIST);
      return rows.map(recordOf);
    },
    async someOpen(since) {
      const recent = and(
        many,
        isNull(conferences.endedAt),
        gt(conferences.activeAt, new Date(since)),
      );
      return (
        (await db.select({ id: conferences.id }).from(conferences).where(recent).limit(1)).length >
        0
      );
    },
    async keep(id, kept) {
      await db.update(conferences).set({ state: kept }).where(eq(conferences.id, id));
    },
  };
}
