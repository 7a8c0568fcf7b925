/** The chat commands of the tabs (core-rpc). */
import { CHAT_FILE_MAX } from "../../../shared/domain/chat-files.ts";
import { groupIdOf } from "../../../shared/domain/group-chat.ts";
import { mentionedIn } from "../../../shared/domain/mentions.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { Conversations } from "./conversations/conversations.ts";
import { createForward } from "./conversations/forwarding.ts";
import type { History } from "./conversations/history.ts";
import type { Outbox } from "./outbox/outbox-contract.ts";
import type { OutboxEntry } from "./outbox/outbox-entry.ts";
import type { Reads } from "./conversations/reads.ts";
import type { Typing } from "./conversations/typing.ts";
import { cardOf } from "./provider/sdk-contents.ts";
import type { FileContents } from "./outbox/uploads.ts";

export function createHandlers(deps: {
  /** Own user name once the chat of this person is restored. @throws AppError */
  readonly self: () => Promise<string>;
  readonly connected: () => boolean;
  /** Called for a person's action; ends the pause after a kick. */
  readonly nudge: () => void;
  readonly serverNow: () => number;
  readonly newId: () => string;
  /** Known names by chat user name. */
  readonly names: () => Readonly<Record<string, string>>;
  /** What a person is called, oneself too; null while unknown. */
  readonly nameOf: (userName: string) => string | null;
  /** Whether the receivers are asked to say that they have read a message. */
  readonly asksReaders: (chatId: string) => boolean;
  /** The person looks at this conversation. */
  readonly onOpen: (chatId: string, name: string) => void;
  readonly conversations: Conversations;
  readonly outbox: Outbox;
  readonly history: History;
  readonly reads: Reads;
  readonly typing: Pick<Typing, "reportTyping">;
}): Omit<
  Handlers<"chat">,
  "edit" | "recall" | "react" | "erase" | "readCombined" | "pin" | "mute" | "forget"
> & {
  /** Sends a text with extension fields on behalf of the core. @throws AppError */
  sendText(to: string, text: string, ext: Readonly<Record<string, unknown>>): Promise<void>;
} {
  const { conversations, outbox, history, reads } = deps;
  const withOther = async (chatId: string): Promise<string> => {
    const me = await deps.self();
    if (chatId === me) throw new AppError("request.invalid", { details: { chatId: "self" } });
    deps.nudge();
    return me;
  };
  /** @param commandId repeating a command with the same id sends nothing */
  const put = async (
    message: Pick<
      OutboxEntry,
      "to" | "text" | "ext" | "file" | "quote" | "combined" | "place" | "custom"
    >,
    commandId: string,
    contents?: FileContents,
  ): Promise<{ id: string }> => {
    await withOther(message.to);
    const made = outbox.madeBy(commandId);
    if (made !== null) return { id: made };
    if (contents !== undefined) {
      await outbox.keepFile(commandId, contents);
      // a second try with the same key may have come meanwhile
      const other = outbox.madeBy(commandId);
      if (other !== null) return { id: other };
    }
    const id = deps.newId();
    const entry: OutboxEntry = {
      ...message,
      id,
      key: commandId,
      time: deps.serverNow(),
      failed: false,
      ...(deps.asksReaders(message.to) ? { asksReaders: true } : {}),
    };
    await outbox.add(entry, commandId);
    return { id };
  };
  return {
    /** It marks nothing as read: the tab does, once the person can see the messages. */
    async open({ chatId, name }) {
      await withOther(chatId);
      conversations.ensure(chatId, name);
      deps.onOpen(chatId, name);
      // not connected: show the stored copy now; the server is read after connecting
      if (deps.connected()) await history.refresh(chatId);
      return null;
    },
    async older({ chatId }) {
      await deps.self();
      await history.older(chatId);
      return null;
    },
    async newer({ chatId }) {
      await deps.self();
      await history.newer(chatId);
      return null;
    },
    async newest({ chatId }) {
      await deps.self();
      conversations.newest(chatId);
      return null;
    },
    send({ chatId, text, quote, key }, context) {
      const mentions = groupIdOf(chatId) === null ? [] : mentionedIn(text, deps.names());
      return put(
        {
          to: chatId,
          text,
          ...(quote === undefined ? {} : { quote }),
          ...(mentions.length === 0 ? {} : { ext: { em_at_list: mentions } }),
        },
        key ?? `${context.tabId}:${context.id}`,
      );
    },
    sendFile({ chatId, kind, file, thumb, name, width, height, length, key }, context) {
      if (file.size === 0 || file.size > CHAT_FILE_MAX) {
        return Promise.reject(new AppError(file.size === 0 ? "file.empty" : "file.too-large"));
      }
      const commandId = key ?? `${context.tabId}:${context.id}`;
      const about = { kind, name, size: file.size, width, height, length };
      const entry = { to: chatId, text: name, file: { ...about, key: commandId, uploaded: null } };
      return put(entry, commandId, { file, thumb });
    },
    async typing({ chatId }) {
      await deps.self();
      deps.typing.reportTyping(chatId);
      return null;
    },
    sendCard({ chatId, person, key }, context) {
      return put(
        { to: chatId, text: person.name, custom: cardOf(person) },
        key ?? `${context.tabId}:${context.id}`,
      );
    },
    async cancel({ chatId, id }) {
      await deps.self();
      if (!outbox.cancel(id)) return false;
      conversations.remove(chatId, id);
      return true;
    },
    async picture({ id }) {
      await deps.self();
      return await outbox.pictureOf(id);
    },
    async sendText(to, text, ext) {
      await put({ to, text, ext }, `core:${deps.newId()}`);
    },
    async resend({ chatId, id }) {
      await withOther(chatId);
      const message = conversations.get(chatId)?.messages[id];
      if (message === undefined) throw new AppError("request.not-found");
      if (message.status !== "failed") return null;
      conversations.setStatus(chatId, id, "sending");
      if (await outbox.again(id)) return null;
      conversations.setStatus(chatId, id, "failed");
      throw new AppError("request.not-found");
    },
    forward: createForward({ self: deps.self, conversations, nameOf: deps.nameOf, put }),
    async reach({ chatId, mid }) {
      await deps.self();
      return await history.reach(chatId, mid);
    },
    async markRead({ chatId, upTo }) {
      await deps.self();
      reads.mark(chatId, upTo);
      return null;
    },
  };
}
