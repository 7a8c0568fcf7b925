/** The provider's calls and events that change messages, for sdk.ts. */
import { z } from "../../../../shared/zod.ts";
import { groupChatId } from "../../../../shared/domain/group-chat.ts";
import type { MessageCalls, ReactionNews } from "./port.ts";
import {
  addressOf,
  GROUP,
  id,
  parties,
  reactionTextSchema,
  type SdkMessages,
} from "./sdk-messages.ts";

export interface SdkMessageMethods {
  modifyMessage(options: object): Promise<unknown>;
  recallMessage(options: object): Promise<unknown>;
  addReaction(options: object): Promise<unknown>;
  deleteReaction(options: object): Promise<unknown>;
  removeHistoryMessages(options: object): Promise<unknown>;
}

/** Messages that the provider deletes at once. */
const ERASED_AT_ONCE = 50;

const editedSchema = z.object({
  message: z.object({ modifiedInfo: z.object({ operationCount: z.number().int() }) }),
});
const reactionSchema = parties.extend({
  messageId: id,
  chatType: z.string(),
  reactions: z.array(
    z.object({
      reaction: reactionTextSchema,
      count: z.number().int().nonnegative(),
      userList: z.array(z.string()).catch([]),
      op: z
        .array(z.object({ operator: z.string(), reactionType: z.enum(["create", "delete"]) }))
        .catch([]),
    }),
  ),
});

/** @returns null for an event that could not be understood */
export function toReactionNews(value: unknown): ReactionNews | null {
  const parsed = reactionSchema.safeParse(value);
  if (!parsed.success) return null;
  const { messageId, from, to, chatType, reactions } = parsed.data;
  return {
    mid: messageId,
    from,
    to: GROUP.test(chatType) ? groupChatId(to) : to,
    reactions: reactions.map(({ reaction, count, userList, op }) => ({
      reaction,
      count,
      users: userList,
      changes: op.map(({ operator, reactionType }) => ({
        by: operator,
        on: reactionType === "create",
      })),
    })),
  };
}

export function createMessageCalls(
  conn: SdkMessageMethods,
  sdk: SdkMessages,
  /** Makes any rejection a ChatFailure. */
  guard: <T>(run: () => Promise<T>) => Promise<T>,
): MessageCalls {
  const done = (run: () => Promise<unknown>): Promise<void> =>
    guard(async () => {
      await run();
    });
  return {
    edit: ({ to, mid, text }) =>
      guard(async () => {
        const modifiedMessage = sdk.message.create({ ...addressOf(to), type: "txt", msg: text });
        const answer = await conn.modifyMessage({ messageId: mid, modifiedMessage });
        return editedSchema.parse(answer).message.modifiedInfo.operationCount;
      }),
    recall: ({ to, mid }) => done(() => conn.recallMessage({ ...addressOf(to), mid })),
    react: (messageId, reaction, on) =>
      done(() =>
        on
          ? conn.addReaction({ messageId, reaction })
          : conn.deleteReaction({ messageId, reaction }),
      ),
    erase: (chatId, mids) =>
      guard(async () => {
        const { to: targetId, chatType } = addressOf(chatId);
        for (let at = 0; at < mids.length; at += ERASED_AT_ONCE) {
          const messageIds = mids.slice(at, at + ERASED_AT_ONCE);
          await conn.removeHistoryMessages({ targetId, chatType, messageIds });
        }
      }),
  };
}
