/** One at a time, for browsers that lose a subscription when several are negotiated at once (Safari, docs/conferences.md#subscribing). */
import type { MediaClock, MediaTimer } from "../deps.ts";

/** ms after which the next one goes, whatever became of this one. */
export const TURN_MS = 10_000;

export interface Turns {
  /** Runs when those before are done. The same id again takes the place of its first. */
  take(id: string, run: () => void): void;
  /** Connected, failed or given up. */
  done(id: string): void;
  close(): void;
}

/** @param serial false: everything runs at once */
export function createTurns(clock: MediaClock, serial: boolean): Turns {
  const waiting = new Map<string, () => void>();
  let current: { id: string; timer: MediaTimer } | null = null;
  const next = (): void => {
    if (current !== null) return;
    const first = waiting.entries().next().value;
    if (first === undefined) return;
    const [id, run] = first;
    waiting.delete(id);
    current = { id, timer: clock.after(TURN_MS, () => turns.done(id)) };
    run();
  };
  const turns: Turns = {
    take(id, run) {
      // what is under way is negotiated further without a turn
      if (!serial || current?.id === id) return run();
      waiting.set(id, run);
      next();
    },
    done(id) {
      waiting.delete(id);
      if (current?.id !== id) return;
      current.timer.cancel();
      current = null;
      next();
    },
    close() {
      waiting.clear();
      current?.timer.cancel();
      current = null;
    },
  };
  return turns;
}
