/** See 0009_im.sql. */
import { sql } from "drizzle-orm";
import { boolean, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { idColumn } from "../ids.ts";

const identity = () =>
  idColumn("id")
    .primaryKey()
    .default(sql`default`);
const time = (name: string) => timestamp(name, { withTimezone: true }).notNull().defaultNow();

export const imGroups = pgTable("im_groups", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  description: text("description").notNull().default(""),
  ownerId: idColumn("owner_id").notNull(),
  public: boolean("public").notNull(),
  approval: boolean("approval").notNull(),
  allowInvites: boolean("allow_invites").notNull(),
  createdAt: time("created_at"),
});

export const imGroupMembers = pgTable("im_group_members", {
  id: identity(),
  groupId: text("group_id").notNull(),
  accountId: idColumn("account_id").notNull(),
  joinedAt: time("joined_at"),
});

export const imFriends = pgTable("im_friends", {
  id: identity(),
  accountId: idColumn("account_id").notNull(),
  friendId: idColumn("friend_id").notNull(),
  createdAt: time("created_at"),
});

/** See 0021_friend_requests.sql. */
export const imFriendRequests = pgTable("im_friend_requests", {
  id: identity(),
  accountId: idColumn("account_id").notNull(),
  userName: text("user_name").notNull(),
  createdAt: time("created_at"),
});
