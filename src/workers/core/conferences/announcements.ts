/** Notifies watchers of a change, once for all changes of one step. */
export interface Announcements {
  /** Something changed. */
  announce(): void;
  /** @returns a function that removes the handler */
  watch(handler: () => void): () => void;
  stop(): void;
}

export function createAnnouncements(): Announcements {
  const watchers = new Set<() => void>();
  let announced = false;
  return {
    announce() {
      if (announced || watchers.size === 0) return;
      announced = true;
      // Watchers may give commands, which must not arrive in the middle of a change.
      queueMicrotask(() => {
        announced = false;
        for (const watcher of watchers) watcher();
      });
    },
    watch(handler) {
      watchers.add(handler);
      return () => watchers.delete(handler);
    },
    stop: () => watchers.clear(),
  };
}
