/** Serves the inboxes to one connection: tracks what was sent and acknowledged, and notifies the client when it must pull. */
import type { Clock } from "../../../base/module.ts";
import type { Frames } from "../wire/frames.ts";
import type { GroupNews } from "./hub.ts";
import type { Acknowledged } from "./inboxes.ts";
import { CHAT_LIMITS } from "../limits.ts";
import type { InboxEntry, InboxPlaces } from "../wire/records.ts";
import type { ChatStore } from "../store.ts";
import type { RecentInbox } from "./recent-inbox.ts";
import type { SyncUp } from "../wire/wire.ts";

export interface Puller {
  /** Acknowledges what the client names, then sends the next batch, or the end when nothing is left. */
  pull(up: SyncUp): Promise<void>;
  /** Sends the number of messages that this connection has not received. */
  unread(): Promise<void>;
  /** Called when an inbox has new entries: that of a group, or the user's own. */
  notify(news?: GroupNews): void;
}

/**
 * ms after a complete read for which a pull without a notice is answered as empty. A later pull reads again, because a notice from
 * another process can be lost.
 */
const READ_MS = 5000;
/** Bits of a batch's key that count the batches of one millisecond. */
const SERIAL_BITS = 12n;

export function createPuller(deps: {
  readonly userName: string;
  readonly resource: string;
  readonly acked: InboxPlaces;
  readonly store: Pick<ChatStore, "inbox" | "unread">;
  readonly recent: Pick<RecentInbox, "after">;
  readonly acknowledge: (acknowledged: Acknowledged) => void;
  readonly frames: Frames;
  readonly clock: Clock;
  readonly send: (bytes: Uint8Array) => void;
  /** Called with the number of messages that were sent. */
  readonly onDelivered: (n: number) => void;
}): Puller {
  const { userName, resource, store, recent, frames, clock, send } = deps;
  const notice = frames.notice(userName);
  const sent = new Map(deps.acked);
  /** Sent batches that are not acknowledged, oldest first. */
  let unacked: { readonly key: bigint; readonly places: InboxPlaces }[] = [];
  /** Inboxes with something new, and up to which entry this device was notified; null: up to the end. */
  const news = new Map<string, bigint | null>();
  /** When all inboxes were last read completely; null: unread entries may exist. */
  let readAt: number | null = null;
  let lastKey = 0n;
  let noticed = false;

  function acknowledge(key: string): void {
    const at = unacked.findIndex((batch) => String(batch.key) === key);
    // Never acknowledge what this connection was not sent, whatever the client claims.
    if (at < 0) return;
    const places = new Map(unacked.slice(0, at + 1).flatMap((batch) => [...batch.places]));
    unacked = unacked.slice(at + 1);
    deps.acknowledge({ userName, resource, places });
  }

  /** The next entries of the inboxes with something new; undefined when the store must be asked. */
  function readRecent(): InboxEntry[] | undefined {
    if (readAt === null) return undefined;
    if (news.size === 0) return clock.now() - readAt < READ_MS ? [] : undefined;
    const found: InboxEntry[][] = [];
    for (const [owner, upTo] of news) {
      const after = sent.get(owner) ?? 0n;
      const some = recent.after(owner, { userName, resource }, after, upTo, CHAT_LIMITS.pullBatch);
      if (some === undefined) return undefined;
      found.push(some);
    }
    const entries = fitting(merged(found));
    if (entries.length === found.reduce((n, some) => n + some.length, 0)) {
      // An inbox that filled the batch may have more.
      if (found.every((some) => some.length < CHAT_LIMITS.pullBatch)) news.clear();
      readAt = clock.now();
    }
    return entries;
  }

  async function readStore(): Promise<InboxEntry[]> {
    const before = new Map(news);
    // What is written while the store answers may be missing in the answer.
    news.clear();
    readAt = null;
    const found = await store.inbox(userName, resource, sent, CHAT_LIMITS.pullBatch);
    const entries = fitting(found);
    if (found.length < CHAT_LIMITS.pullBatch && entries.length === found.length) {
      readAt = clock.now();
    } else for (const [owner, upTo] of before) if (!news.has(owner)) news.set(owner, upTo);
    return entries;
  }

  /** The SDK ignores a batch whose key equals the last one it saw, even before a reconnect, and then never acknowledges. */
  function nextKey(): bigint {
    const first = BigInt(clock.now()) << SERIAL_BITS;
    lastKey = first > lastKey ? first : lastKey + 1n;
    return lastKey;
  }

  return {
    async pull(up) {
      if (up.key !== undefined) acknowledge(up.key);
      noticed = false;
      const entries = readRecent() ?? (await readStore());
      if (entries.length === 0) {
        send(frames.end(userName, clock.now()));
        // The client ignores a notice that arrives during a pull, so repeat it.
        if (noticed) send(notice);
        return;
      }
      const places = new Map(entries.map((entry) => [entry.owner, entry.key]));
      for (const [owner, key] of places) sent.set(owner, key);
      const key = nextKey();
      unacked.push({ key, places });
      const metas = entries.map((entry) => entry.meta);
      send(frames.batch(userName, metas, String(key), clock.now()));
      deps.onDelivered(entries.length);
    },
    async unread() {
      const n = await store.unread(userName, resource, sent);
      readAt = n > 0 ? null : clock.now();
      send(frames.unread(userName, n, clock.now()));
      // A pull cut off by a lost connection stays open in the SDK, which then ignores every notice. This frame ends it.
      if (n === 0) send(frames.end(userName, clock.now()));
    },
    notify(inbox) {
      if (inbox === undefined) news.set(userName, null);
      else if (inbox.upTo > (news.get(inbox.owner) ?? 0n)) news.set(inbox.owner, inbox.upTo);
      noticed = true;
      send(notice);
    },
  };
}

/** The entries of several inboxes in the order of their messages; each inbox stays in its own order. */
function merged(inboxes: readonly InboxEntry[][]): InboxEntry[] {
  const [only] = inboxes;
  if (inboxes.length === 1 && only !== undefined) return only;
  const placed = inboxes.flatMap((entries) => {
    let at = 0n;
    return entries.map((entry) => {
      if (entry.id > at) at = entry.id;
      return { at, entry };
    });
  });
  return placed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).map(({ entry }) => entry);
}

function fitting(entries: readonly InboxEntry[]): InboxEntry[] {
  let bytes = 0;
  const end = entries.findIndex((entry, i) => {
    bytes += entry.meta.length;
    return i > 0 && (i >= CHAT_LIMITS.pullBatch || bytes > CHAT_LIMITS.pullBytes);
  });
  return entries.slice(0, end < 0 ? entries.length : end);
}
