/** Group calls in the database: who may enter one, and which go on (docs/calls.md#group-calls). */
import { and, desc, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { accounts } from "../../base/database/schema/base.ts";
import {
  conferences,
  groupCallPeople,
  groupCallVisits,
} from "../../base/database/schema/conferences.ts";
import { imGroupMembers, imGroups } from "../../base/database/schema/im.ts";
import { belongs, readMembers } from "../chat/groups/facts.ts";
import { type ConferenceRecord, recordOf } from "./store.ts";

/** Most calls in one list. */
const LIST = 50;

export interface GroupCallStore {
  mayEnter(conference: ConferenceRecord, userName: string): Promise<boolean>;
  /** Lets these people enter. @param at ms since the epoch @returns how many may enter by invitation then */
  invite(conferenceId: string, userNames: readonly string[], at: number): Promise<number>;
  /** How many people would be invited if these were too. */
  countWith(conferenceId: string, userNames: readonly string[]): Promise<number>;
  /** The calls that go on and that this person may enter, newest first. */
  open(userName: string): Promise<ConferenceRecord[]>;
  /** The calls of this group that go on, newest first. */
  ofGroup(groupId: string): Promise<ConferenceRecord[]>;
  /** Who is inside, or was while the call went on, by chat user name. Empty for a call that the cloud carries. */
  visitors(call: Pick<ConferenceRecord, "id" | "ended">): Promise<readonly string[]>;
  /** Everybody who may enter the call, by chat user name. */
  concerned(conferenceId: string): Promise<readonly string[]>;
  /** Chat user names of the group's members; null when this person is none of them. */
  groupOf(
    groupId: string,
    userName: string,
  ): Promise<{ readonly name: string; readonly members: readonly string[] } | null>;
}

export function createGroupCallStore(db: NodePgDatabase): GroupCallStore {
  const goesOn = and(isNotNull(conferences.callId), isNull(conferences.endedAt));
  const invited = (conferenceId: string) =>
    db
      .select({ userName: groupCallPeople.userName })
      .from(groupCallPeople)
      .where(eq(groupCallPeople.conferenceId, conferenceId));
  /** The groups of this person. */
  const groupsOf = (userName: string) =>
    db
      .select({ id: imGroupMembers.groupId })
      .from(imGroupMembers)
      .innerJoin(imGroups, eq(imGroups.id, imGroupMembers.groupId))
      .innerJoin(accounts, eq(accounts.id, imGroupMembers.accountId))
      .where(and(eq(accounts.chatUserName, userName), belongs));

  return {
    async mayEnter({ id, creator, call }, userName) {
      if (creator === userName) return true;
      const byName = await db
        .select({ id: groupCallPeople.conferenceId })
        .from(groupCallPeople)
        .where(and(eq(groupCallPeople.conferenceId, id), eq(groupCallPeople.userName, userName)));
      if (byName.length > 0) return true;
      const groupId = call?.groupId ?? null;
      if (groupId === null) return false;
      return (await groupsOf(userName)).some((group) => group.id === groupId);
    },
    async invite(conferenceId, userNames, at) {
      if (userNames.length > 0) {
        await db
          .insert(groupCallPeople)
          .values(
            userNames.map((userName) => ({
              conferenceId,
              userName,
              invitedAt: new Date(at),
            })),
          )
          .onConflictDoNothing();
      }
      return (await invited(conferenceId)).length;
    },
    async countWith(conferenceId, userNames) {
      const names = new Set((await invited(conferenceId)).map(({ userName }) => userName));
      return new Set([...names, ...userNames]).size;
    },
    async open(userName) {
      const rows = await db
        .select()
        .from(conferences)
        .where(
          and(
            goesOn,
            or(
              eq(conferences.caller, userName),
              inArray(conferences.callGroup, groupsOf(userName)),
              sql`EXISTS (SELECT FROM group_call_people p
                WHERE p.conference_id = ${conferences.id} AND p.user_name = ${userName})`,
            ),
          ),
        )
        .orderBy(desc(conferences.createdAt))
        .limit(LIST);
      return rows.map(recordOf);
    },
    async ofGroup(groupId) {
      const rows = await db
        .select()
        .from(conferences)
        .where(and(goesOn, eq(conferences.callGroup, groupId)))
        .orderBy(desc(conferences.createdAt))
        .limit(LIST);
      return rows.map(recordOf);
    },
    async visitors({ id, ended }) {
      const { conferenceId, userName, leftAt } = groupCallVisits;
      const rows = await db
        .selectDistinct({ userName })
        .from(groupCallVisits)
        .where(and(eq(conferenceId, id), ended ? undefined : isNull(leftAt)));
      return rows.map((row) => row.userName);
    },
    async concerned(conferenceId) {
      const [row] = await db
        .select({ caller: conferences.caller, group: conferences.callGroup })
        .from(conferences)
        .where(eq(conferences.id, conferenceId));
      if (row === undefined) return [];
      const names = (await invited(conferenceId)).map(({ userName }) => userName);
      const members = row.group === null ? [] : await readMembers(db, row.group);
      return [
        ...new Set([row.caller, ...names, ...members.map(({ chatUserName }) => chatUserName)]),
      ];
    },
    async groupOf(groupId, userName) {
      const [group] = await db
        .select({ name: imGroups.name })
        .from(imGroups)
        .where(eq(imGroups.id, groupId));
      if (group === undefined) return null;
      const members = (await readMembers(db, groupId)).map(({ chatUserName }) => chatUserName);
      return members.includes(userName) ? { name: group.name, members } : null;
    },
  };
}
