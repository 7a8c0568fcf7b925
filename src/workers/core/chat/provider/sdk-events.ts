/** Reads the events of easemob-websdk 4.21.1. All of them are parsed, because the SDK does not always keep to its types. */
import { groupChatId, groupIdOf } from "../../../../shared/domain/group-chat.ts";
import { z } from "../../../../shared/zod.ts";
import type { ConnectionEvents, PresenceEntry } from "./port.ts";
import { toReactionNews } from "./sdk-changes.ts";
import { contactHandlers } from "./sdk-contacts.ts";
import { toFailure } from "./sdk-failure.ts";
import { toGroupNews } from "./sdk-groups.ts";
import { keptChatId } from "./sdk-keeping.ts";
import { id, messageSchema, parties, SINGLE, time, toReceived } from "./sdk-messages.ts";

const commandSchema = messageSchema.extend({ action: z.string() });
const receiptSchema = parties.extend({ mid: id, time });
const groupReadSchema = receiptSchema.extend({
  groupReadCount: z.record(z.string(), z.number().int().nonnegative()),
});
const channelSchema = parties.extend({ time, chatType: z.string().default("singleChat") });
const presenceEventSchema = z.array(
  z.object({
    userId: z.string(),
    statusDetails: z.array(z.object({ status: z.coerce.number() })).catch([]),
  }),
);
const deviceEventSchema = z.object({ operation: z.string() });
const forgottenSchema = z.object({
  operation: z.literal("deleteConversation"),
  conversationId: z.string().min(1),
  conversationType: z.string(),
});
const erasedSchema = z.object({
  operation: z.literal("deleteRoaming"),
  conversationId: z.string().min(1),
  chatType: z.string(),
});
/** What other devices of this person did that changes how conversations are kept. */
const KEEPING: ReadonlySet<string> = new Set([
  "pinnedConversation",
  "unpinnedConversation",
  "setSilentModeForConversation",
  "removeSilentModeForConversation",
  "setSilentModeForUser",
]);
/** @param toChat the key of the conversation that receipts and recalls name as their receiver */
export function handlersFor(
  events: ConnectionEvents,
  toChat: (event: { readonly from: string; readonly to: string }) => string,
  onGroup: (groupId: string) => void,
): Record<string, (event: unknown) => void> {
  const parse =
    <T>(what: string, schema: z.ZodType<T>, use: (value: T) => void) =>
    (event: unknown): void => {
      const parsed = schema.safeParse(event);
      if (parsed.success) use(parsed.data);
      else events.bad(`${what} could not be understood`);
    };
  const onMessage = (event: unknown): void => {
    const message = toReceived(event);
    if (message === null) return;
    const groupId = groupIdOf(message.to);
    if (groupId !== null) onGroup(groupId);
    events.message(message);
  };
  return {
    onConnected: () => events.connected(),
    onReconnecting: () => events.reconnecting(),
    onDisconnected: (reason) =>
      events.disconnected(reason === undefined || reason === null ? null : toFailure(reason)),
    onError: (error) => events.error(toFailure(error)),
    onTokenExpired: () => events.tokenExpired(),
    onTextMessage: onMessage,
    onImageMessage: onMessage,
    onFileMessage: onMessage,
    onAudioMessage: onMessage,
    onVideoMessage: onMessage,
    onCombineMessage: onMessage,
    onLocationMessage: onMessage,
    onCustomMessage: onMessage,
    onCmdMessage: parse("a command", commandSchema, (data) => {
      if (!SINGLE.test(data.chatType)) return;
      const { id: mid, from, to, action, ext, time: at } = data;
      events.command({ mid, from, to, action, ext, time: at });
    }),
    onDeliveredMessage: parse("a receipt", receiptSchema, (data) => events.delivered(data)),
    onReadMessage: (event) => {
      const group = groupReadSchema.safeParse(event);
      if (!group.success) {
        return parse("a receipt", receiptSchema, (data) => events.read(data))(event);
      }
      const { groupReadCount, to, ...receipt } = group.data;
      const count = groupReadCount[receipt.mid];
      if (count !== undefined) events.readBy({ ...receipt, to: groupChatId(to), count });
    },
    onChannelMessage: parse("a receipt", channelSchema, (data) => {
      if (SINGLE.test(data.chatType)) events.readAll({ ...data, to: toChat(data) });
    }),
    onRecallMessage: parse("a recall", receiptSchema, (data) =>
      events.recalled({ ...data, to: toChat(data) }),
    ),
    onModifiedMessage: (event) => {
      const message = toReceived(event);
      if (message === null) return events.bad("an edit could not be understood");
      events.edited(message);
    },
    onReactionChange: (event) => {
      const news = toReactionNews(event);
      if (news === null) return events.bad("a reaction could not be understood");
      events.reacted(news);
    },
    onMultiDeviceEvent: (event) => {
      const forgotten = forgottenSchema.safeParse(event);
      if (forgotten.success) {
        const { conversationId, conversationType } = forgotten.data;
        return events.forgotten(keptChatId(conversationId, conversationType));
      }
      const erased = erasedSchema.safeParse(event);
      if (erased.success) {
        const { conversationId, chatType } = erased.data;
        return events.erased(keptChatId(conversationId, chatType));
      }
      return parse("an event", deviceEventSchema, ({ operation }) => {
        if (KEEPING.has(operation)) events.kept();
      })(event);
    },
    onGroupEvent: (event) => {
      const news = toGroupNews(event);
      if (news === null) return events.bad("a group event could not be understood");
      onGroup(news.groupId);
      events.group(news);
    },
    ...contactHandlers(events),
    onPresenceStatusChange: parse("a presence", presenceEventSchema, (data) =>
      // 4.21.1 gives every entry of one event the statusDetails of all entries together
      events.presence(
        data.map((entry): PresenceEntry => ({
          userName: entry.userId,
          online: data.length === 1 ? entry.statusDetails.some((d) => d.status !== 0) : null,
        })),
      ),
    ),
  };
}
