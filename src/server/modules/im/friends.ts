/** What a person has with others, for the console's own calls. chat/contacts/contacts.ts changes it. */
import { and, count, desc, eq, isNull, notExists, sql } from "drizzle-orm";
import { alias, unionAll } from "drizzle-orm/pg-core";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { accounts } from "../../base/database/schema/base.ts";
import { chatBlock } from "../../base/database/schema/chat.ts";
import { imFriendRequests, imFriends } from "../../base/database/schema/im.ts";
import type { FriendRequest } from "../../../shared/protocol/friend-model.ts";

export interface FriendRow {
  readonly id: string;
  readonly friendUserName: string;
  readonly name: string;
  readonly avatar: string;
  readonly agreed: boolean;
}
interface Page {
  readonly cursor: number;
  readonly limit: number;
}

const back = alias(imFriends, "back");

export function createFriends(db: NodePgDatabase) {
  /** The row of the other side, beside a row of im_friends. */
  const answer = db
    .select({ id: back.id })
    .from(back)
    .where(and(eq(back.accountId, imFriends.friendId), eq(back.friendId, imFriends.accountId)));

  /** @returns null without a request of the account that reaches nobody */
  async function unheard(accountId: string, userName: string): Promise<FriendRow | null> {
    const [row] = await db
      .select({ id: imFriendRequests.id })
      .from(imFriendRequests)
      .where(
        and(eq(imFriendRequests.accountId, accountId), eq(imFriendRequests.userName, userName)),
      );
    return row === undefined
      ? null
      : { id: row.id, friendUserName: userName, name: userName, avatar: "", agreed: false };
  }

  return {
    /** @returns null when the account has not added the person */
    async find(accountId: string, userName: string): Promise<FriendRow | null> {
      const [row] = await db
        .select({
          id: imFriends.id,
          friendUserName: accounts.chatUserName,
          name: accounts.nickname,
          avatar: accounts.avatar,
          agreed: sql<boolean>`EXISTS (${answer})`,
        })
        .from(imFriends)
        .innerJoin(accounts, eq(accounts.id, imFriends.friendId))
        .where(
          and(
            eq(imFriends.accountId, accountId),
            eq(accounts.chatUserName, userName),
            isNull(accounts.disabledAt),
          ),
        );
      return row ?? (await unheard(accountId, userName));
    },

    /** @returns the user name that a row of the account is about; null when it has no such row */
    async nameOf(accountId: string, id: string): Promise<string | null> {
      const found = await unionAll(
        db
          .select({ userName: accounts.chatUserName })
          .from(imFriends)
          .innerJoin(accounts, eq(accounts.id, imFriends.friendId))
          .where(and(eq(imFriends.id, id), eq(imFriends.accountId, accountId))),
        db
          .select({ userName: imFriendRequests.userName })
          .from(imFriendRequests)
          .where(and(eq(imFriendRequests.id, id), eq(imFriendRequests.accountId, accountId))),
      );
      return found[0]?.userName ?? null;
    },

    /** A page of the account's friends, by name. */
    async page(accountId: string, { cursor, limit }: Page) {
      const where = and(
        eq(imFriends.accountId, accountId),
        isNull(accounts.disabledAt),
        sql`EXISTS (${answer})`,
      );
      const records = await db
        .select({
          userName: accounts.chatUserName,
          name: accounts.nickname,
          avatar: accounts.avatar,
        })
        .from(imFriends)
        .innerJoin(accounts, eq(accounts.id, imFriends.friendId))
        .where(where)
        .orderBy(accounts.nickname, accounts.id)
        .limit(limit)
        .offset((cursor - 1) * limit);
      const [counted] = await db
        .select({ total: count() })
        .from(imFriends)
        .innerJoin(accounts, eq(accounts.id, imFriends.friendId))
        .where(where);
      return { records, total: counted?.total ?? 0, cursor, limit };
    },

    /**
     * The newest requests that wait for an answer: of others to the account, except of those whom it blocks, and its own. Names and
     * pictures of those whom the account asks are not hidden here.
     */
    async requests(accountId: string, self: string, limit: number): Promise<FriendRequest[]> {
      const columns = {
        kind: sql<FriendRequest["kind"]>`'received'`.as("kind"),
        userName: accounts.chatUserName,
        name: accounts.nickname,
        avatar: accounts.avatar,
        message: imFriends.reason,
        at: imFriends.createdAt,
      };
      const received = db
        .select(columns)
        .from(imFriends)
        .innerJoin(accounts, eq(accounts.id, imFriends.accountId))
        .where(
          and(
            eq(imFriends.friendId, accountId),
            isNull(accounts.disabledAt),
            notExists(answer),
            notExists(
              db
                .select({ blocked: chatBlock.blocked })
                .from(chatBlock)
                .where(
                  and(eq(chatBlock.userName, self), eq(chatBlock.blocked, accounts.chatUserName)),
                ),
            ),
          ),
        )
        .orderBy(desc(imFriends.createdAt))
        .limit(limit);
      const sent = db
        .select({ ...columns, kind: sql<FriendRequest["kind"]>`'sent'`.as("kind") })
        .from(imFriends)
        .innerJoin(accounts, eq(accounts.id, imFriends.friendId))
        .where(
          and(eq(imFriends.accountId, accountId), isNull(accounts.disabledAt), notExists(answer)),
        )
        .orderBy(desc(imFriends.createdAt))
        .limit(limit);
      const unheardOf = db
        .select({
          userName: imFriendRequests.userName,
          message: imFriendRequests.reason,
          at: imFriendRequests.createdAt,
        })
        .from(imFriendRequests)
        .where(eq(imFriendRequests.accountId, accountId))
        .orderBy(desc(imFriendRequests.createdAt))
        .limit(limit);
      const [receivedRequests, sentRequests, nobody] = await Promise.all([
        received,
        sent,
        unheardOf,
      ]);
      return [
        ...receivedRequests,
        ...sentRequests,
        ...nobody.map((row) => ({
          ...row,
          kind: "sent" as const,
          name: row.userName,
          avatar: "",
        })),
      ]
        .map((row) => ({ ...row, at: row.at.getTime() }))
        .sort((a, b) => b.at - a.at)
        .slice(0, limit);
    },
  };
}
