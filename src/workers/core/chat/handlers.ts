/** The chat commands of the tabs (core-rpc). */
import { AppError } from "../../../shared/errors.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { Conversations } from "./conversations.ts";
import type { History } from "./history.ts";
import { pendingMessage } from "./message.ts";
import type { Outbox, OutboxEntry } from "./outbox.ts";
import type { Reads } from "./reads.ts";

export function createHandlers(deps: {
  /** Own user name once the chat of this person is restored. @throws AppError */
  readonly self: () => Promise<string>;
  readonly connected: () => boolean;
  /** Called for a person's action; ends the pause after a kick. */
  readonly nudge: () => void;
  readonly serverNow: () => number;
  readonly newId: () => string;
  /** The person looks at this conversation. */
  readonly onOpen: (chatId: string, name: string) => void;
  readonly conversations: Conversations;
  readonly outbox: Outbox;
  readonly history: History;
  readonly reads: Reads;
}): Handlers<"chat"> & {
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
    message: Pick<OutboxEntry, "to" | "text" | "ext">,
    commandId: string,
  ): Promise<{ id: string }> => {
    const me = await withOther(message.to);
    const made = outbox.madeBy(commandId);
    if (made !== null) return { id: made };
    const id = deps.newId();
    const entry = { ...message, id, time: deps.serverNow(), failed: false };
    conversations.putOwn(pendingMessage(entry, me));
    await outbox.add(entry, commandId);
    return { id };
  };
  return {
    async open({ chatId, name }) {
      await withOther(chatId);
      conversations.ensure(chatId, name);
      deps.onOpen(chatId, name);
      // not connected: show the stored copy now; the server is read after connecting
      if (deps.connected()) await history.refresh(chatId);
      reads.mark(chatId);
      return null;
    },
    async older({ chatId }) {
      await deps.self();
      await history.older(chatId);
      return null;
    },
    send: ({ chatId, text, key }, context) =>
      put({ to: chatId, text }, key ?? `${context.tabId}:${context.id}`),
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
    async markRead({ chatId }) {
      await deps.self();
      reads.mark(chatId);
      return null;
    },
  };
}
