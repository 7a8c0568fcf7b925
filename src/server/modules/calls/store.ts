/**
 * Calls of two in the database. They share a table with conferences and group calls: `end`, `touch` and `endStale` serve all of them. What
 * only conferences and group calls need is in ../conferences/store.ts and ../conferences/group-call-store.ts.
 */
import { and, desc, eq, inArray, isNull, lt, or } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { conferences, type ConferenceRow } from "../../base/database/schema/conferences.ts";

/** The type of a call of two (docs/conferences.md#types). */
export const P2P = 13;
/** Most calls in one list. A person is hardly in more than one. Nobody entered the others, and the sweep ends them. */
const OPEN = 50;

export type CallRow = Pick<ConferenceRow, "id" | "caller" | "endedAt"> & {
  readonly callee: string;
};

export interface CallStore {
  create(call: { id: string; caller: string; callee: string; at: number }): Promise<void>;
  /** @returns null also for a conference and a group call */
  find(id: string): Promise<CallRow | null>;
  /** The calls of this person that have not ended, newest first. */
  openOf(userName: string): Promise<CallRow[]>;
  /** Only the first end is stored. */
  end(id: string, reason: number, at: number): Promise<void>;
  /** Notes that calls or conferences have members inside now. */
  touch(ids: readonly string[], at: number): Promise<void>;
  /**
   * Ends calls and conferences whose members have all been silent since `before`.
   *
   * @returns how many were ended
   */
  endStale(before: number, reason: number, at: number): Promise<number>;
}

/** All times are ms since the epoch. */
export function createCallStore(db: NodePgDatabase): CallStore {
  return {
    async create({ id, caller, callee, at }) {
      const time = new Date(at);
      await db
        .insert(conferences)
        .values({ id, type: P2P, caller, callee, createdAt: time, activeAt: time });
    },
    async find(id) {
      const { caller, callee, endedAt } = conferences;
      const rows = await db
        .select({ id: conferences.id, caller, callee, endedAt })
        .from(conferences)
        .where(and(eq(conferences.id, id), eq(conferences.type, P2P)))
        .limit(1);
      const row = rows[0];
      return row === undefined || row.callee === null ? null : { ...row, callee: row.callee };
    },
    async openOf(userName) {
      const { caller, callee, endedAt } = conferences;
      const rows = await db
        .select({ id: conferences.id, caller, callee, endedAt })
        .from(conferences)
        .where(
          and(
            eq(conferences.type, P2P),
            isNull(endedAt),
            or(eq(caller, userName), eq(callee, userName)),
          ),
        )
        .orderBy(desc(conferences.createdAt))
        .limit(OPEN);
      return rows.flatMap((row) => (row.callee === null ? [] : [{ ...row, callee: row.callee }]));
    },
    async end(id, reason, at) {
      await db
        .update(conferences)
        .set({ endedAt: new Date(at), endReason: reason })
        .where(and(eq(conferences.id, id), isNull(conferences.endedAt)));
    },
    async touch(ids, at) {
      if (ids.length === 0) return;
      await db
        .update(conferences)
        .set({ activeAt: new Date(at) })
        .where(inArray(conferences.id, [...ids]));
    },
    async endStale(before, reason, at) {
      const ended = await db
        .update(conferences)
        .set({ endedAt: new Date(at), endReason: reason })
        .where(and(isNull(conferences.endedAt), lt(conferences.activeAt, new Date(before))))
        .returning({ id: conferences.id });
      return ended.length;
    },
  };
}
