/**
 * The newest entries of the inboxes that the users of this process read, so that delivery asks the database nothing
 * (docs/chat.md#gateway). Cached entries have no gaps. An event that could leave one, such as a message written by another process, drops
 * the inbox from the cache.
 */
import type { Clock } from "../../../base/module.ts";
import type { InboxEntry, InboxPlace } from "../wire/records.ts";

/** Entries per inbox; the oldest are dropped. */
const MAX_ENTRIES = 200;
/** ms after the newest entry. A notice from another process can be lost, and then the store has entries that the cache lacks. */
const TTL_MS = 5000;
/** Bytes of all entries together. Above it everything is forgotten. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface RecentInbox {
  /** Appends the newest entry. Known entries, and entries whose content must come from the store, change nothing. */
  add(place: InboxPlace, meta: Uint8Array): void;
  /**
   * Entries of an inbox after `after`, oldest first, without those that the device itself sent; undefined when only the store knows.
   *
   * @param upTo the last entry that the device may get; null: all
   */
  after(
    owner: string,
    device: { readonly userName: string; readonly resource: string },
    after: bigint,
    upTo: bigint | null,
    limit: number,
  ): InboxEntry[] | undefined;
  forget(owner: string): void;
}

interface Known {
  /** Entries with greater keys are all known. */
  from: bigint;
  until: number;
  entries: (InboxPlace & { readonly meta: Uint8Array })[];
}

export function createRecentInbox(
  clock: Pick<Clock, "now">,
  maxBytes: number = MAX_BYTES,
): RecentInbox {
  const inboxes = new Map<string, Known>();
  let bytes = 0;
  function forget(owner: string): void {
    for (const { meta } of inboxes.get(owner)?.entries ?? []) bytes -= meta.length;
    inboxes.delete(owner);
  }
  return {
    add(place, meta) {
      const { owner, key } = place;
      const before = inboxes.get(owner);
      const last = before?.entries.at(-1)?.key ?? before?.from;
      const isOver = (before?.until ?? 0) <= clock.now();
      // Messages of two processes may come here in another order than they were written.
      if (last !== undefined && key <= last && !isOver) return;
      if (last !== key - 1n || isOver) forget(owner);
      if (bytes + meta.length > maxBytes) {
        inboxes.clear();
        bytes = 0;
      }
      const known = inboxes.get(owner) ?? { from: key - 1n, until: 0, entries: [] };
      inboxes.set(owner, known);
      known.until = clock.now() + TTL_MS;
      known.entries.push({ ...place, meta });
      bytes += meta.length;
      const dropped = known.entries.length > MAX_ENTRIES ? known.entries.shift() : undefined;
      if (dropped === undefined) return;
      known.from = dropped.key;
      bytes -= dropped.meta.length;
    },
    after(owner, { userName, resource }, after, upTo, limit) {
      const known = inboxes.get(owner);
      if (known === undefined) return undefined;
      if (known.until <= clock.now()) {
        forget(owner);
        return undefined;
      }
      if (after < known.from || (known.entries.at(-1)?.key ?? 0n) < (upTo ?? 0n)) return undefined;
      const found: InboxEntry[] = [];
      for (const entry of known.entries) {
        if (found.length === limit || (upTo !== null && entry.key > upTo)) break;
        const isOwn = entry.exceptResource === resource && entry.sender === userName;
        if (entry.key > after && !isOwn) found.push(entry);
      }
      return found;
    },
    forget,
  };
}
