/**
 * Messages that the person sent and the core has not taken yet, for example while a core starts. Each is shown as a bubble in its
 * place and is sent in order. They stay in the browser's storage until then. The key of each lets the core recognise a repetition,
 * whichever tab sends it.
 */
import { proxy, subscribe } from "valtio/vanilla";
import type { CoreClient } from "../../core-client/contracts.ts";
import type { ChatQuote } from "../../shared/protocol/chat-parts.ts";
import { passes, pauseAfter } from "../../shared/domain/retries.ts";

export interface WaitingMessage {
  /** The same for every attempt. */
  readonly key: string;
  readonly chatId: string;
  readonly text: string;
  /** The message that it answers. */
  readonly quote: ChatQuote | null;
  /** ms since the epoch, when it was written */
  readonly time: number;
  /** The core refused it; the person may send it again. */
  failed: boolean;
  /** Id at the core once it has taken the message; the bubble stays until the conversation shows it. */
  id: string | null;
}

/** Stored messages by key. */
export interface SendingStorage {
  keys(prefix: string): string[];
  read(key: string): unknown;
  write(key: string, value: unknown): void;
  drop(key: string): void;
}

export interface Sending {
  readonly state: { readonly waiting: readonly WaitingMessage[] };
  /** @returns false when nobody is logged in; the text then stays in the input */
  send(chatId: string, text: string, quote?: ChatQuote | null): boolean;
  /** Sends a refused message again. */
  again(key: string): void;
  dispose(): void;
}

type Kept = Pick<WaitingMessage, "chatId" | "text" | "quote" | "time">;

const textsOf = (value: unknown, names: readonly string[]): boolean =>
  typeof value === "object" &&
  value !== null &&
  names.every((name) => typeof (value as Record<string, unknown>)[name] === "string");

/** Checked by hand, because the login does without zod; the core checks the message by its schema when it takes it. */
function keptMessage(value: unknown): Kept | null {
  if (!textsOf(value, ["chatId", "text"])) return null;
  const { chatId, text, quote, time } = value as Kept;
  if (!Number.isFinite(time)) return null;
  return {
    chatId,
    text,
    quote: textsOf(quote, ["mid", "from", "type", "text"]) ? quote : null,
    time,
  };
}

/**
 * The waiting messages that their conversation does not show itself. The core may show a message before it answers the command that
 * sent it, so a message is recognised by its id or by its key.
 * @param messages of the conversation, by id
 */
export function notShown<M extends Pick<WaitingMessage, "id" | "key">>(
  waiting: readonly M[],
  messages: Readonly<Record<string, { readonly key?: string | undefined }>>,
): M[] {
  if (waiting.length === 0) return [];
  const keys = new Set(Object.values(messages).map(({ key }) => key));
  return waiting.filter(
    ({ id, key }) => !keys.has(key) && (id === null || !Object.hasOwn(messages, id)),
  );
}

export function createSending(deps: {
  readonly core: Pick<CoreClient, "commands" | "state">;
  readonly storage: SendingStorage;
  readonly newId: () => string;
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => { cancel(): void };
}): Sending {
  const { core, storage } = deps;
  const state = proxy<{ waiting: WaitingMessage[] }>({ waiting: [] });
  /** Account of the waiting messages; while a core starts, the last known account. */
  let owner: string | null = null;
  let running = false;
  let disposed = false;
  let last = 0;
  let pause: { cancel(): void } | null = null;

  const prefixOf = (accountId: string): string => `unsent:${accountId}:`;
  const find = (key: string): WaitingMessage | undefined =>
    state.waiting.find((message) => message.key === key);
  const remove = (key: string): void => {
    state.waiting = state.waiting.filter((message) => message.key !== key);
  };

  const pump = async (): Promise<void> => {
    if (running) return;
    running = true;
    let tries = 0;
    for (;;) {
      const next = state.waiting.find((message) => message.id === null && !message.failed);
      const whose = owner;
      if (next === undefined || whose === null || disposed) break;
      const { key, chatId, text, quote } = next;
      try {
        const { id } = await core.commands.chat.send({
          chatId,
          text,
          key,
          // a plain object: a proxy cannot be sent to the core
          ...(quote === null ? {} : { quote: { ...quote } }),
        });
        storage.drop(prefixOf(whose) + key);
        tries = 0;
        const message = find(key);
        if (message !== undefined) message.id = id;
        settle();
      } catch (error) {
        if (passes(error, core.state.session.status === "anonymous")) {
          await new Promise<void>((resolve) => {
            pause = deps.after(pauseAfter(tries), resolve);
          });
          tries += 1;
          continue;
        }
        const message = find(key);
        // without a login the message waits for the next login
        if (core.state.session.status === "anonymous") break;
        if (message !== undefined) message.failed = true;
      }
    }
    running = false;
  };
  /** Removes messages that their conversation now shows itself: the core has stored them. */
  const settle = (): void => {
    const { conversations } = core.state.chat;
    for (const chatId of new Set(state.waiting.map((message) => message.chatId))) {
      if (!Object.hasOwn(conversations, chatId)) continue;
      const here = state.waiting.filter((message) => message.chatId === chatId);
      const left = new Set(notShown(here, conversations[chatId]?.messages ?? {}));
      for (const message of here) {
        if (left.has(message)) continue;
        if (owner !== null) storage.drop(prefixOf(owner) + message.key);
        remove(message.key);
      }
    }
  };
  const load = (accountId: string): void => {
    const prefix = prefixOf(accountId);
    const kept = storage.keys(prefix).flatMap((name): WaitingMessage[] => {
      const kept = keptMessage(storage.read(name));
      if (kept === null) return [];
      return [{ key: name.slice(prefix.length), ...kept, failed: false, id: null }];
    });
    state.waiting = kept.toSorted((a, b) => a.time - b.time);
  };
  const follow = (): void => {
    const { status, accountId } = core.state.session;
    if (status === "anonymous") {
      owner = null;
      state.waiting = [];
    } else if (accountId !== null && accountId !== owner) {
      owner = accountId;
      load(accountId);
      void pump();
    }
  };
  const ends = [subscribe(core.state.session, follow), subscribe(core.state.chat, settle)];
  follow();

  return {
    state,
    send(chatId, text, quote = null) {
      if (owner === null) return false;
      const key = deps.newId();
      // strictly later than the previous message, so that a reload keeps the order
      last = Math.max(deps.now(), last + 1);
      storage.write(prefixOf(owner) + key, { chatId, text, quote, time: last });
      state.waiting.push({ key, chatId, text, quote, time: last, failed: false, id: null });
      void pump();
      return true;
    },
    again(key) {
      const message = find(key);
      if (message === undefined) return;
      message.failed = false;
      void pump();
    },
    dispose() {
      disposed = true;
      pause?.cancel();
      for (const end of ends) end();
    },
  };
}
