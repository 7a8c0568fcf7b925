/** Reads the history of a conversation (docs/chat.md#history) and merges it without duplicates. Known gaps are closed. */
import { CHAT_CACHE, CHAT_HISTORY_PAGE } from "../../../shared/domain/chat.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Clock } from "../contracts.ts";
import type { Conversations } from "./conversations.ts";
import { toAppError } from "./failures.ts";
import type { Gaps } from "./gaps.ts";
import type { ChatConnection, HistoryPage, ReceivedMessage } from "./port.ts";

/** ms for one page. The SDK's requests have no timeout of their own, and later requests wait for this one. */
const PAGE_DEADLINE = 10_000;
/** Maximum number of pages read to reach known messages; beyond it, the older known messages are dropped. */
const BRIDGE_PAGES = 5;

export interface History {
  /** Reads the newest page, and further ones until they meet the known messages. @throws AppError */
  refresh(chatId: string): Promise<void>;
  /** Reads the page before the oldest message. @throws AppError */
  older(chatId: string): Promise<void>;
}

export function createHistory(deps: {
  readonly clock: Clock;
  readonly conversations: Conversations;
  readonly gaps: Gaps;
  readonly connection: () => ChatConnection | null;
  readonly me: () => string | null;
}): History {
  const { conversations, gaps } = deps;
  /** One request per conversation; a second caller waits for the first. */
  const running = new Map<string, Promise<void>>();

  const link = (): { connection: ChatConnection; me: string } => {
    const connection = deps.connection();
    const me = deps.me();
    if (connection === null || me === null) throw new AppError("chat.not-connected");
    return { connection, me };
  };
  const read = (
    connection: ChatConnection,
    chatId: string,
    cursor: string | null,
  ): Promise<HistoryPage> =>
    new Promise((resolve, reject) => {
      const timer = deps.clock.after(PAGE_DEADLINE, () => reject(new AppError("network.timeout")));
      connection
        .history(chatId, cursor, CHAT_HISTORY_PAGE)
        .then(resolve, reject)
        .finally(() => timer.cancel());
    });
  const refresh = async (chatId: string): Promise<void> => {
    const { connection, me } = link();
    conversations.ensure(chatId);
    const before = conversations.get(chatId);
    const first = before?.historyLoaded !== true;
    const newest = before?.order
      .flatMap((id) => before.messages[id] ?? [])
      .findLast((message) => message.mid !== null);
    const mark = gaps.mark(chatId);
    const pages: (readonly ReceivedMessage[])[] = [];
    let cursor: string | null = null;
    let isLast = false;
    let reached = false;
    while (pages.length < (mark === null ? 1 : BRIDGE_PAGES)) {
      const page = await read(connection, chatId, cursor);
      if (deps.me() !== me) return;
      pages.push(page.messages);
      isLast = page.isLast;
      cursor = page.cursor;
      // compare with the mark and not with any known message, because messages after the gap are known too
      reached = page.messages.some(
        ({ mid, time }) => mid === mark?.mid || time < (mark?.time ?? 0),
      );
      if (reached || isLast || cursor === null) break;
    }
    // live messages that arrived meanwhile are newer than the pages and join without a gap
    const since = Math.min(...pages.flat().map((message) => message.time));
    if (mark !== null && !reached && !isLast) conversations.dropBefore(chatId, since);
    const unreadAfter = mark?.time ?? newest?.time ?? null;
    for (const page of pages.toReversed()) conversations.merge(me, chatId, page, unreadAfter);
    if (mark !== null && gaps.close(chatId, mark)) conversations.touch(chatId);
    const wasEnd = conversations.get(chatId)?.historyEnd === true;
    conversations.setHistory(chatId, true, isLast || (wasEnd && !first));
  };
  const older = async (chatId: string): Promise<void> => {
    const { connection, me } = link();
    const size = conversations.get(chatId)?.order.length ?? 0;
    if (size + CHAT_HISTORY_PAGE > CHAT_CACHE) {
      conversations.setHistory(chatId, true, true);
      return;
    }
    const cursor = conversations.oldestMid(chatId);
    const page = await read(connection, chatId, cursor);
    if (deps.me() !== me) return;
    conversations.merge(me, chatId, page.messages, null);
    conversations.setHistory(chatId, true, page.isLast || page.messages.length === 0);
  };
  const once = async (chatId: string, run: (chatId: string) => Promise<void>): Promise<void> => {
    while (running.has(chatId)) await running.get(chatId)?.catch(() => undefined);
    const mine = run(chatId).catch((error: unknown) => {
      throw toAppError(error, "server.unavailable");
    });
    running.set(chatId, mine);
    try {
      await mine;
    } finally {
      if (running.get(chatId) === mine) running.delete(chatId);
    }
  };

  return {
    refresh: (chatId) => once(chatId, refresh),
    older: (chatId) => once(chatId, older),
  };
}
