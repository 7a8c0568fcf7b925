/**
 * Caches whether two people may chat for a few seconds, so that a burst of messages causes one query. New friends and colleagues may
 * wait for that time. An end of access empties the cache, so that it holds from the next message on.
 */
import type { Clock, Directory } from "../../../base/module.ts";

const TTL_MS = 5000;
const MAX_ENTRIES = 10_000;

export interface MayTalkCache {
  mayTalk(a: string, b: string): Promise<boolean>;
  forget(): void;
}

export function createMayTalkCache(
  directory: Pick<Directory, "mayTalk">,
  clock: Clock,
): MayTalkCache {
  const known = new Map<string, { until: number; answer: Promise<boolean> }>();
  const mayTalk: MayTalkCache["mayTalk"] = async (a, b) => {
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
      if (known.get(key)?.answer === answer) known.delete(key);
      throw error;
    }
  };
  return { mayTalk, forget: () => known.clear() };
}
