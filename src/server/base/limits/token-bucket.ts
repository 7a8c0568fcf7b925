/** The token bucket behind every rate limit of the server: a burst at once, then a fixed number per second. */
import type { Clock } from "../module.ts";

export interface BucketLimits {
  /** Tokens of a full bucket. */
  readonly burst: number;
  /** Tokens that come back per second. */
  readonly perSecond: number;
}

export interface TokenBucket {
  /** Takes one token. @returns whether there was one */
  tryConsume(): boolean;
  /** Adds tokens on top of the rate. They do not expire, and are used only when the bucket is empty. */
  grant(tokens: number): void;
}

/** A bucket that is full at first. */
export function createTokenBucket(
  clock: Pick<Clock, "now">,
  { burst, perSecond }: BucketLimits,
): TokenBucket {
  let tokens = burst;
  let granted = 0;
  let filledAt = clock.now();
  return {
    tryConsume() {
      const now = clock.now();
      tokens = Math.min(burst, tokens + (Math.max(0, now - filledAt) / 1000) * perSecond);
      filledAt = now;
      if (tokens >= 1) tokens -= 1;
      else if (granted >= 1) granted -= 1;
      else return false;
      return true;
    },
    grant(more) {
      granted += more;
    },
  };
}

/** One token bucket per key. */
export interface TokenBuckets {
  /** Takes one token of this key. @returns whether there was one */
  tryConsume(key: string): boolean;
  /** Forgets the keys whose bucket is full again. */
  sweep(): void;
}

export function createTokenBuckets(clock: Pick<Clock, "now">, limits: BucketLimits): TokenBuckets {
  const buckets = new Map<string, { readonly bucket: TokenBucket; usedAt: number }>();
  const fullAfterMs = (limits.burst / limits.perSecond) * 1000;
  return {
    tryConsume(key) {
      const usedAt = clock.now();
      const known = buckets.get(key);
      const bucket = known?.bucket ?? createTokenBucket(clock, limits);
      if (known === undefined) buckets.set(key, { bucket, usedAt });
      else known.usedAt = usedAt;
      return bucket.tryConsume();
    },
    sweep() {
      const full = clock.now() - fullAfterMs;
      for (const [key, { usedAt }] of buckets) if (usedAt < full) buckets.delete(key);
    },
  };
}
