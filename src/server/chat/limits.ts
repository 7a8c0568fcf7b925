/** Sizes, rates and times of the gateway in one place. */
export const CHAT_LIMITS = {
  frameBytes: 256 * 1024,
  framesPerSecond: 50,
  burst: 400,
  connectionsPerUser: 5,
  /** Characters of a text message. */
  textLength: 5000,
  /** Bytes of one message with its ext. */
  messageBytes: 64 * 1024,
  /** Messages in one pull. The client de-duplicates about its last hundred ids, so an unacknowledged batch must stay below. */
  pullBatch: 40,
  /** Bytes of one pull, at least one message is always given. */
  pullBytes: 512 * 1024,
  /** Bytes that may wait for a slow reader before its socket is ended. */
  sendBufferBytes: 4 * 1024 * 1024,
  /** Time to present a token after the socket opened. */
  loginMs: 15_000,
  /** Between pings; a peer silent for two of them is ended. */
  pingMs: 30_000,
  /** As the provider: own messages may be recalled for two minutes. */
  recallMs: 120_000,
  /** Chat token. */
  tokenTtlSeconds: 86_400,
  /** Newest entries an inbox keeps. */
  inboxEntries: 2000,
  /** Receipts and commands are kept this long for de-duplication and offline devices. */
  transientMs: 7 * 86_400_000,
  /** A device unseen for so long loses its cursor. */
  cursorMs: 30 * 86_400_000,
  sweepMs: 3_600_000,
  historyPage: 50,
  /** Devices of a user whose place in the inbox is remembered. */
  cursorsPerUser: 50,
} as const;

export interface Bucket {
  /** Whether one more is allowed. */
  take(): boolean;
  /** Allows `n` more beside the rate. */
  grant(n: number): void;
}

/** Token bucket. @param now ms since the epoch */
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
