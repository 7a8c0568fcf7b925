/** Who is writing to this person just now (docs/chat.md#typing): a command message that is never stored. */
import { isSafeKey } from "../../../../shared/domain/chat.ts";
import { groupIdOf } from "../../../../shared/domain/group-chat.ts";
import type { CoreEnv, Store, Timer } from "../../contracts.ts";
import type { Conversations } from "./conversations.ts";
import type { ChatConnection, ReceivedCommand } from "../provider/port.ts";

/** The action of the command, as the vendor's own kits name it. */
export const TYPING = "TypingBegin";
/** ms between two commands to one person. */
export const TYPING_EVERY = 4_000;
/** ms after which a person who sends no further command no longer counts as writing. */
export const TYPING_LASTS = 6_000;

export interface Typing {
  /** This person writes to the other side. */
  reportTyping(chatId: string): void;
  received(me: string, command: ReceivedCommand): void;
  /** The message has come, or the conversation is gone. */
  ended(userName: string): void;
  clear(): void;
}

export function createTyping(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly store: Pick<Store, "get" | "set" | "del">;
  readonly connection: () => ChatConnection | null;
  readonly conversations: Pick<Conversations, "get">;
  readonly newId: () => string;
  readonly serverNow: () => number;
  readonly traffic: () => void;
}): Typing {
  const { env, store } = deps;
  const toldAt = new Map<string, number>();
  const timers = new Map<string, Timer>();
  const ended = (userName: string): void => {
    timers.get(userName)?.cancel();
    if (timers.delete(userName)) store.del(["chat", "typing", userName]);
  };
  return {
    reportTyping(chatId) {
      const connection = deps.connection();
      const now = env.clock.now();
      if (groupIdOf(chatId) !== null || connection === null) return;
      if (now - (toldAt.get(chatId) ?? -TYPING_EVERY) < TYPING_EVERY) return;
      toldAt.set(chatId, now);
      deps.traffic();
      // the next key tells it again
      connection
        .send({ kind: "command", id: deps.newId(), to: chatId, action: TYPING, ext: {} })
        .catch(() => undefined);
    },
    received(me, { from, to, time }) {
      if (from === me || to !== me || !isSafeKey(from)) return;
      if (deps.conversations.get(from) === undefined) return;
      if (time > 0 && deps.serverNow() - time > TYPING_LASTS) return;
      timers.get(from)?.cancel();
      timers.set(
        from,
        env.clock.after(TYPING_LASTS, () => ended(from)),
      );
      if (store.get("chat").typing[from] !== true) store.set(["chat", "typing", from], true);
    },
    ended,
    clear() {
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
      toldAt.clear();
      if (Object.keys(store.get("chat").typing).length > 0) store.set(["chat", "typing"], {});
    },
  };
}
