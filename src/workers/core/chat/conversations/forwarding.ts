/** Sends messages on, one by one or combined (docs/chat.md#answers-and-forwarding). */
import { FILE_KINDS } from "../../../../shared/domain/chat-files.ts";
import { CHAT_FORWARD_EACH_MAX } from "../../../../shared/domain/chat-limits.ts";
import { AppError } from "../../../../shared/errors.ts";
import type { Handlers } from "../../../../shared/protocol/core-rpc.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { levelOver, toContents } from "../outbox/combined.ts";
import type { Conversations } from "./conversations.ts";
import { uploadedAt } from "../provider/file-address.ts";
import type { OutboxEntry } from "../outbox/outbox-entry.ts";
import type { FileContents } from "../outbox/uploads.ts";

type Entry = Pick<OutboxEntry, "text" | "file" | "combined" | "place" | "custom">;
type Stored = ChatMessage & { readonly mid: string };

const NO_SIZE = { size: 0, width: null, height: null, length: null };

/** What a message says to others. A file is not uploaded again: its address and secret open it for them too. */
function forwarded(message: ChatMessage, key: string): Entry {
  const { type, msg, file, combined, place, custom } = message;
  if (type === "text") return { text: msg };
  if (place !== undefined) return { text: msg, place };
  if (custom !== undefined) return { text: msg, custom };
  const uploaded = uploadedAt(file?.url ?? combined?.url ?? "");
  if (uploaded === null) throw new AppError("file.gone");
  if (combined !== undefined) {
    const { title, summary, level } = combined;
    return {
      text: msg,
      combined: { title, summary, level },
      file: { kind: "file", name: "combine", ...NO_SIZE, key, uploaded },
    };
  }
  const kind = FILE_KINDS.find((each) => each === type);
  if (file === undefined || kind === undefined) throw new AppError("file.gone");
  const { name, size, width, height, length } = file;
  return { text: name, file: { kind, name, size, width, height, length, key, uploaded } };
}

export function createForward(deps: {
  /** Own user name once the chat of this person is restored. @throws AppError */
  readonly self: () => Promise<string>;
  readonly conversations: Pick<Conversations, "get">;
  /** What a person is called; null while unknown. */
  readonly nameOf: (userName: string) => string | null;
  /** Puts a message into the outbox, once for each key. */
  readonly put: (
    message: Entry & Pick<OutboxEntry, "to">,
    key: string,
    contents?: FileContents,
  ) => Promise<unknown>;
}): Handlers<"chat">["forward"] {
  /** The messages in the order of their conversation. @throws AppError when one of them cannot be sent on */
  const find = (chatId: string, ids: readonly string[]): Stored[] => {
    const conversation = deps.conversations.get(chatId);
    const wanted = new Set(ids);
    const found = (conversation?.order ?? []).flatMap((id): Stored[] => {
      const message = conversation?.messages[id];
      if (!wanted.has(id) || message === undefined || message.mid === null) return [];
      return message.status === "recall" ? [] : [{ ...message, mid: message.mid }];
    });
    if (found.length < wanted.size) throw new AppError("request.not-found");
    return found;
  };

  return async ({ chatId, ids, to, combined }, context) => {
    const me = await deps.self();
    const messages = find(chatId, ids);
    const receivers = [...new Set(to)];
    const keyOf = (receiver: string): string => `${context.tabId}:${context.id}:${receiver}`;
    if (combined !== null) {
      const { title, summary } = combined;
      // so that a file which is gone is found before anything is sent
      for (const message of messages) forwarded(message, "");
      const level = levelOver(messages);
      const file = toContents(messages, me, deps.nameOf);
      for (const receiver of receivers) {
        const key = keyOf(receiver);
        const entry: Entry = {
          text: title,
          combined: { title, summary, level },
          file: { kind: "file", name: "combine", ...NO_SIZE, key, uploaded: null },
        };
        await deps.put({ to: receiver, ...entry }, key, { file, thumb: null });
      }
      return null;
    }
    if (messages.length * receivers.length > CHAT_FORWARD_EACH_MAX) {
      throw new AppError("chat.forward-limit");
    }
    const made = receivers.flatMap((receiver) =>
      messages.map((message) => {
        const key = `${keyOf(receiver)}:${message.id}`;
        return { key, entry: { to: receiver, ...forwarded(message, key) } };
      }),
    );
    for (const { key, entry } of made) await deps.put(entry, key);
    return null;
  };
}
