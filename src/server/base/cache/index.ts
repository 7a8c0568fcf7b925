/**
 * A cache per company for data that is read often and changed rarely. A write clears it in this process immediately and in the
 * others by the bus. When messages of the bus may have been lost, all is cleared; the time limit covers changes made outside the servers.
 */
import { AGAIN } from "../cluster/bus.ts";
import type { Bus, Clock } from "../module.ts";

/** Milliseconds. */
export const CACHE_TTL = 30_000;
/** Most companies in the cache. The least recently read is dropped first. */
const CACHE_SIZE = 500;

export interface CompanyCache<T> {
  /** @param companyId null: only the platform's data */
  get(companyId: string | null): Promise<T>;
  /** Resolves when this process has cleared the company. The other processes follow. */
  forget(companyId: string): Promise<void>;
  close(): void;
}

/** @param topic a bus topic that only this cache uses */
export function createCompanyCache<T>(
  deps: { readonly bus: Bus; readonly clock: Clock },
  topic: string,
  load: (companyId: string | null) => Promise<T>,
): CompanyCache<T> {
  const kept = new Map<string | null, { readonly value: Promise<T>; readonly until: number }>();
  const close = deps.bus.subscribe(topic, (message) => {
    if (typeof message === "string") kept.delete(message);
  });
  const closeAgain = deps.bus.subscribe(AGAIN, () => kept.clear());
  return {
    get(companyId) {
      const now = deps.clock.now();
      const found = kept.get(companyId);
      kept.delete(companyId);
      if (found !== undefined && found.until > now) {
        kept.set(companyId, found);
        return found.value;
      }
      // Cache the promise, not its value. So parallel readers load once, and a write also discards a load that started before it.
      const entry = { value: load(companyId), until: now + CACHE_TTL };
      kept.set(companyId, entry);
      entry.value.catch(() => {
        if (kept.get(companyId) === entry) kept.delete(companyId);
      });
      const oldest = kept.keys().next();
      if (kept.size > CACHE_SIZE && oldest.done !== true) kept.delete(oldest.value);
      return entry.value;
    },
    async forget(companyId) {
      kept.delete(companyId);
      await deps.bus.publish(topic, companyId);
    },
    close() {
      close();
      closeAgain();
      kept.clear();
    },
  };
}
