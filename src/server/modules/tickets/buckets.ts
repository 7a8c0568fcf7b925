/** Rate limits per key: a burst at once, then a fixed number per second. */
import type { Clock } from "../../base/module.ts";

export interface Buckets {
  /** Whether one more request is allowed now. If so, counts it. */
  admit(key: string): boolean;
  /** Forgets keys whose bucket is full again. */
  sweep(): void;
}

export function createBuckets(
  clock: Clock,
  limits: { readonly burst: number; readonly perSecond: number },
): Buckets {
  const { burst, perSecond } = limits;
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    admit(key) {
      const now = clock.now();
      const bucket = buckets.get(key) ?? { tokens: burst, at: now };
      const refilled = (Math.max(0, now - bucket.at) / 1000) * perSecond;
      bucket.tokens = Math.min(burst, bucket.tokens + refilled);
      bucket.at = now;
      buckets.set(key, bucket);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
    sweep() {
      const full = clock.now() - (burst / perSecond) * 1000;
      for (const [key, { at }] of buckets) if (at < full) buckets.delete(key);
    },
  };
}
