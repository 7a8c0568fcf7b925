/**
 * A small copy of the conversations in the browser's storage, so that a restarted core shows them at once. The server has the
 * authoritative data; the copy is deleted at logout.
 */
import { z } from "../../../../shared/zod.ts";
import { CHAT_TAIL, tailAt } from "../../../../shared/domain/chat-window.ts";
import { isSafeKey } from "../../../../shared/domain/chat.ts";
import { chatMessageSchema } from "../../../../shared/protocol/state.ts";
import type { CoreEnv, Timer } from "../../contracts.ts";
import type { Conversations } from "./conversations.ts";
import { markSchema, newestMark, type Gaps, type Mark } from "./gaps.ts";
import type { Conversation } from "./message-list.ts";

/** Conversations stored, as many as a page of contacts has. */
const KEPT_CONVERSATIONS = 200;
/** ms between two writes. */
const WRITE_EVERY = 1_000;
/** ms before the first write after a pause. It is short, because what a dying core has not stored must be read from the server. */
const WRITE_FIRST = 50;

const indexSchema = z.array(z.string()).max(10_000);
const copySchema = z.object({
  name: z.string(),
  unread: z.number().int().nonnegative(),
  messages: z.array(chatMessageSchema),
  /** Messages after it may be missing, see gaps.ts. */
  mark: markSchema.nullable().default(null),
});

export interface Copy {
  readonly conversation: Conversation;
  readonly mark: Mark | null;
}

const indexKey = (me: string): string => `chat.conversations.${me}`;
const copyKey = (me: string, chatId: string): string => `chat.conversation.${me}.${chatId}`;

export interface Cache {
  /** Reads the copies of this user. Later changes are stored for the same user. */
  load(me: string): Promise<Copy[]>;
  /** Must be called after every change of the conversation, which is then stored soon. */
  changed(chatId: string): void;
  /** Stores all changes now. */
  flush(): Promise<void>;
  /** Stops without writing. */
  close(): void;
  /** Deletes the copies of this user. */
  drop(me: string): Promise<void>;
}

const lastTime = (conversation: Readonly<Conversation>): number =>
  conversation.messages[conversation.order.at(-1) ?? ""]?.time ?? 0;

/** ms between attempts to delete what is stored after a logout, and how many there are. */
const DROP_AGAIN = 5_000;
const DROPS = 60;

export function createCache(deps: {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "log">;
  readonly conversations: () => Conversations;
  readonly gaps: Pick<Gaps, "mark">;
  /** Called with the ids of messages that a stored copy contains now, with the server's id. */
  readonly onWritten: (ids: readonly string[]) => void;
}): Cache {
  const { env } = deps;
  let me: string | null = null;
  let timer: Timer | null = null;
  let wroteAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();
  const dirty = new Set<string>();
  /** Conversations that have a copy; null while the storage cannot be read. */
  let copied: readonly string[] | null = [];

  const readIndex = async (account: string): Promise<readonly string[]> => {
    const index = indexSchema.safeParse(await env.kv.get(indexKey(account)));
    return index.success ? index.data : [];
  };

  const stop = (): void => {
    timer?.cancel();
    timer = null;
  };
  const write = async (account: string): Promise<void> => {
    // Without the index, a logout would not find the copies of before.
    const known = copied ?? (await readIndex(account));
    if (account !== me) return;
    copied = known;
    const changed = [...dirty];
    dirty.clear();
    const kept = deps
      .conversations()
      .all()
      .toSorted((a, b) => lastTime(b) - lastTime(a))
      .slice(0, KEPT_CONVERSATIONS);
    const copies = kept
      .filter((conversation) => changed.includes(conversation.chatId))
      .map(({ chatId, name, unread, order, tail, messages, historyLoaded }) => ({
        chatId,
        copy: {
          name,
          unread,
          messages: order
            .slice(tailAt({ order, tail }))
            .slice(-CHAT_TAIL)
            .map((id) => messages[id]),
          // Of an empty copy the next core would not know that there was nothing to read.
          mark: deps.gaps.mark(chatId) ?? newestMark({ order, messages, historyLoaded }),
        },
      }));
    const index = kept.map((conversation) => conversation.chatId);
    for (const { chatId, copy } of copies) {
      if (account !== me) return;
      await env.kv.set(copyKey(account, chatId), copy);
      // A copy from before the acknowledgement does not count: it lacks the server's id and time.
      deps.onWritten(copy.messages.flatMap((each) => (each?.mid == null ? [] : each.id)));
    }
    if (account !== me) return;
    const over = known.filter((chatId) => !index.includes(chatId));
    copied = index;
    await env.kv.set(indexKey(account), index);
    for (const chatId of over) await env.kv.del(copyKey(account, chatId));
  };
  const flush = (): Promise<void> => {
    stop();
    const account = me;
    if (account === null || dirty.size === 0) return writing;
    wroteAt = env.clock.now();
    writing = writing
      .then(() => write(account))
      .catch((error: unknown) =>
        env.log(
          "chat",
          "error",
          `cache not written, ${error instanceof Error ? error.name : "error"}`,
        ),
      );
    return writing;
  };

  /** Tries again while the index cannot be read, because the machine may be shared. */
  const dropAll = async (user: string, tries: number): Promise<void> => {
    // logged in again: the copies are the person's
    if (me === user) return;
    try {
      for (const chatId of await readIndex(user)) await env.kv.del(copyKey(user, chatId));
      await env.kv.del(indexKey(user));
    } catch {
      env.log("chat", "error", "the copies of a person who logged out could not be deleted");
      if (tries < DROPS) env.clock.after(DROP_AGAIN, () => void dropAll(user, tries + 1));
    }
  };

  return {
    async load(user) {
      me = user;
      dirty.clear();
      copied = null;
      // Copies that cannot be read are missing until the server is asked.
      const index = await readIndex(user).catch(() => null);
      if (me === user) copied = index;
      const found: Copy[] = [];
      for (const chatId of index ?? []) {
        const stored = await env.kv.get(copyKey(user, chatId)).catch(() => undefined);
        const copy = copySchema.safeParse(stored);
        if (!copy.success || !isSafeKey(chatId)) continue;
        const { name, unread, messages, mark } = copy.data;
        const conversation = {
          chatId,
          name,
          unread,
          order: messages.map((message) => message.id),
          messages: Object.fromEntries(messages.map((message) => [message.id, message])),
          historyLoaded: false,
          historyEnd: false,
        };
        found.push({ conversation, mark });
      }
      return found;
    },
    changed(chatId) {
      if (me === null) return;
      dirty.add(chatId);
      const wait = Math.max(WRITE_FIRST, wroteAt + WRITE_EVERY - env.clock.now());
      timer ??= env.clock.after(Math.min(wait, WRITE_EVERY), () => {
        timer = null;
        void flush();
      });
    },
    flush,
    close() {
      stop();
      dirty.clear();
      me = null;
    },
    async drop(user) {
      if (me === user) {
        stop();
        dirty.clear();
        me = null;
      }
      await writing;
      await dropAll(user, 0);
    },
  };
}
