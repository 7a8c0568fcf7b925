/** Counts open resources, so that a test can show that all of them are closed. */
export type Counted =
  | "tracks"
  | "peers"
  | "listeners"
  | "elements"
  | "timers"
  | "locks"
  | "workers";
export type DebugCounts = Record<Counted, number>;

export interface Tally {
  /** Counts one resource. @returns an idempotent function that uncounts it */
  open(kind: Counted): () => void;
  /** Calls addEventListener and counts the listener. @returns a function that removes it; call it once */
  listen(
    target: Pick<EventTarget, "addEventListener" | "removeEventListener">,
    type: string,
    handler: (event: Event) => void,
  ): () => void;
  read(): DebugCounts;
}

export function createTally(): Tally {
  const counts: DebugCounts = {
    tracks: 0,
    peers: 0,
    listeners: 0,
    elements: 0,
    timers: 0,
    locks: 0,
    workers: 0,
  };
  const open = (kind: Counted): (() => void) => {
    counts[kind] += 1;
    let done = false;
    return () => {
      if (done) return;
      done = true;
      counts[kind] -= 1;
    };
  };
  return {
    open,
    listen(target, type, handler) {
      const close = open("listeners");
      target.addEventListener(type, handler);
      return () => {
        target.removeEventListener(type, handler);
        close();
      };
    },
    read: () => ({ ...counts }),
  };
}
