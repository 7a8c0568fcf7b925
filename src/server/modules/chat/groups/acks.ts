/** Who has read a message of a group, as far as their clients say so (docs/chat.md#groups). */
import { and, count, eq } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { chatGroupAck, chatMessage } from "../../../base/database/schema/chat.ts";
import { groupKey } from "../wire/records.ts";
import { forbidden, groupMissing } from "./refusal.ts";

export interface GroupAcks {
  /** Stores that a member has read a message. @returns the number of members who have read it */
  acknowledge(messageId: bigint, userName: string, content: string): Promise<number>;
  /** The names of those who have read a message, for its sender alone. @throws GroupRefusal */
  acks(groupId: string, sender: string, messageId: bigint): Promise<string[]>;
}

export function createGroupAcks(deps: {
  readonly db: NodePgDatabase;
  readonly now: () => number;
}): GroupAcks {
  const { db, now } = deps;
  return {
    async acknowledge(messageId, userName, content) {
      await db
        .insert(chatGroupAck)
        .values({ messageId, userName, content, at: now() })
        .onConflictDoNothing();
      const [row] = await db
        .select({ n: count() })
        .from(chatGroupAck)
        .where(eq(chatGroupAck.messageId, messageId));
      return row?.n ?? 0;
    },
    async acks(groupId, sender, messageId) {
      const [message] = await db
        .select({ sender: chatMessage.sender })
        .from(chatMessage)
        .where(and(eq(chatMessage.id, messageId), eq(chatMessage.recipient, groupKey(groupId))));
      if (message === undefined) throw groupMissing();
      if (message.sender !== sender) throw forbidden("只有发送者可以查看已读成员");
      const rows = await db
        .select({ userName: chatGroupAck.userName })
        .from(chatGroupAck)
        .where(eq(chatGroupAck.messageId, messageId))
        .orderBy(chatGroupAck.at, chatGroupAck.userName);
      return rows.map((row) => row.userName);
    },
  };
}
