/** How many files are sent, or fetched, at once. Those of the company and those of chat share the line. */

/** Files at once. */
const AT_ONCE = 2;

export interface TransferSlots {
  /** @returns false: as many files as may be are under way. Who has one already keeps it */
  occupy(holder: object): boolean;
  /** Idempotent. Then the others learn that one is free. */
  release(holder: object): void;
  /** @returns ends the listening */
  onFree(listener: () => void): () => void;
}

export function createTransferSlots(): TransferSlots {
  const holders = new Set<object>();
  const listeners = new Set<() => void>();
  return {
    occupy(holder) {
      if (holders.has(holder)) return true;
      if (holders.size >= AT_ONCE) return false;
      holders.add(holder);
      return true;
    },
    release(holder) {
      if (!holders.delete(holder)) return;
      for (const listener of listeners) listener();
    },
    onFree(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
