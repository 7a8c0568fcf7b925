/**
 * What is read often and written rarely, kept a while for each company. A write forgets it in this process at once and in the
 * others by the bus; the time limit is for what the bus lost, and for changes that no server made.
 */
import type { Bus, Clock } from "../module.ts";

/** ms */
export const CACHE_TTL = 30_000;
/** Companies that are kept; the one asked for longest ago goes first. */
const CACHE_SIZE = 500;

export interface CompanyCache<T> {
  /** @param companyId null: what is the platform's alone */
  get(companyId: string | null): Promise<T>;
  /** Resolves when this process has forgotten; the others follow. */
  forget(companyId: string): Promise<void>;
  close(): void;
}

/** @param topic on the bus, of this cache alone */
export function createCompanyCache<T>(
  deps: { readonly bus: Bus; readonly clock: Clock },
  topic: string,
  load: (companyId: string | null) => Promise<T>,
): CompanyCache<T> {
  const kept = new Map<string | null, { readonly value: Promise<T>; readonly until: number }>();
  const close = deps.bus.subscribe(topic, (message) => {
    if (typeof message === "string") kept.delete(message);
  });
  return {
    get(companyId) {
      const now = deps.clock.now();
      const found = kept.get(companyId);
      kept.delete(companyId);
      if (found !== undefined && found.until > now) {
        kept.set(companyId, found);
        return found.value;
      }
      // the promise is kept, not its value: many who ask at once load once, and a load that began before a write is forgotten with it
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
      kept.clear();
    },
  };
}
