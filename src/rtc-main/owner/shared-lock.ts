/** One lock for the call and the conference of a tab: each of them has a share, and both wait for it together. */

interface Held {
  release(): void;
}
type Acquire = (name: string, signal: AbortSignal) => Promise<Held>;

/** @returns the same function, whose lock is free again once every share was released */
export function createSharedLock(acquire: Acquire): Acquire {
  const held = new Map<string, { readonly lock: Held; shares: number }>();
  const waiting = new Map<
    string,
    { readonly lock: Promise<Held>; readonly stop: AbortController; waiters: number }
  >();
  const share = (name: string, lock: Held): Held => {
    const one = held.get(name) ?? { lock, shares: 0 };
    held.set(name, one);
    one.shares += 1;
    let open = true;
    return {
      release() {
        if (!open) return;
        open = false;
        one.shares -= 1;
        if (one.shares > 0) return;
        held.delete(name);
        one.lock.release();
      },
    };
  };
  return async (name, signal) => {
    const known = held.get(name);
    if (known !== undefined) return share(name, known.lock);
    let wait = waiting.get(name);
    if (wait === undefined) {
      const stop = new AbortController();
      wait = { lock: acquire(name, stop.signal), stop, waiters: 0 };
      waiting.set(name, wait);
    }
    const sharedWait = wait;
    const forget = (): void => {
      if (waiting.get(name) === sharedWait) waiting.delete(name);
    };
    sharedWait.waiters += 1;
    signal.addEventListener("abort", () => {
      sharedWait.waiters -= 1;
      if (sharedWait.waiters > 0) return;
      forget();
      sharedWait.stop.abort();
    });
    try {
      return share(name, await sharedWait.lock);
    } finally {
      forget();
    }
  };
}
