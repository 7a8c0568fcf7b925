/** Sizes, rates and times of the gateway. */
export const CHAT_LIMITS = {
  frameBytes: 256 * 1024,
  framesPerSecond: 50,
  burst: 400,
  connectionsPerUser: 5,
  /** Characters of a text message. */
  textLength: 5000,
  /** Bytes of one message with its ext. */
  messageBytes: 64 * 1024,
  /**
   * Messages per pull. The client de-duplicates only about its last hundred ids, so an unacknowledged batch must be smaller
   * than that.
   */
  pullBatch: 40,
  /** Bytes per pull. At least one message is always delivered. */
  pullBytes: 512 * 1024,
  /** Bytes that may wait for a slow reader before its socket is closed. */
  sendBufferBytes: 4 * 1024 * 1024,
  /** Milliseconds after the socket opened within which the client must log in. */
  loginMs: 15_000,
  /** Milliseconds between pings. A peer that is silent for two of them is disconnected. */
  pingMs: 30_000,
  /** As at the provider, own messages can be recalled for two minutes. */
  recallMs: 120_000,
  /** Lifetime of a chat token in seconds. */
  tokenTtlSeconds: 86_400,
  /** Most entries of an inbox; the oldest are dropped. */
  inboxEntries: 2000,
  /** Milliseconds for which receipts and commands are kept for de-duplication and for offline devices. */
  transientMs: 7 * 86_400_000,
  /** A device that is not seen for this long loses its cursor. */
  cursorMs: 30 * 86_400_000,
  sweepMs: 3_600_000,
  historyPage: 50,
  /** Most devices per user whose position in the inbox is remembered. */
  cursorsPerUser: 50,
} as const;

export interface Bucket {
  /** Takes one token. Returns whether one was available. */
  take(): boolean;
  /** Allows `n` more in addition to the rate. */
  grant(n: number): void;
}

/**
 * Creates a token bucket.
 *
 * @param now returns ms since the epoch
 */
export function createBucket(perSecond: number, burst: number, now: () => number): Bucket {
  let tokens = burst;
  let granted = 0;
  let filledAt = now();
  return {
    take() {
      const at = now();
      tokens = Math.min(burst, tokens + (Math.max(0, at - filledAt) / 1000) * perSecond);
      filledAt = at;
      if (tokens >= 1) tokens -= 1;
      else if (granted >= 1) granted -= 1;
      else return false;
      return true;
    },
    grant(n) {
      granted += n;
    },
  };
}
