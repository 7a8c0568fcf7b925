/**
 * Read marks: shown at once, sent to the sender and to this person's other devices, and sent again after a reconnect if they were lost.
 * In a group, each sender who asks for receipts gets one as well (docs/chat.md#receipts).
 */
import { groupIdOf } from "../../../../shared/domain/group-chat.ts";
import type { Conversations } from "./conversations.ts";
import { isRefusal } from "../provider/failures.ts";
import { type ChatConnection, ChatFailure } from "../provider/port.ts";

/** Receipts to senders in groups that wait to be sent; the oldest are dropped. */
const WAITING = 1000;

export interface Reads {
  /** This person has read the conversation up to this message; left out: all of it. */
  mark(chatId: string, upTo?: string): void;
  /** Sends the mark of a conversation in which nothing was known to be unread when this person read it. */
  again(chatId: string): void;
  /** The mark of this conversation is not sent yet. */
  waits(chatId: string): boolean;
  /** Sends the marks that could not be sent before. */
  opened(): void;
  clear(): void;
}

export function createReads(deps: {
  readonly conversations: Pick<Conversations, "markRead" | "toAcknowledge">;
  readonly connection: () => ChatConnection | null;
  readonly newId: () => string;
  readonly traffic: () => void;
}): Reads {
  const unsent = new Set<string>();
  let receipts: { readonly to: string; readonly mid: string }[] = [];
  let sending = false;
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
  /** One at a time, because a person who returns after days may have read hundreds. */
  const sendReceipts = async (): Promise<void> => {
    if (sending) return;
    sending = true;
    for (let next = receipts[0]; next !== undefined; next = receipts[0]) {
      const connection = deps.connection();
      if (connection === null) break;
      deps.traffic();
      const { to, mid } = next;
      try {
        await connection.send({ kind: "groupRead", id: deps.newId(), to, mid });
      } catch (error) {
        // what the server refuses, it would refuse again: the message was taken back, or the group left
        if (!(error instanceof ChatFailure) || !isRefusal(error.type)) break;
      }
      receipts = receipts.filter((each) => each !== next);
    }
    sending = false;
  };
  return {
    mark(chatId, upTo) {
      if (groupIdOf(chatId) !== null) {
        const read = deps.conversations.toAcknowledge(chatId, upTo);
        receipts = [...receipts, ...read.map((mid) => ({ to: chatId, mid }))].slice(-WAITING);
      }
      if (deps.conversations.markRead(chatId, upTo)) send(chatId);
      void sendReceipts();
    },
    again: send,
    waits: (chatId) => unsent.has(chatId),
    opened() {
      for (const chatId of unsent) send(chatId);
      void sendReceipts();
    },
    clear() {
      unsent.clear();
      receipts = [];
    },
  };
}
