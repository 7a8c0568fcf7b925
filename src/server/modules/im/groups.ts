/** Chat groups in the database: their members and owners. */
import { randomInt } from "node:crypto";
import { and, count, desc, eq, exists, ilike, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { AppError } from "../../../shared/errors.ts";
import type { Group, GroupMember } from "../../../shared/protocol/rest/im-groups.ts";
import { GROUP_LIMITS } from "../../../shared/protocol/rest/im-groups.ts";
import { auditPlatform } from "../../base/audit/index.ts";
import { accounts } from "../../base/database/schema/base.ts";
import { imGroupMembers, imGroups } from "../../base/database/schema/im.ts";
import { anywhere, isDuplicate } from "../../base/database/common.ts";

interface Page {
  readonly cursor: number;
  readonly limit: number;
  readonly searchCount: boolean;
  readonly keyword?: string | undefined;
}
export interface Person {
  readonly accountId: string;
  readonly chatUserName: string;
}
export type GroupRow = typeof imGroups.$inferSelect & { readonly owner: string };

export const groupNotFound = (): AppError =>
  new AppError("request.not-found", { message: "群组不存在" });

/** An id in the provider's format, digits only: the time in ms and six random digits. */
const makeId = (now: number): string => `${now}${String(randomInt(1e6)).padStart(6, "0")}`;

export function createGroups(db: NodePgDatabase, now: () => number) {
  const owner = alias(accounts, "owner");
  const memberCount = sql<number>`(SELECT count(*)::int FROM im_group_members m WHERE m.group_id = ${imGroups.id})`;
  const fields = {
    id: imGroups.id,
    gid: imGroups.id,
    name: imGroups.name,
    desc: imGroups.description,
    admin: owner.chatUserName,
    membersonly: imGroups.approval,
    public: imGroups.public,
    allowinvites: imGroups.allowInvites,
    memberCount,
  };

  const memberOf = (accountId: string) =>
    exists(
      db
        .select({ one: sql`1` })
        .from(imGroupMembers)
        .where(
          and(eq(imGroupMembers.groupId, imGroups.id), eq(imGroupMembers.accountId, accountId)),
        ),
    );

  async function one(id: string): Promise<Group> {
    const [row] = await db
      .select(fields)
      .from(imGroups)
      .innerJoin(owner, eq(owner.id, imGroups.ownerId))
      .where(eq(imGroups.id, id));
    if (row === undefined) throw groupNotFound();
    return row;
  }

  async function members(groupId: string, page: Page, accountId?: string) {
    const { cursor, limit, searchCount, keyword } = page;
    const where = and(
      eq(imGroupMembers.groupId, groupId),
      accountId === undefined ? undefined : eq(imGroupMembers.accountId, accountId),
      keyword === undefined || keyword === ""
        ? undefined
        : or(
            ilike(accounts.nickname, anywhere(keyword)),
            ilike(accounts.chatUserName, anywhere(keyword)),
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
      })
      .from(imGroupMembers)
      .innerJoin(imGroups, eq(imGroups.id, imGroupMembers.groupId))
      .innerJoin(accounts, eq(accounts.id, imGroupMembers.accountId))
      .where(where)
      .orderBy(desc(imGroupMembers.id))
      .limit(limit)
      .offset((cursor - 1) * limit);
    const [counted] = searchCount
      ? await db
          .select({ total: count() })
          .from(imGroupMembers)
          .innerJoin(accounts, eq(accounts.id, imGroupMembers.accountId))
          .where(where)
      : [];
    return { records, total: counted?.total ?? 0, cursor, limit };
  }

  return {
    members,
    one,

    /** A page of the groups of which the account is a member, newest first. */
    async mine(accountId: string, page: Page) {
      const { cursor, limit, searchCount, keyword } = page;
      const where = and(
        memberOf(accountId),
        keyword === undefined || keyword === ""
          ? undefined
          : ilike(imGroups.name, anywhere(keyword)),
      );
      const records: Group[] = await db
        .select(fields)
        .from(imGroups)
        .innerJoin(owner, eq(owner.id, imGroups.ownerId))
        .where(where)
        .orderBy(desc(imGroups.createdAt), desc(imGroups.id))
        .limit(limit)
        .offset((cursor - 1) * limit);
      const [counted] = searchCount
        ? await db.select({ total: count() }).from(imGroups).where(where)
        : [];
      return { records, total: counted?.total ?? 0, cursor, limit };
    },

    /** The group and whether the account is a member; null when the group does not exist. */
    async find(id: string, accountId: string): Promise<(GroupRow & { inside: boolean }) | null> {
      const [row] = await db
        .select({
          group: imGroups,
          owner: owner.chatUserName,
          inside: sql<boolean>`${memberOf(accountId)}`,
        })
        .from(imGroups)
        .innerJoin(owner, eq(owner.id, imGroups.ownerId))
        .where(eq(imGroups.id, id));
      return row === undefined ? null : { ...row.group, owner: row.owner, inside: row.inside };
    },

    /** @throws AppError request.conflict when the id is taken or the account owns too many groups */
    async create(
      self: Person,
      values: Omit<typeof imGroups.$inferInsert, "id" | "ownerId" | "createdAt">,
      gid: string | undefined,
      memberIds: readonly string[],
    ): Promise<Group> {
      const id = gid ?? makeId(now());
      try {
        await db.transaction(async (tx) => {
          const [owned] = await tx
            .select({ n: count() })
            .from(imGroups)
            .where(eq(imGroups.ownerId, self.accountId));
          if ((owned?.n ?? 0) >= GROUP_LIMITS.owned) {
            throw new AppError("request.conflict", {
              message: `最多创建 ${GROUP_LIMITS.owned} 个群组`,
            });
          }
          await tx
            .insert(imGroups)
            .values({ ...values, id, ownerId: self.accountId, createdAt: new Date(now()) });
          const all = new Set([self.accountId, ...memberIds]);
          await tx
            .insert(imGroupMembers)
            .values([...all].map((accountId) => ({ groupId: id, accountId })));
          await auditPlatform(tx, self, {
            action: "create",
            entity: "im-group",
            entityId: id,
            after: { name: values.name, members: all.size },
          });
        });
      } catch (error) {
        if (isDuplicate(error)) throw new AppError("request.conflict", { message: "群组已存在" });
        throw error;
      }
      return one(id);
    },

    /** @throws AppError request.not-found when the group is already gone */
    async remove(self: Person, group: GroupRow): Promise<void> {
      await db.transaction(async (tx) => {
        const gone = await tx.delete(imGroups).where(eq(imGroups.id, group.id)).returning();
        if (gone.length === 0) throw groupNotFound();
        await auditPlatform(tx, self, {
          action: "delete",
          entity: "im-group",
          entityId: group.id,
          before: { name: group.name },
        });
      });
    },

    /**
     * Idempotent: an existing member stays a member.
     *
     * @throws AppError request.not-found for a missing group, request.conflict when the group is full
     */
    async add(self: Person, groupId: string, accountId: string): Promise<GroupMember> {
      await db.transaction(async (tx) => {
        // Lock the group, so that parallel additions cannot exceed the limit.
        const [group] = await tx
          .select({ id: imGroups.id })
          .from(imGroups)
          .where(eq(imGroups.id, groupId))
          .for("update");
        if (group === undefined) throw groupNotFound();
        const [size] = await tx
          .select({ n: count() })
          .from(imGroupMembers)
          .where(eq(imGroupMembers.groupId, groupId));
        const added = await tx
          .insert(imGroupMembers)
          .values({ groupId, accountId })
          .onConflictDoNothing()
          .returning();
        if (added.length === 0) return;
        if ((size?.n ?? 0) >= GROUP_LIMITS.members) {
          throw new AppError("request.conflict", {
            message: `群组最多 ${GROUP_LIMITS.members} 人`,
          });
        }
        await auditPlatform(tx, self, {
          action: "add-member",
          entity: "im-group",
          entityId: groupId,
          after: { accountId },
        });
      });
      const page = { cursor: 1, limit: 1, searchCount: false };
      const [member] = (await members(groupId, page, accountId)).records;
      if (member === undefined) throw groupNotFound();
      return member;
    },

    /** @returns whether the account was a member */
    async drop(self: Person, groupId: string, accountId: string): Promise<boolean> {
      return db.transaction(async (tx) => {
        const gone = await tx
          .delete(imGroupMembers)
          .where(and(eq(imGroupMembers.groupId, groupId), eq(imGroupMembers.accountId, accountId)))
          .returning();
        if (gone.length === 0) return false;
        await auditPlatform(tx, self, {
          action: "remove-member",
          entity: "im-group",
          entityId: groupId,
          before: { accountId },
        });
        return true;
      });
    },
  };
}
