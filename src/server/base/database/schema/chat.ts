/**
 * Tables of the chat gateway: messages, inboxes with one cursor per device, read marks, presence subscriptions. See
 * 0002_chat.sql, 0040_chat_reads.sql, 0080_chat_edits.sql, 0081_chat_reactions.sql and
 * 0082_chat_settings.sql, 0120_cloud_people.sql, 0180_group_inboxes.sql.
 */
import { idColumn } from "../ids.ts";
import {
  bigint,
  boolean,
  customType,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";

const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
  fromDriver: (value) => (Buffer.isBuffer(value) ? value : Buffer.from(value)),
});
/** Milliseconds since the epoch, which fit a double. */
const millis = (name: string) => bigint(name, { mode: "number" });

export const chatMessage = pgTable(
  "chat_message",
  {
    id: bigint("id", { mode: "bigint" }).primaryKey(),
    sender: text("sender").notNull(),
    recipient: text("recipient").notNull(),
    conversation: text("conversation").notNull(),
    clientId: text("client_id").notNull(),
    digest: text("digest").notNull(),
    kind: smallint("kind").notNull(),
    roams: boolean("roams").notNull(),
    recalled: boolean("recalled").notNull().default(false),
    read: boolean("read").notNull().default(false),
    sentAt: millis("sent_at").notNull(),
    meta: bytea("meta").notNull(),
    edits: smallint("edits").notNull().default(0),
    editOf: bigint("edit_of", { mode: "bigint" }),
    directed: text("directed").array(),
  },
  (t) => [uniqueIndex("chat_message_resend").on(t.sender, t.clientId, t.digest)],
);

export const chatReaction = pgTable(
  "chat_reaction",
  {
    messageId: bigint("message_id", { mode: "bigint" })
      .notNull()
      .references(() => chatMessage.id, { onDelete: "cascade" }),
    userName: text("user_name").notNull(),
    reaction: text("reaction").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.messageId, t.reaction, t.userName] })],
);

export const chatRead = pgTable(
  "chat_read",
  {
    reader: text("reader").notNull(),
    sender: text("sender").notNull(),
    upTo: bigint("up_to", { mode: "bigint" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.reader, t.sender] })],
);

/** `userName` is the key of a group for the inbox of that group, here and in `chatInbox`. */
export const chatInboxHead = pgTable("chat_inbox_head", {
  userName: text("user_name").primaryKey(),
  lastKey: bigint("last_key", { mode: "bigint" }).notNull(),
});

export const chatInbox = pgTable(
  "chat_inbox",
  {
    userName: text("user_name").notNull(),
    key: bigint("key", { mode: "bigint" }).notNull(),
    /** Of chatMessage. A trigger deletes the entries of deleted messages (20261127_2300_inbox_entries.sql). */
    messageId: bigint("message_id", { mode: "bigint" }).notNull(),
    exceptResource: text("except_resource"),
  },
  (t) => [primaryKey({ columns: [t.userName, t.key] })],
);

export const chatCursor = pgTable(
  "chat_cursor",
  {
    userName: text("user_name").notNull(),
    resource: text("resource").notNull(),
    acked: bigint("acked", { mode: "bigint" }).notNull(),
    seenAt: millis("seen_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userName, t.resource] })],
);

export const chatGroupCursor = pgTable(
  "chat_group_cursor",
  {
    userName: text("user_name").notNull(),
    resource: text("resource").notNull(),
    groupKey: text("group_key").notNull(),
    acked: bigint("acked", { mode: "bigint" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.userName, t.resource, t.groupKey] })],
);

export const chatPresenceSubscription = pgTable(
  "chat_presence_subscription",
  {
    subscriber: text("subscriber").notNull(),
    target: text("target").notNull(),
    expiresAt: millis("expires_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriber, t.target] })],
);

export const chatProfile = pgTable("chat_profile", {
  userName: text("user_name").primaryKey(),
  attributes: jsonb("attributes").$type<Record<string, string>>().notNull(),
});

export const chatStatus = pgTable("chat_status", {
  userName: text("user_name").primaryKey(),
  ext: text("ext").notNull(),
});

export const chatSetting = pgTable(
  "chat_setting",
  {
    userName: text("user_name").notNull(),
    peer: text("peer").notNull(),
    pinnedAt: millis("pinned_at"),
    remind: text("remind"),
    quietUntil: millis("quiet_until"),
    quietDaily: text("quiet_daily"),
  },
  (t) => [primaryKey({ columns: [t.userName, t.peer] })],
);

/** See 0086_group_lists.sql. */
export const chatGroupAck = pgTable(
  "chat_group_ack",
  {
    messageId: bigint("message_id", { mode: "bigint" }).notNull(),
    userName: text("user_name").notNull(),
    content: text("content").notNull().default(""),
    /** ms since the epoch */
    at: bigint("at", { mode: "number" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.messageId, t.userName] })],
);

/** See 0120_cloud_people.sql. */
export const chatCloudPeople = pgTable(
  "chat_cloud_people",
  {
    appKey: text("app_key").notNull(),
    accountId: idColumn("account_id").notNull(),
    registeredAt: timestamp("registered_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.appKey, t.accountId] })],
);

// See 0121_chat_keeping.sql.
export const chatBlock = pgTable(
  "chat_block",
  { userName: text("user_name").notNull(), blocked: text("blocked").notNull() },
  (t) => [primaryKey({ columns: [t.userName, t.blocked] })],
);
export const chatRemark = pgTable(
  "chat_remark",
  {
    userName: text("user_name").notNull(),
    peer: text("peer").notNull(),
    remark: text("remark").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userName, t.peer] })],
);
export const chatCleared = pgTable(
  "chat_cleared",
  {
    userName: text("user_name").notNull(),
    peer: text("peer").notNull(),
    clearedTo: bigint("cleared_to", { mode: "bigint" }).notNull().default(0n),
    hiddenTo: bigint("hidden_to", { mode: "bigint" }).notNull().default(0n),
  },
  (t) => [primaryKey({ columns: [t.userName, t.peer] })],
);
export const chatErased = pgTable(
  "chat_erased",
  {
    userName: text("user_name").notNull(),
    messageId: bigint("message_id", { mode: "bigint" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.userName, t.messageId] })],
);
export const chatPinned = pgTable("chat_pinned", {
  messageId: bigint("message_id", { mode: "bigint" }).primaryKey(),
  conversation: text("conversation").notNull(),
  operator: text("operator").notNull(),
  at: millis("at").notNull(),
});
export const chatMark = pgTable(
  "chat_mark",
  {
    userName: text("user_name").notNull(),
    peer: text("peer").notNull(),
    mark: smallint("mark").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userName, t.peer, t.mark] })],
);
export const chatReport = pgTable(
  "chat_report",
  {
    messageId: bigint("message_id", { mode: "bigint" }).notNull(),
    reporter: text("reporter").notNull(),
    kind: text("kind").notNull(),
    reason: text("reason").notNull(),
    at: millis("at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.messageId, t.reporter] })],
);
