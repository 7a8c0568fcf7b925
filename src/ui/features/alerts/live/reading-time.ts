/**
 * How long the notice of an alert stays. It covers part of the page, so it closes after a time in which a person can read it. The time runs
 * while the tab is visible, and a notice under the pointer or with the focus does not close. The count in the header remains.
 */

/** ms that a notice stays in a visible tab. */
export const READING_MS = 15_000;
/** ms after which a notice that the person is at is looked at again. */
const HELD_MS = 3000;

export interface ReadingTime {
  begin(id: string): void;
  /** The notice is gone. */
  end(id: string): void;
  /** Ends all. */
  stop(): void;
}

export function createReadingTime(deps: {
  readonly after: (ms: number, run: () => void) => () => void;
  readonly isVisible: () => boolean;
  /** @returns a function that ends the calls */
  readonly onVisibility: (changed: () => void) => () => void;
  /** Whether pointer or focus is at a notice. */
  readonly isHeld: () => boolean;
  readonly onRead: (id: string) => void;
}): ReadingTime {
  /** By notice, what cancels its timer; null while the tab is hidden. */
  const standing = new Map<string, (() => void) | null>();
  const wait = (id: string, ms: number): void => {
    const cancel = deps.after(ms, () => {
      if (deps.isHeld()) return wait(id, HELD_MS);
      standing.delete(id);
      deps.onRead(id);
    });
    standing.set(id, cancel);
  };
  const begin = (id: string): void => {
    standing.get(id)?.();
    if (deps.isVisible()) wait(id, READING_MS);
    else standing.set(id, null);
  };
  const leaveVisibility = deps.onVisibility(() => {
    for (const id of standing.keys()) begin(id);
  });
  return {
    begin,
    end(id) {
      standing.get(id)?.();
      standing.delete(id);
    },
    stop() {
      leaveVisibility();
      for (const cancel of standing.values()) cancel?.();
      standing.clear();
    },
  };
}
