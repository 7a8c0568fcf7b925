/** Keeps receipts and recalls that arrive before their message (docs/chat.md#receipts), up to a limit. */

/** Messages for which something is kept. */
const KEPT = 200;

export interface Early {
  /** Runs `run` with the message's key once the message arrives; several for one message run in order. */
  keep(about: string, run: (id: string) => void): void;
  /** The message has arrived under this key: runs what was kept for it. */
  settle(about: string, id: string): void;
  clear(): void;
}

export function createEarly(): Early {
  const waiting = new Map<string, ((id: string) => void)[]>();
  return {
    keep(about, run) {
      waiting.set(about, [...(waiting.get(about) ?? []).slice(-9), run]);
      const oldest = waiting.keys().next();
      if (waiting.size > KEPT && oldest.done !== true) waiting.delete(oldest.value);
    },
    settle(about, id) {
      const runs = waiting.get(about) ?? [];
      waiting.delete(about);
      for (const run of runs) run(id);
    },
    clear: () => waiting.clear(),
  };
}
