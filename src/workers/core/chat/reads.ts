/** Read marks: shown at once, sent to the sender and to this person's other devices, and sent again after a reconnect if they were lost. */
import type { Conversations } from "./conversations.ts";
import type { ChatConnection } from "./port.ts";

export interface Reads {
  /** This person has read the whole conversation. */
  mark(chatId: string): void;
  /** Sends the marks that could not be sent before. */
  opened(): void;
  clear(): void;
}

export function createReads(deps: {
  readonly conversations: Pick<Conversations, "markRead">;
  readonly connection: () => ChatConnection | null;
  readonly newId: () => string;
  readonly traffic: () => void;
}): Reads {
  const unsent = new Set<string>();
  const send = (chatId: string): void => {
    unsent.add(chatId);
    const connection = deps.connection();
    if (connection === null) return;
    deps.traffic();
    connection.send({ kind: "readAll", id: deps.newId(), to: chatId }).then(
      () => unsent.delete(chatId),
      () => undefined,
    );
  };
  return {
    mark(chatId) {
      if (deps.conversations.markRead(chatId)) send(chatId);
    },
    opened() {
      for (const chatId of unsent) send(chatId);
    },
    clear: () => unsent.clear(),
  };
}
