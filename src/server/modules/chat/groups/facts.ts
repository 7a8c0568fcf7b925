/**
 * Reads groups and memberships from the database (docs/chat.md#groups). A person who leaves the company no longer counts as a member
 * of its groups.
 */
import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { isOpen } from "../../../base/database/companies.ts";
import { accounts, employees } from "../../../base/database/schema/base.ts";
import { chatBlock } from "../../../base/database/schema/chat.ts";
import { imGroupBlocks, imGroupMembers, imGroups } from "../../../base/database/schema/im.ts";

import { groupKey } from "../wire/records.ts";

export type Reader = Pick<NodePgDatabase, "select">;
export type Group = typeof imGroups.$inferSelect;

export interface Person {
  readonly accountId: string;
  readonly chatUserName: string;
}
export interface Member extends Person {
  readonly owner: boolean;
  readonly admin: boolean;
  /** May write although the group is muted. */
  readonly allowed: boolean;
  /** What the member says of themselves in this group, by key. */
  readonly attributes: Readonly<Record<string, string>>;
  /** ms since the epoch; null for a member who may write */
  readonly mutedUntil: number | null;
  /** ms since the epoch */
  readonly joinedAt: number;
}

/** Condition on a row of im_group_members beside its row of im_groups. */
export const belongs = sql<boolean>`(im_groups.company_id IS NULL OR EXISTS (
  SELECT FROM employees e WHERE e.company_id = im_groups.company_id
    AND e.account_id = im_group_members.account_id AND e.dimission_at IS NULL
    AND ${isOpen(sql`e.company_id`)}))`;

/** @returns null for a group that is not there */
export async function readGroup(db: Reader, id: string): Promise<Group | null> {
  const [row] = await db.select().from(imGroups).where(eq(imGroups.id, id));
  return row ?? null;
}

/** The names of a group's members. */
export interface Roster {
  /** Grows with each change. */
  readonly version: number;
  readonly names: ReadonlySet<string>;
}

/** @returns names no older than their version; null for a group that is not there */
export async function readRoster(db: Reader, groupId: string): Promise<Roster | null> {
  const group = await readGroup(db, groupId);
  if (group === null) return null;
  const rows = await db
    .select({ name: accounts.chatUserName })
    .from(imGroupMembers)
    .innerJoin(imGroups, eq(imGroups.id, imGroupMembers.groupId))
    .innerJoin(accounts, eq(accounts.id, imGroupMembers.accountId))
    .where(and(eq(imGroupMembers.groupId, groupId), belongs));
  return { version: group.roster, names: new Set(rows.map(({ name }) => name)) };
}

/** The members, in the order in which they joined. @param userName only this one */
export async function readMembers(
  db: Reader,
  groupId: string,
  userName?: string,
): Promise<Member[]> {
  const rows = await db
    .select({
      accountId: accounts.id,
      chatUserName: accounts.chatUserName,
      owner: sql<boolean>`${imGroups.ownerId} = ${accounts.id}`,
      admin: imGroupMembers.admin,
      allowed: imGroupMembers.allowed,
      attributes: imGroupMembers.attributes,
      mutedUntil: imGroupMembers.mutedUntil,
      joinedAt: imGroupMembers.joinedAt,
    })
    .from(imGroupMembers)
    .innerJoin(imGroups, eq(imGroups.id, imGroupMembers.groupId))
    .innerJoin(accounts, eq(accounts.id, imGroupMembers.accountId))
    .where(
      and(
        eq(imGroupMembers.groupId, groupId),
        userName === undefined ? undefined : eq(accounts.chatUserName, userName),
        belongs,
      ),
    )
    .orderBy(imGroupMembers.id);
  return rows.map((row) => ({ ...row, joinedAt: row.joinedAt.getTime() }));
}

