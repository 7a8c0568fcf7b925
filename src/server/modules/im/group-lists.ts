/** What the console lists about groups beside one's own: what waits for an answer, and the public groups that one may enter. */
import { and, count, desc, eq, ilike, isNotNull, isNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { GroupRequest } from "../../../shared/protocol/group-model.ts";
import type { PublicGroup } from "../../../shared/protocol/rest/im-groups.ts";
import { anywhere } from "../../base/database/common.ts";
import { isOpen } from "../../base/database/companies.ts";
import { accounts } from "../../base/database/schema/base.ts";
import { imGroupRequests, imGroups } from "../../base/database/schema/im.ts";
import { belongs } from "../chat/groups/facts.ts";
import type { Page } from "./groups.ts";

export function createGroupLists(db: NodePgDatabase) {
  const inviter = alias(accounts, "inviter");
  /** The person is a member of the group. */
  const isIn = (accountId: string, more = sql``) => sql<boolean>`EXISTS (
    SELECT FROM im_group_members WHERE im_group_members.group_id = im_groups.id
      AND im_group_members.account_id = ${accountId}::bigint AND ${belongs} ${more})`;
  const isColleague = (accountId: string) => sql<boolean>`EXISTS (
    SELECT FROM employees e WHERE e.company_id = im_groups.company_id
      AND e.account_id = ${accountId}::bigint AND e.dimission_at IS NULL
      AND ${isOpen(sql`e.company_id`)})`;

  return {
    /** Invitations to this person, applications to groups that they manage, and their own applications; newest first. */
    async requests(accountId: string, { cursor, limit, searchCount }: Page) {
      const invited = and(
        eq(imGroupRequests.accountId, accountId),
        isNotNull(imGroupRequests.inviterId),
        isColleague(accountId),
      );
      const applied = and(
        eq(imGroupRequests.accountId, accountId),
        isNull(imGroupRequests.inviterId),
      );
      const ruled = and(
        isNull(imGroupRequests.inviterId),
        isIn(
          accountId,
          sql`AND (im_group_members.admin OR im_groups.owner_id = im_group_members.account_id)`,
        ),
      );
      const where = or(invited, applied, ruled);
      const records: GroupRequest[] = (
        await db
          .select({
            kind: sql<
              GroupRequest["kind"]
            >`CASE WHEN ${imGroupRequests.inviterId} IS NOT NULL THEN 'invitation'
              WHEN ${imGroupRequests.accountId} = ${accountId}::bigint THEN 'applied' ELSE 'application' END`,
            groupId: imGroups.id,
            groupName: imGroups.name,
            userName: sql<string>`coalesce(${inviter.chatUserName}, ${accounts.chatUserName})`,
            name: sql<string>`coalesce(${inviter.nickname}, ${accounts.nickname})`,
            avatar: sql<string>`coalesce(${inviter.avatar}, ${accounts.avatar})`,
            message: imGroupRequests.message,
            at: imGroupRequests.createdAt,
          })
          .from(imGroupRequests)
          .innerJoin(imGroups, eq(imGroups.id, imGroupRequests.groupId))
          .innerJoin(accounts, eq(accounts.id, imGroupRequests.accountId))
          .leftJoin(inviter, eq(inviter.id, imGroupRequests.inviterId))
          .where(where)
          .orderBy(desc(imGroupRequests.createdAt), imGroups.id, accounts.id)
          .limit(limit)
          .offset((cursor - 1) * limit)
      ).map((row) => ({ ...row, at: row.at.getTime() }));
      const [counted] = searchCount
        ? await db
            .select({ total: count() })
            .from(imGroupRequests)
            .innerJoin(imGroups, eq(imGroups.id, imGroupRequests.groupId))
            .where(where)
        : [];
      return { records, total: counted?.total ?? 0, cursor, limit };
    },

    /** The public groups of the person's companies that do not block the person, by name. */
    async publicGroups(accountId: string, { cursor, limit, searchCount, keyword }: Page) {
      const where = and(
        eq(imGroups.public, true),
        isColleague(accountId),
        // the group would answer as if it did not exist
        sql`NOT EXISTS (SELECT FROM im_group_blocks b WHERE b.group_id = im_groups.id
          AND b.account_id = ${accountId}::bigint)`,
        keyword === undefined || keyword === ""
          ? undefined
          : or(ilike(imGroups.name, anywhere(keyword)), eq(imGroups.id, keyword)),
      );
      const records: PublicGroup[] = await db
        .select({
          id: imGroups.id,
          name: imGroups.name,
          desc: imGroups.description,
          membersonly: imGroups.approval,
          memberCount: sql<number>`(SELECT count(*)::int FROM im_group_members
            WHERE im_group_members.group_id = im_groups.id AND ${belongs})`,
          joined: isIn(accountId),
          applied: sql<boolean>`EXISTS (SELECT FROM im_group_requests r WHERE r.group_id = im_groups.id
            AND r.account_id = ${accountId}::bigint AND r.inviter_id IS NULL)`,
        })
        .from(imGroups)
        .where(where)
        .orderBy(imGroups.name, imGroups.id)
        .limit(limit)
        .offset((cursor - 1) * limit);
      const [counted] = searchCount
        ? await db.select({ total: count() }).from(imGroups).where(where)
        : [];
      return { records, total: counted?.total ?? 0, cursor, limit };
    },
  };
}
