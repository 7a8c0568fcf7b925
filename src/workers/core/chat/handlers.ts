/** The chat commands of the tabs (core-rpc). */
import { AppError } from "../../../shared/errors.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { Conversations } from "./conversations.ts";
import type { History } from "./history.ts";
import { pendingMessage } from "./message.ts";
import type { Outbox } from "./outbox.ts";
import type { Reads } from "./reads.ts";

export function createHandlers(deps: {
  /** Own user name once the chat of this person is restored. @throws AppError */
  readonly self: () => Promise<string>;
  readonly connected: () => boolean;
  /** A person has done something: ends the rest after a kick. */
  readonly nudge: () => void;
  readonly serverNow: () => number;
  readonly newId: () => string;
  /** The person looks at this conversation. */
  readonly onOpen: (chatId: string, name: string) => void;
  readonly conversations: Conversations;
  readonly outbox: Outbox;
  readonly history: History;
  readonly reads: Reads;
}): Handlers<"chat"> {
  const { conversations, outbox, history, reads } = deps;
  const withOther = async (chatId: string): Promise<string> => {
    const me = await deps.self();
    if (chatId === me) throw new AppError("request.invalid", { details: { chatId: "self" } });
    deps.nudge();
    return me;
  };
  return {
    async open({ chatId, name }) {
      await withOther(chatId);
      conversations.ensure(chatId, name);
      deps.onOpen(chatId, name);
      // not connected: the copy is shown now, and the server is read once it is there
      if (deps.connected()) await history.refresh(chatId);
      reads.mark(chatId);
      return null;
    },
    async older({ chatId }) {
      await deps.self();
      await history.older(chatId);
      return null;
    },
    async send({ chatId, text, key }, context) {
      const me = await withOther(chatId);
      const commandId = key ?? `${context.tabId}:${context.id}`;
      const made = outbox.madeBy(commandId);
      if (made !== null) return { id: made };
      const id = deps.newId();
      const entry = { id, to: chatId, text, time: deps.serverNow(), failed: false };
      conversations.putOwn(pendingMessage(entry, me));
      await outbox.add(entry, commandId);
      return { id };
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
