/**
 * Reads the missing messages behind gap marks once the connection is open, and compares conversations in which another device deleted
 * messages. Both are repeated until they succeed.
 */
import { reconnectDelay } from "../../../../shared/domain/backoff.ts";
import type { CoreEnv, Timer } from "../../contracts.ts";
import type { Conversations } from "./conversations.ts";
import type { Gaps, Mark } from "./gaps.ts";
import type { Conversation } from "./message-list.ts";

/** Number of conversations read at once: those opened last, then those with the latest messages, then empty ones. */
const READ = 20;
/** ms in which further late messages arrive before the history is read. */
const LATE_PAUSE = 300;
/** A conversation without a message for this many ms is read only when a person opens it. */
const RECENT = 10 * 60_000;

export interface CatchingUp {
  /** A person looks at this conversation. */
  opened(chatId: string): void;
  /** Another device of this person deleted messages of this conversation. */
  erased(chatId: string): void;
  /** A message has arrived that is older than all that was read: what lies between may be missing. */
  arrivedLate(chatId: string, message: Mark): void;
  /** The connection is open. */
  start(): void;
  /** The connection is lost. */
  stop(): void;
  clear(): void;
}

export function createCatchingUp(deps: {
  readonly env: Pick<CoreEnv, "clock" | "random" | "log">;
  readonly conversations: Pick<Conversations, "all">;
  readonly gaps: Pick<Gaps, "mark" | "openAt">;
  readonly refresh: (chatId: string) => Promise<void>;
  readonly recheck: (chatId: string) => Promise<void>;
  readonly serverNow: () => number;
}): CatchingUp {
  const { env, gaps } = deps;
  /** Ordered: the conversation opened last is last. */
  const opened = new Set<string>();
  const erased = new Set<string>();
  const timers = new Set<Timer>();
  /** Raised with every loss, so that a reading of an earlier connection is not repeated. */
  let generation = 0;

  const stop = (): void => {
    generation += 1;
    for (const timer of timers) timer.cancel();
    timers.clear();
    late.clear();
  };
  const untilDone = (run: () => Promise<void>, tries = 0): void => {
    const ownGeneration = generation;
    run().catch(() => {
      if (ownGeneration !== generation) return;
      env.log("chat", "warn", "history could not be read again");
      const timer = env.clock.after(reconnectDelay(tries + 1, env.random()), () => {
        timers.delete(timer);
        untilDone(run, tries + 1);
      });
      timers.add(timer);
    });
  };
  const compare = (chatId: string): void =>
    untilDone(() => deps.recheck(chatId).then(() => void erased.delete(chatId)));
  /** Conversations with late messages whose history is read soon. */
  const late = new Map<string, Timer>();
  const newest = (conversation: Readonly<Conversation>): number =>
    conversation.messages[conversation.order.at(-1) ?? ""]?.time ?? 0;

  return {
    opened(chatId) {
      opened.delete(chatId);
      opened.add(chatId);
    },
    erased(chatId) {
      erased.add(chatId);
      compare(chatId);
    },
    arrivedLate(chatId, message) {
      gaps.openAt(chatId, message);
      if (late.has(chatId)) return;
      const timer = env.clock.after(LATE_PAUSE, () => {
        timers.delete(timer);
        late.delete(chatId);
        untilDone(() => deps.refresh(chatId));
      });
      late.set(chatId, timer);
      timers.add(timer);
    },
    start() {
      stop();
      for (const chatId of erased) compare(chatId);
      const recent = deps.conversations
        .all()
        .filter((one) => gaps.mark(one.chatId) !== null)
        .filter((one) => newest(one) === 0 || deps.serverNow() - newest(one) < RECENT)
        .toSorted((one, two) => newest(two) - newest(one))
        .map((one) => one.chatId);
      const due = new Set([...[...opened].toReversed(), ...recent]);
      for (const chatId of [...due].slice(0, READ)) untilDone(() => deps.refresh(chatId));
    },
    stop,
    clear() {
      stop();
      opened.clear();
      erased.clear();
    },
  };
}
