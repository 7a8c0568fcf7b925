/**
 * Remembers where a conversation may lack messages. Messages are missed when the connection is lost, or when a core dies before it
 * stores its copy. The mark is the newest message before the loss; history is read back to this mark, even if newer messages have
 * arrived meanwhile.
 */
import { z } from "../../../../shared/zod.ts";
import type { Conversation } from "./message-list.ts";

export const markSchema = z.object({
  /** Server id. */
  mid: z.string(),
  /** The server's time, ms since the epoch. */
  time: z.number(),
});
export type Mark = z.infer<typeof markSchema>;

/** The mark of a conversation whose history was read and had nothing: whatever is there by now is new. */
const BEGINNING: Mark = { mid: "", time: 0 };

/** The mark of what is in memory now: its newest message, or the beginning. Null: nothing is known of the history. */
export function newestMark({
  order,
  messages,
  historyLoaded,
}: Pick<Conversation, "order" | "messages" | "historyLoaded">): Mark | null {
  for (const id of order.toReversed()) {
    const message = messages[id];
    if (message === undefined || message.mid === null) continue;
    return { mid: message.mid, time: message.time };
  }
  return historyLoaded ? { ...BEGINNING } : null;
}

export interface Gaps {
  /** Messages may be missed from now on; an older mark is kept. */
  open(conversation: Readonly<Conversation>, older?: Mark | null): void;
  /** Messages may be missing after `mark`, which is older than what was read. An older mark is kept. */
  openAt(chatId: string, mark: Mark): void;
  /** The mark to read back to; null when nothing is missing. */
  mark(chatId: string): Mark | null;
  /** Everything since `mark` is present, unless messages may have been missed since. @returns whether the gap is closed */
  close(chatId: string, mark: Mark): boolean;
  clear(): void;
}

export function createGaps(): Gaps {
  const marks = new Map<string, Mark>();
  return {
    open(conversation, older) {
      const { chatId } = conversation;
      const mark = older ?? marks.get(chatId) ?? newestMark(conversation);
      // a new object each time, so that a reading that began before this loss does not close the gap
      if (mark !== null) marks.set(chatId, { ...mark });
    },
    openAt(chatId, mark) {
      const former = marks.get(chatId);
      if (former === undefined || mark.time < former.time) marks.set(chatId, { ...mark });
    },
    mark: (chatId) => marks.get(chatId) ?? null,
    close(chatId, mark) {
      if (marks.get(chatId) !== mark) return false;
      return marks.delete(chatId);
    },
    clear: () => marks.clear(),
  };
}
