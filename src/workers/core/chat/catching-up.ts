/** Reads the missing messages behind gap marks once the connection is open, and repeats until it succeeds. */
import { reconnectDelay } from "../../../shared/domain/backoff.ts";
import type { CoreEnv, Timer } from "../contracts.ts";
import type { Conversations } from "./conversations.ts";
import type { Gaps } from "./gaps.ts";
import type { Conversation } from "./message-list.ts";

/** Number of conversations read at once: those opened last, then those with the latest messages. */
const READ = 20;
/** A conversation without a message for this many ms is read only when a person opens it. */
const RECENT = 10 * 60_000;

export interface CatchingUp {
  /** A person looks at this conversation. */
  opened(chatId: string): void;
  /** The connection is open. */
  start(): void;
  /** The connection is lost. */
  stop(): void;
  clear(): void;
}

export function createCatchingUp(deps: {
  readonly env: Pick<CoreEnv, "clock" | "random" | "report">;
  readonly conversations: Pick<Conversations, "all">;
  readonly gaps: Pick<Gaps, "mark">;
  readonly refresh: (chatId: string) => Promise<void>;
  readonly serverNow: () => number;
}): CatchingUp {
  const { env, gaps } = deps;
  /** Ordered: the conversation opened last is last. */
  const opened = new Set<string>();
  const timers = new Set<Timer>();
  /** Raised with every loss, so that a reading of an earlier connection is not repeated. */
  let generation = 0;

  const stop = (): void => {
    generation += 1;
    for (const timer of timers) timer.cancel();
    timers.clear();
  };
  const read = (chatId: string, tries = 0): void => {
    const mine = generation;
    deps.refresh(chatId).catch(() => {
      if (mine !== generation) return;
      env.report("chat: history could not be read again");
      const timer = env.clock.after(reconnectDelay(tries + 1, env.random()), () => {
        timers.delete(timer);
        read(chatId, tries + 1);
      });
      timers.add(timer);
    });
  };
  const newest = (conversation: Readonly<Conversation>): number =>
    conversation.messages[conversation.order.at(-1) ?? ""]?.time ?? 0;

  return {
    opened(chatId) {
      opened.delete(chatId);
      opened.add(chatId);
    },
    start() {
      stop();
      const recent = deps.conversations
        .all()
        .filter((one) => gaps.mark(one.chatId) !== null)
        .filter((one) => deps.serverNow() - newest(one) < RECENT)
        .toSorted((one, two) => newest(two) - newest(one))
        .map((one) => one.chatId);
      const due = new Set([...[...opened].toReversed(), ...recent]);
      for (const chatId of [...due].slice(0, READ)) read(chatId);
    },
    stop,
    clear() {
      stop();
      opened.clear();
    },
  };
}
