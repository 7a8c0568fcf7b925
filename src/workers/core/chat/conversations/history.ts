/**
 * Reads the history of a conversation (docs/chat.md#history) and merges it without duplicates. Known gaps are closed, and what another
 * device of the person deleted goes away.
 */
import { CHAT_HISTORY_PAGE } from "../../../../shared/domain/chat-limits.ts";
import { compareIds } from "../../../../shared/domain/chat.ts";
import { groupIdOf } from "../../../../shared/domain/group-chat.ts";
import { AppError } from "../../../../shared/errors.ts";
import type { Clock } from "../../contracts.ts";
import type { Conversations } from "./conversations.ts";
import { within } from "../provider/deadline.ts";
import { isNotInGroup, toAppError } from "../provider/failures.ts";
import type { Gaps } from "./gaps.ts";
import type { ChatConnection, HistoryPage, ReceivedMessage } from "../provider/port.ts";

/** ms for one page. Later requests wait for this one. */
const PAGE_DEADLINE = 10_000;
/** Maximum number of pages read to reach known messages; beyond it, the older known messages are dropped. */
const BRIDGE_PAGES = 5;
const NO_MORE: HistoryPage = { messages: [], isLast: true, cursor: null };

export interface History {
  /** Reads the newest page, and further ones until they meet the known messages. @throws AppError */
  refresh(chatId: string): Promise<void>;
  /** Takes out the messages that the server no longer has: another device of this person deleted some. @throws AppError */
  recheck(chatId: string): Promise<void>;
  /** Reads the page before the oldest message. @throws AppError */
  older(chatId: string): Promise<void>;
  /** Reads the page after the old messages in memory, while newer ones are missing. @throws AppError */
  newer(chatId: string): Promise<void>;
  /** Reads a message that is not in memory, and those around it. @returns false when it is not found. @throws AppError */
  reach(chatId: string, mid: string): Promise<boolean>;
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

