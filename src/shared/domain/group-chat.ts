/** How a group stands among conversations, which people's user names key (docs/chat.md#conversations). User names contain no "#". */
import { z } from "../zod.ts";
import { chatUserNameSchema } from "../protocol/rest/entities.ts";

const GROUP_CHAT = /^#\d{1,20}$/;

/** Key of a conversation: a person's user name, or a group's key. */
export const chatIdSchema = z.union([chatUserNameSchema, z.string().regex(GROUP_CHAT)]);

export const groupChatId = (groupId: string): string => `#${groupId}`;

/** The group of a conversation; null for a person's. */
export const groupIdOf = (chatId: string): string | null =>
  GROUP_CHAT.test(chatId) ? chatId.slice(1) : null;

/** Most members of a group whose messages have read receipts, as the provider limits them. */
export const GROUP_READERS_MAX = 200;

/** The attribute of a member, at the provider, that is the member's name in the group. */
export const GROUP_CARD = "nickName";
/** Characters of such a name. */
export const GROUP_CARD_MAX = 32;
