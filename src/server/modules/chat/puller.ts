/** Serves the inbox to one connection: tracks what was sent and acknowledged, and notifies the client when it must pull. */
import type { Clock } from "../../base/module.ts";
import type { Frames } from "./frames.ts";
import { CHAT_LIMITS } from "./limits.ts";
import type { InboxEntry } from "./records.ts";
import type { ChatStore } from "./store.ts";
import { MetaCodec } from "./wire.ts";
import type { SyncUp } from "./wire.ts";

export interface Puller {
  /** Acknowledges what the client names, then sends the next batch, or the end when nothing is left. */
  pull(up: SyncUp): Promise<void>;
  /** Sends the number of messages that this connection has not received. */
  unread(): Promise<void>;
  /** Called when the inbox has a new entry. */
  notify(): void;
}

/**
 * The SDK ignores a batch whose key equals the last one it saw, even before a reconnect, and then never acknowledges. So the
 * low bits differ from batch to batch.
 */
const NONCE_BITS = 12n;
const NONCES = 1 << Number(NONCE_BITS);

export function createPuller(deps: {
  readonly userName: string;
  readonly resource: string;
  readonly acked: bigint;
  readonly store: Pick<ChatStore, "inbox" | "unread" | "acknowledge">;
  readonly frames: Frames;
  readonly clock: Clock;
  readonly send: (bytes: Uint8Array) => void;
  /** Called with the number of messages that were sent. */
  readonly onDelivered: (n: number) => void;
}): Puller {
  const { userName, resource, store, frames, clock, send } = deps;
  let acked = deps.acked;
  let sent = deps.acked;
  let nonce = clock.now() % NONCES;
  let news = false;

  async function acknowledge(key: string): Promise<void> {
    const upTo = BigInt(key) >> NONCE_BITS;
    // Never acknowledge more than this connection was sent, whatever the client claims.
    if (upTo <= acked || upTo > sent) return;
    acked = upTo;
    await store.acknowledge(userName, resource, upTo, clock.now());
  }

  return {
    async pull(up) {
      if (up.key !== undefined) await acknowledge(up.key);
      news = false;
      const entries = fitting(await store.inbox(userName, resource, sent, CHAT_LIMITS.pullBatch));
      const last = entries.at(-1);
      if (last === undefined) {
        send(frames.end(userName, clock.now()));
        // The client ignores a notice that arrives during a pull, so repeat it.
        if (news) send(frames.notice(userName));
        return;
      }
      sent = last.key;
      nonce = (nonce + 1) % NONCES;
      send(
        frames.batch(
          userName,
          entries.map((e) => MetaCodec.decode(e.meta)),
          String((last.key << NONCE_BITS) | BigInt(nonce)),
          clock.now(),
        ),
      );
      deps.onDelivered(entries.length);
    },
    async unread() {
      const n = await store.unread(userName, resource, sent);
      send(frames.unread(userName, n, clock.now()));
      // A pull cut off by a lost connection stays open in the SDK, which then ignores every notice. This frame ends it.
      if (n === 0) send(frames.end(userName, clock.now()));
    },
    notify() {
      news = true;
      send(frames.notice(userName));
    },
  };
}

function fitting(entries: readonly InboxEntry[]): InboxEntry[] {
  let bytes = 0;
  return entries.filter((e, i) => {
    bytes += e.meta.length;
    return i === 0 || bytes <= CHAT_LIMITS.pullBytes;
  });
}