  const requireConnection = (): { connection: ChatConnection; me: string } => {
    const connection = deps.connection();
    const me = deps.me();
    if (connection === null || me === null) throw new AppError("chat.not-connected");
    return { connection, me };
  };
  const read = (
    connection: ChatConnection,
    chatId: string,
    cursor: string | null,
    direction: "older" | "newer" = "older",
  ): Promise<HistoryPage> =>
    within(deps.clock, PAGE_DEADLINE, () =>
      connection.history(chatId, cursor, CHAT_HISTORY_PAGE, direction).catch((error: unknown) => {
        // a conversation of a group that was left has no more history: reading it again would never succeed
        if (groupIdOf(chatId) !== null && isNotInGroup(error)) return NO_MORE;
        throw error;
      }),
    );
  const refresh = async (chatId: string): Promise<void> => {
    const { connection, me } = requireConnection();
    conversations.ensure(chatId);
    const before = conversations.get(chatId);
    const first = before?.historyLoaded !== true;
    const known = (before?.order ?? [])
      .flatMap((id) => before?.messages[id] ?? [])
      .flatMap(({ mid, time }) => (mid === null ? [] : { mid, time }));
    const mark = gaps.mark(chatId);
    // What has arrived of a conversation that was never read may lack messages in between, such as those of another own device.
    const back = mark ?? (first ? (known[0] ?? null) : null);
    const pages: (readonly ReceivedMessage[])[] = [];
    let cursor: string | null = null;
    let isLast = false;
    let reached = false;
    while (pages.length < (back === null ? 1 : BRIDGE_PAGES)) {
      const page = await read(connection, chatId, cursor);
      if (deps.me() !== me) return;
      pages.push(page.messages);
      isLast = page.isLast;
      cursor = page.cursor;
      // compare with the mark and not with any known message, because messages after the gap are known too
      reached = page.messages.some(
        ({ mid, time }) => mid === back?.mid || time < (back?.time ?? 0),
      );
      if (reached || isLast || cursor === null) break;
    }
    // live messages that arrived meanwhile are newer than the pages and join without a gap
    const since = Math.min(...pages.flat().map((message) => message.time));
    if (back !== null && !reached && !isLast) conversations.dropBefore(chatId, since);
    const unreadAfter = mark?.time ?? known.at(-1)?.time ?? null;
    for (const page of pages.toReversed()) conversations.merge(me, chatId, page, unreadAfter);
    if (mark !== null && gaps.close(chatId, mark)) conversations.touch(chatId);
    const wasEnd = conversations.get(chatId)?.historyEnd === true;
    conversations.setHistory(chatId, true, isLast || (wasEnd && !first));
  };
  const recheck = async (chatId: string): Promise<void> => {
    const { connection, me } = requireConnection();
    const before = conversations.get(chatId);
    // a recalled message is no longer in the history, but its line stays
    const known = (before?.order ?? []).flatMap((id) => {
      const message = before?.messages[id];
      return message === undefined || message.mid === null || message.status === "recall"
        ? []
        : { id, mid: message.mid, time: message.time };
    });
    const oldest = known[0];
    if (oldest === undefined) return;
    const there = new Set<string>();
    let since = Infinity;
    let cursor: string | null = null;
    for (let pages = 0; pages < BRIDGE_PAGES && since > oldest.time; pages += 1) {
      const page = await read(connection, chatId, cursor);
      for (const { mid } of page.messages) there.add(mid);
      const last = page.isLast || page.cursor === null;
      since = last ? -Infinity : Math.min(since, ...page.messages.map(({ time }) => time));
      cursor = page.cursor;
    }
    if (deps.me() !== me) return;
    for (const { id, mid, time } of known) {
      if (time > since && !there.has(mid)) conversations.remove(chatId, id);
    }
    // older messages are read again when the person scrolls to them
    if (since > oldest.time) conversations.dropBefore(chatId, since);
  };
  const older = async (chatId: string): Promise<void> => {
    const { connection, me } = requireConnection();
    const page = await read(connection, chatId, conversations.oldestMid(chatId));
    if (deps.me() !== me) return;
    conversations.mergeOlder(me, chatId, page.messages, page.isLast);
  };
  const newer = async (chatId: string): Promise<void> => {
    const { connection, me } = requireConnection();
    const last = conversations.lastBeforeTail(chatId);
    // all of the old messages were deleted meanwhile, or nothing is missing
    if (last === null) return conversations.newest(chatId);
    const page = await read(connection, chatId, last, "newer");
    if (deps.me() !== me) return;
    conversations.mergeNewer(me, chatId, page.messages, page.isLast);
  };
  /** Reads the page that follows the message, then the one that ends with it. */
  const around = async (chatId: string, mid: string): Promise<void> => {
    const { connection, me } = requireConnection();
    const after = await read(connection, chatId, mid, "newer");
    const [next] = after.messages.toSorted((a, b) => a.time - b.time || compareIds(a.mid, b.mid));
    const page = await read(connection, chatId, next?.mid ?? null);
    if (deps.me() !== me || conversations.has(chatId, mid)) return;
    if (!page.messages.some((message) => message.mid === mid)) return;
    conversations.place(me, chatId, [...page.messages, ...after.messages], page.isLast);
  };
  const once = async (chatId: string, run: (chatId: string) => Promise<void>): Promise<void> => {
    while (running.has(chatId)) await running.get(chatId)?.catch(() => undefined);
    const ownRun = run(chatId).catch((error: unknown) => {
      throw toAppError(error, "server.unavailable");
    });
    running.set(chatId, ownRun);
    try {
      await ownRun;
    } finally {
      if (running.get(chatId) === ownRun) running.delete(chatId);
    }
  };

  return {
    refresh: (chatId) => once(chatId, refresh),
    recheck: (chatId) => once(chatId, recheck),
    older: (chatId) => once(chatId, older),
    newer: (chatId) => once(chatId, newer),
    async reach(chatId, mid) {
      if (!conversations.has(chatId, mid)) await once(chatId, () => around(chatId, mid));
      return conversations.has(chatId, mid);
    },
  };
}
