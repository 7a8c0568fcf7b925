/** See 0009_im.sql, 0068_group_chat.sql, 0085_group_requests.sql, 0086_group_lists.sql, 0180_group_inboxes.sql and 0220_friend_reasons.sql. */
import { sql } from "drizzle-orm";
import { bigint, boolean, jsonb, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
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
  companyId: idColumn("company_id"),
  inviteConfirm: boolean("invite_confirm").notNull().default(false),
  muted: boolean("muted").notNull().default(false),
  announcement: text("announcement").notNull().default(""),
  custom: text("custom").notNull().default(""),
  /** Grows with each change of who is a member. */
  roster: bigint("roster", { mode: "number" }).notNull().default(0),
});

export const imGroupMembers = pgTable("im_group_members", {
  id: identity(),
  groupId: text("group_id").notNull(),
  accountId: idColumn("account_id").notNull(),
  joinedAt: time("joined_at"),
  admin: boolean("admin").notNull().default(false),
  /** ms since the epoch */
  mutedUntil: bigint("muted_until", { mode: "number" }),
  allowed: boolean("allowed").notNull().default(false),
  attributes: jsonb("attributes").$type<Record<string, string>>().notNull().default({}),
  /** The last entry of the group's inbox when the member came. The database sets it. */
  inboxFrom: bigint("inbox_from", { mode: "bigint" }),
});

export const imGroupBlocks = pgTable(
  "im_group_blocks",
  {
    groupId: text("group_id").notNull(),
    accountId: idColumn("account_id").notNull(),
    createdAt: time("created_at"),
  },
  (t) => [primaryKey({ columns: [t.groupId, t.accountId] })],
);

/** Mutes of people who have left a group. The triggers of the members' table alone write it. */
export const imGroupMutes = pgTable(
  "im_group_mutes",
  {
    groupId: text("group_id").notNull(),
    accountId: idColumn("account_id").notNull(),
    mutedUntil: bigint("muted_until", { mode: "number" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.groupId, t.accountId] })],
);

export const imGroupRequests = pgTable(
  "im_group_requests",
  {
    groupId: text("group_id").notNull(),
    accountId: idColumn("account_id").notNull(),
    inviterId: idColumn("inviter_id"),
    createdAt: time("created_at"),
    message: text("message").notNull().default(""),
  },
  (t) => [primaryKey({ columns: [t.groupId, t.accountId] })],
);

export const imFriends = pgTable("im_friends", {
  id: identity(),
  accountId: idColumn("account_id").notNull(),
  friendId: idColumn("friend_id").notNull(),
  createdAt: time("created_at"),
  /** What the account wrote with the request. */
  reason: text("reason").notNull().default(""),
});

/** See 0021_friend_requests.sql. */
export const imFriendRequests = pgTable("im_friend_requests", {
  id: identity(),
  accountId: idColumn("account_id").notNull(),
  userName: text("user_name").notNull(),
  createdAt: time("created_at"),
  reason: text("reason").notNull().default(""),
});
