/** How often somebody may ask: a burst at once, then so many a second. */
import type { Clock } from "../module.ts";

export interface Buckets {
  /** Whether one more may be asked now; counts it then. */
  admit(key: string): boolean;
  /** Forgets those that are full again. */
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
