/** Converts messages of the connection and of the outbox to messages of a conversation. */
import {
  CHAT_REACTION_NAMES,
  CHAT_REACTIONS_SHOWN,
} from "../../../../shared/domain/chat-limits.ts";
import { isSafeKey, messageKey } from "../../../../shared/domain/chat.ts";
import { groupIdOf } from "../../../../shared/domain/group-chat.ts";
import { chatUserNameSchema } from "../../../../shared/protocol/rest/entities.ts";
import { type ChatReaction, isCard } from "../../../../shared/protocol/chat-parts.ts";
import type { ChatFile, ChatMessage } from "../../../../shared/protocol/state.ts";
import { readAddress, thumbOf } from "../provider/file-address.ts";
import type { EntryFile, LandedEntry, OutboxEntry } from "../outbox/outbox-entry.ts";
import type { ReactionNews, ReceivedMessage } from "../provider/port.ts";

/** The group of a message, or the other side; null when this person is on neither side, or the other side's name is not valid. */
export function chatIdOf(me: string, message: { from: string; to: string }): string | null {
  if (groupIdOf(message.to) !== null) return message.to;
  const peer = message.from === me ? message.to : message.from;
  if (message.from !== me && message.to !== me) return null;
  return chatUserNameSchema.safeParse(peer).success && isSafeKey(peer) ? peer : null;
}

const mentions = ({ mentions: names }: ReceivedMessage, me: string): boolean =>
  names === "ALL" || names.includes(me);

/** A received message as its conversation shows it. */
export function toChatMessage(me: string, chatId: string, message: ReceivedMessage): ChatMessage {
  const bySelf = message.from === me;
  return {
    id: messageKey({ ...message, bySelf }),
    mid: message.mid,
    chatId,
    from: message.from,
    bySelf,
    type: message.type,
    msg: message.msg,
    status: bySelf ? (message.read ? "read" : "sent") : "unread",
    time: message.time,
    ...(message.file === null ? {} : { file: message.file }),
    ...(message.combined === undefined ? {} : { combined: message.combined }),
    ...(message.place === undefined ? {} : { place: message.place }),
    ...(message.custom === undefined ? {} : { custom: message.custom }),
    ...(message.quote === null ? {} : { quote: message.quote }),
    ...(!bySelf && groupIdOf(chatId) !== null && mentions(message, me)
      ? { mention: true as const }
      : {}),
    ...(message.asksReaders ? { readers: null } : {}),
    ...(message.edits === 0 ? {} : { edits: message.edits }),
    ...(message.reactions.length === 0 ? {} : { reactions: [...message.reactions] }),
  };
}

/** The reactions after a change. Its list of people may be cut, so what this person did is known from the changes. */
export function reactionsAfter(
  me: string,
  before: readonly ChatReaction[],
  news: ReactionNews,
): ChatReaction[] {
  return news.reactions
    .filter(({ count }) => count > 0)
    .slice(0, CHAT_REACTIONS_SHOWN)
    .map(({ reaction, count, users, changes }) => ({
      reaction,
      count,
      users: users.slice(0, CHAT_REACTION_NAMES),
      bySelf:
        changes.findLast(({ by }) => by === me)?.on ??
        (users.includes(me) || before.some((each) => each.reaction === reaction && each.bySelf)),
    }));
}

/** The file of an outbox entry as its message shows it. */
function shownFile(file: EntryFile): ChatFile {
  const { kind, name, size, width, height, length, uploaded } = file;
  const url = uploaded === null ? null : readAddress(uploaded);
  const thumb = url === null ? null : thumbOf(kind, url);
  return { name, size, width, height, length, url, thumb };
}

/** What the conversation shows of the file of an entry. */
export function shownContents({
  file,
  combined,
}: Pick<OutboxEntry, "file" | "combined">): Pick<ChatMessage, "file" | "combined"> {
  if (file === undefined) return {};
  const shown = shownFile(file);
  return combined === undefined ? { file: shown } : { combined: { ...combined, url: shown.url } };
}

function typeOf({ combined, place, custom, file }: OutboxEntry): ChatMessage["type"] {
  if (combined !== undefined) return "combined";
  if (place !== undefined) return "location";
  if (custom !== undefined) return isCard(custom) ? "card" : "custom";
  return file?.kind ?? "text";
}

/** A message of the outbox as its conversation shows it. */
export const pendingMessage = (entry: OutboxEntry, from: string): ChatMessage => ({
  id: entry.id,
  ...(entry.key === undefined ? {} : { key: entry.key }),
  mid: null,
  chatId: entry.to,
  from,
  bySelf: true,
  type: typeOf(entry),
  msg: entry.text,
  status: entry.failed ? "failed" : "sending",
  time: entry.time,
  ...shownContents(entry),
  ...(entry.place === undefined ? {} : { place: entry.place }),
  ...(entry.custom === undefined ? {} : { custom: entry.custom }),
  ...(entry.quote === undefined ? {} : { quote: entry.quote }),
  ...(entry.asksReaders === true ? { readers: 0 } : {}),
});

/** A message that the server took just before an earlier core died. */
export const landedMessage = (entry: LandedEntry, from: string): ChatMessage => ({
  ...pendingMessage({ ...entry, failed: false }, from),
  mid: entry.mid,
  status: "sent",
});