/** The groups of a person, the newest first. */
export async function readGroupsOf(db: Reader, userName: string): Promise<Group[]> {
  const rows = await db
    .select({ group: imGroups })
    .from(imGroupMembers)
    .innerJoin(imGroups, eq(imGroups.id, imGroupMembers.groupId))
    .innerJoin(accounts, eq(accounts.id, imGroupMembers.accountId))
    .where(and(eq(accounts.chatUserName, userName), belongs))
    .orderBy(sql`im_groups.created_at DESC, im_groups.id DESC`);
  return rows.map(({ group }) => group);
}

/** The keys of a person's groups, with the time of joining in ms since the epoch. */
export async function readJoined(db: Reader, userName: string): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: imGroups.id, joinedAt: imGroupMembers.joinedAt })
    .from(imGroupMembers)
    .innerJoin(imGroups, eq(imGroups.id, imGroupMembers.groupId))
    .innerJoin(accounts, eq(accounts.id, imGroupMembers.accountId))
    .where(and(eq(accounts.chatUserName, userName), belongs));
  return new Map(rows.map(({ id, joinedAt }) => [groupKey(id), joinedAt.getTime()]));
}

/** The public groups of a person's companies that do not block the person and whose ids follow `after`, in the order of their ids. */
export async function readPublicGroups(
  db: Reader,
  userName: string,
  after: string,
  limit: number,
): Promise<Group[]> {
  return await db
    .select()
    .from(imGroups)
    .where(
      and(
        eq(imGroups.public, true),
        gt(imGroups.id, after),
        sql`EXISTS (SELECT FROM employees e JOIN accounts a ON a.id = e.account_id
          WHERE a.chat_user_name = ${userName} AND e.company_id = im_groups.company_id
            AND e.dimission_at IS NULL AND ${isOpen(sql`e.company_id`)}
            AND NOT EXISTS (SELECT FROM im_group_blocks b
              WHERE b.group_id = im_groups.id AND b.account_id = a.id))`,
      ),
    )
    .orderBy(imGroups.id)
    .limit(limit);
}

/** The accounts with these chat user names; unknown and disabled ones are left out. */
export async function readPeople(db: Reader, userNames: readonly string[]): Promise<Person[]> {
  if (userNames.length === 0) return [];
  return await db
    .select({ accountId: accounts.id, chatUserName: accounts.chatUserName })
    .from(accounts)
    .where(and(inArray(accounts.chatUserName, [...userNames]), isNull(accounts.disabledAt)));
}

/** The people who may not enter the group. */
export async function readBlocked(db: Reader, groupId: string): Promise<Person[]> {
  return await db
    .select({ accountId: accounts.id, chatUserName: accounts.chatUserName })
    .from(imGroupBlocks)
    .innerJoin(accounts, eq(accounts.id, imGroupBlocks.accountId))
    .where(eq(imGroupBlocks.groupId, groupId))
    .orderBy(accounts.chatUserName);
}

/** Those of the people who block this person. */
export async function readBlockers(
  db: Reader,
  userName: string,
  people: readonly Person[],
): Promise<Set<string>> {
  if (people.length === 0) return new Set();
  const names = people.map((p) => p.chatUserName);
  const rows = await db
    .select({ name: chatBlock.userName })
    .from(chatBlock)
    .where(and(eq(chatBlock.blocked, userName), inArray(chatBlock.userName, names)));
  return new Set(rows.map(({ name }) => name));
}

/** The companies of each account. */
export async function readCompanies(
  db: Reader,
  accountIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  const rows = await db
    .select({ accountId: employees.accountId, companyId: employees.companyId })
    .from(employees)
    .where(
      and(
        inArray(employees.accountId, [...accountIds]),
        isNull(employees.dimissionAt),
        isOpen(employees.companyId),
      ),
    );
  const found = new Map(accountIds.map((id) => [id, new Set<string>()]));
  for (const { accountId, companyId } of rows) found.get(accountId ?? "")?.add(companyId);
  return found;
}
