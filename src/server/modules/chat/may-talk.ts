/**
 * Caches whether two people may chat for a few seconds, so that a burst of messages causes one query. A change takes effect after
 * that time.
 */
import type { Clock, Directory } from "../../base/module.ts";

const TTL_MS = 5000;
const MAX_ENTRIES = 10_000;

export function createMayTalkCache(
  directory: Pick<Directory, "mayTalk">,
  clock: Clock,
): (a: string, b: string) => Promise<boolean> {
  const known = new Map<string, { until: number; answer: Promise<boolean> }>();
  return async (a, b) => {
    const key = a < b ? `${a}|${b}` : `${b}|${a}`;
    const now = clock.now();
    const entry = known.get(key);
    if (entry !== undefined && entry.until > now) return await entry.answer;
    if (known.size >= MAX_ENTRIES) known.clear();
    const answer = directory.mayTalk(a, b);
    known.set(key, { until: now + TTL_MS, answer });
    try {
      return await answer;
    } catch (error) {
      known.delete(key);
      throw error;
    }
  };
}
