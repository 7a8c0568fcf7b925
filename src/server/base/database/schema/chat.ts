/**
 * Tables of the chat gateway: messages, inboxes with one cursor per device, read marks, presence subscriptions. See
 * 0002_chat.sql and 0040_chat_reads.sql.
 */
import {
  bigint,
  boolean,
  customType,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
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
  },
  (t) => [uniqueIndex("chat_message_resend").on(t.sender, t.clientId, t.digest)],
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

export const chatInboxHead = pgTable("chat_inbox_head", {
  userName: text("user_name").primaryKey(),
  lastKey: bigint("last_key", { mode: "bigint" }).notNull(),
});

export const chatInbox = pgTable(
  "chat_inbox",
  {
    userName: text("user_name").notNull(),
    key: bigint("key", { mode: "bigint" }).notNull(),
    messageId: bigint("message_id", { mode: "bigint" })
      .notNull()
      .references(() => chatMessage.id, { onDelete: "cascade" }),
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
