/** The pages of groups and of their members that the console reads. What changes a group is in chat/groups. */
import { and, count, desc, eq, ilike, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { AppError } from "../../../shared/errors.ts";
import type { GroupRole } from "../../../shared/protocol/group-model.ts";
import type { Group, GroupMember } from "../../../shared/protocol/rest/im-groups.ts";
import { accounts } from "../../base/database/schema/base.ts";
import { imGroupMembers, imGroups } from "../../base/database/schema/im.ts";
import { GROUP_CARD } from "../../../shared/domain/group-chat.ts";
import { anywhere } from "../../base/database/common.ts";
import { belongs } from "../chat/groups/facts.ts";

export interface Page {
  readonly cursor: number;
  readonly limit: number;
  readonly searchCount: boolean;
  readonly keyword?: string | undefined;
}
export const groupNotFound = (): AppError =>
  new AppError("request.not-found", { message: "群组不存在" });

export function createGroupPages(db: NodePgDatabase) {
  const owner = alias(accounts, "owner");
  const memberCount = sql<number>`(SELECT count(*)::int FROM im_group_members
    WHERE im_group_members.group_id = im_groups.id AND ${belongs})`;
  const role = sql<GroupRole>`CASE WHEN im_groups.owner_id = im_group_members.account_id THEN 'owner'
    WHEN im_group_members.admin THEN 'admin' ELSE 'member' END`;
  const fields = {
    id: imGroups.id,
    gid: imGroups.id,
    name: imGroups.name,
    desc: imGroups.description,
    admin: owner.chatUserName,
    membersonly: imGroups.approval,
    public: imGroups.public,
    allowinvites: imGroups.allowInvites,
    inviteconfirm: imGroups.inviteConfirm,
    memberCount,
    muted: imGroups.muted,
    announcement: imGroups.announcement,
    role,
    mutedUntil: imGroupMembers.mutedUntil,
    allowed: imGroupMembers.allowed,
    joinedAt: imGroupMembers.joinedAt,
  };
  const shown = (row: Omit<Group, "joinedAt"> & { readonly joinedAt: Date }): Group => ({
    ...row,
    joinedAt: row.joinedAt.getTime(),
  });
  /** The groups as this member sees them. */
  const seenBy = (accountId: string) =>
    db
      .select(fields)
      .from(imGroups)
      .innerJoin(owner, eq(owner.id, imGroups.ownerId))
      .innerJoin(
        imGroupMembers,
        and(eq(imGroupMembers.groupId, imGroups.id), eq(imGroupMembers.accountId, accountId)),
      );

  async function one(id: string, accountId: string): Promise<Group> {
    const [row] = await seenBy(accountId).where(and(eq(imGroups.id, id), belongs));
    if (row === undefined) throw groupNotFound();
    return shown(row);
  }

  async function members(groupId: string, page: Page, accountId?: string) {
    const { cursor, limit, searchCount, keyword } = page;
    const where = and(
      eq(imGroupMembers.groupId, groupId),
      belongs,
      accountId === undefined ? undefined : eq(imGroupMembers.accountId, accountId),
      keyword === undefined || keyword === ""
        ? undefined
        : or(
            ilike(accounts.nickname, anywhere(keyword)),
            ilike(accounts.chatUserName, anywhere(keyword)),
            sql`im_group_members.attributes ->> ${GROUP_CARD} ILIKE ${anywhere(keyword)}`,
          ),
    );
    const records: GroupMember[] = await db
      .select({
        id: imGroupMembers.id,
        groupIdStr: imGroupMembers.groupId,
        userName: accounts.chatUserName,
        name: accounts.nickname,
        avatar: accounts.avatar,
        owner: sql<boolean>`${imGroups.ownerId} = ${accounts.id}`,
        card: sql<string>`coalesce(im_group_members.attributes ->> ${GROUP_CARD}, '')`,
        role,
        mutedUntil: imGroupMembers.mutedUntil,
        allowed: imGroupMembers.allowed,
      })
      .from(imGroupMembers)
      .innerJoin(imGroups, eq(imGroups.id, imGroupMembers.groupId))
      .innerJoin(accounts, eq(accounts.id, imGroupMembers.accountId))
      .where(where)
      .orderBy(
        sql`CASE WHEN im_groups.owner_id = im_group_members.account_id THEN 0
          WHEN im_group_members.admin THEN 1 ELSE 2 END`,
        desc(imGroupMembers.id),
      )
      .limit(limit)
      .offset((cursor - 1) * limit);
    const [counted] = searchCount
      ? await db
          .select({ total: count() })
          .from(imGroupMembers)
          .innerJoin(imGroups, eq(imGroups.id, imGroupMembers.groupId))
          .innerJoin(accounts, eq(accounts.id, imGroupMembers.accountId))
          .where(where)
      : [];
    return { records, total: counted?.total ?? 0, cursor, limit };
  }

  return {
    one,
    members,
    /** A member as the pages show one. @throws AppError request.not-found */
    async member(groupId: string, accountId: string): Promise<GroupMember> {
      const page = { cursor: 1, limit: 1, searchCount: false };
      const [found] = (await members(groupId, page, accountId)).records;
      if (found === undefined) throw groupNotFound();
      return found;
    },

    /** A page of the groups of which the account is a member, newest first. */
    async groupsOf(accountId: string, page: Page) {
      const { cursor, limit, searchCount, keyword } = page;
      const where = and(
        belongs,
        keyword === undefined || keyword === ""
          ? undefined
          : ilike(imGroups.name, anywhere(keyword)),
      );
      const all = seenBy(accountId).where(where);
      const [counted] = searchCount ? await db.select({ total: count() }).from(all.as("mine")) : [];
      const records = await seenBy(accountId)
        .where(where)
        .orderBy(desc(imGroups.createdAt), desc(imGroups.id))
        .limit(limit)
        .offset((cursor - 1) * limit);
      return { records: records.map(shown), total: counted?.total ?? 0, cursor, limit };
    },
  };
}
