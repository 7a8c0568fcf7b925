/**
 * How the person keeps conversations (docs/chat.md#settings): pinned, silent, do not disturb. The provider has it for all devices of the
 * person; a copy shows the list in its order before the provider has answered.
 */
import { reconnectDelay } from "../../../../shared/domain/backoff.ts";
import { isSafeKey } from "../../../../shared/domain/chat.ts";
import { AppError } from "../../../../shared/errors.ts";
import { type ChatKeeping, chatKeepingSchema } from "../../../../shared/protocol/chat-parts.ts";
import type { Handlers } from "../../../../shared/protocol/core-rpc.ts";
import type { CoreEnv, Store, Timer } from "../../contracts.ts";
import { within } from "../provider/deadline.ts";
import { toAppError } from "../provider/failures.ts";
import type { ChatConnection, KeepingCalls } from "../provider/port.ts";
import { createServerTime } from "../../server-time.ts";

/** ms that a call may take. */
const DEADLINE = 15_000;

export interface Keeping {
  readonly handlers: Pick<Handlers<"chat">, "pin" | "mute">;
  /** Shows the copy of an earlier core. */
  load(me: string): Promise<void>;
  /** The connection is open: reads how it is kept now. */
  opened(): void;
  /** Another device changed it. */
  changed(): void;
  /** The connection is lost. */
  lost(): void;
  /** Deletes the copy. */
  drop(me: string): Promise<void>;
}

const keepingKey = (me: string): string => `chat.keeping.${me}`;
const NOTHING: ChatKeeping = { pinned: {}, muted: {}, quiet: false };

/** Names that cannot be keys of an object are left out. */
const safe = ({ pinned, muted, quiet }: ChatKeeping): ChatKeeping => ({
  pinned: Object.fromEntries(Object.entries(pinned).filter(([chatId]) => isSafeKey(chatId))),
  muted: Object.fromEntries(Object.entries(muted).filter(([chatId]) => isSafeKey(chatId))),
  quiet,
});

/** @param value null takes the entry out */
function changed<T>(
  entries: Readonly<Record<string, T>>,
  chatId: string,
  value: T | null,
): Record<string, T> {
  const others = Object.entries(entries).filter(([key]) => key !== chatId);
  return Object.fromEntries(value === null ? others : [...others, [chatId, value]]);
}

export function createKeeping(deps: {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "random" | "log">;
  readonly store: Pick<Store, "get" | "set">;
  readonly connection: () => ChatConnection | null;
  /** The slice shows a change. */
  readonly onShown: () => void;
  readonly me: () => string | null;
  /** Own user name once the chat of this person is restored. @throws AppError */
  readonly self: () => Promise<string>;
}): Keeping {
  const { env, store } = deps;
  let retry: Timer | null = null;
  /** Raised by each change and loss, so that an answer from before it is not shown. */
  let generation = 0;

  const show = (keeping: ChatKeeping): void => {
    const next = safe(keeping);
    if (JSON.stringify(store.get("chat").keeping) === JSON.stringify(next)) return;
    store.set(["chat", "keeping"], next);
    deps.onShown();
  };
  const keep = (me: string): void => {
    env.kv
      .set(keepingKey(me), { ...store.get("chat").keeping })
      .catch(() => env.log("chat", "error", "settings not stored"));
  };
  const read = (tries = 0): void => {
    const connection = deps.connection();
    const me = deps.me();
    generation += 1;
    const ownGeneration = generation;
    retry?.cancel();
    retry = null;
    if (connection === null || me === null) return;
    within(env.clock, DEADLINE, () => connection.keeping.read()).then(
      (keeping) => {
        if (ownGeneration !== generation) return;
        show(keeping);
        keep(me);
      },
      () => {
        if (ownGeneration !== generation) return;
        env.log("chat", "warn", "settings not read");
        retry = env.clock.after(reconnectDelay(tries + 1, env.random()), () => read(tries + 1));
      },
    );
  };
  const change = async (run: (calls: KeepingCalls) => Promise<void>): Promise<void> => {
    await deps.self();
    const connection = deps.connection();
    if (connection === null) throw new AppError("chat.not-connected");
    try {
      await within(env.clock, DEADLINE, () => run(connection.keeping));
    } catch (error) {
      read();
      throw toAppError(error, "server.unavailable");
    }
  };
  /** Shows a change that the provider has made. */
  const shown = (edit: (now: ChatKeeping) => ChatKeeping): null => {
    const now = store.get("chat").keeping;
    generation += 1;
    show(edit({ pinned: { ...now.pinned }, muted: { ...now.muted }, quiet: now.quiet }));
    const me = deps.me();
    if (me !== null) keep(me);
    return null;
  };

  return {
    handlers: {
      async pin({ chatId, on }) {
        await change((calls) => calls.pin(chatId, on));
        return shown((now) => ({
          ...now,
          pinned: changed(now.pinned, chatId, on ? createServerTime(env.clock, store).now() : null),
        }));
      },
      async mute({ chatId, on }) {
        await change((calls) => calls.mute(chatId, on));
        if (chatId === null) return shown((now) => ({ ...now, quiet: on }));
        return shown((now) => ({ ...now, muted: changed(now.muted, chatId, on ? true : null) }));
      },
    },
    async load(me) {
      // Unread: the server is asked at the next opening in any case.
      const found = await env.kv.get(keepingKey(me)).catch(() => undefined);
      const stored = chatKeepingSchema.safeParse(found);
      if (deps.me() === me && stored.success) show(stored.data);
    },
    opened: () => read(),
    changed: () => read(),
    lost() {
      generation += 1;
      retry?.cancel();
      retry = null;
    },
    async drop(me) {
      show(NOTHING);
      await env.kv.del(keepingKey(me));
    },
  };
}
