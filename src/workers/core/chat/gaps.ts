/**
 * Remembers where a conversation may lack messages. Messages are missed when the connection is lost, or when a core dies before it
 * stores its copy. The mark is the newest message before the loss; history is read back to this mark, even if newer messages have
 * arrived meanwhile.
 */
import { z } from "../../../shared/zod.ts";
import type { Conversation } from "./message-list.ts";

export const markSchema = z.object({
  /** Server id. */
  mid: z.string(),
  /** The server's time, ms since the epoch. */
  time: z.number(),
});
export type Mark = z.infer<typeof markSchema>;

export interface Gaps {
  /** Messages may be missed from now on; an older mark is kept. */
  open(conversation: Readonly<Conversation>, older?: Mark | null): void;
  /** The mark to read back to; null when nothing is missing. */
  mark(chatId: string): Mark | null;
  /** Everything since `mark` is present, unless messages may have been missed since. @returns whether the gap is closed */
  close(chatId: string, mark: Mark): boolean;
  clear(): void;
}

export function createGaps(): Gaps {
  const marks = new Map<string, Mark>();
  return {
    open({ chatId, order, messages }, older) {
      const former = older ?? marks.get(chatId);
      // a new object each time, so that a reading that began before this loss does not close the gap
      if (former !== undefined) return void marks.set(chatId, { ...former });
      for (const id of order.toReversed()) {
        const message = messages[id];
        if (message === undefined || message.mid === null) continue;
        return void marks.set(chatId, { mid: message.mid, time: message.time });
      }
    },
    mark: (chatId) => marks.get(chatId) ?? null,
    close(chatId, mark) {
      if (marks.get(chatId) !== mark) return false;
      return marks.delete(chatId);
    },
    clear: () => marks.clear(),
  };
}
