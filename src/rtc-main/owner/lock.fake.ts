/** A fake of the Web Lock of the media owner. */

/** A lock with one holder at a time. */
export class FakeLock {
  holders = 0;
  #queue: (() => void)[] = [];
  acquire(_name: string, signal: AbortSignal): Promise<{ release(): void }> {
    return new Promise((resolve, reject) => {
      const grant = (): void => {
        this.holders += 1;
        let held = true;
        resolve({
          release: () => {
            if (!held) return;
            held = false;
            this.holders -= 1;
            this.#queue.shift()?.();
          },
        });
      };
      if (this.holders === 0) return grant();
      this.#queue.push(grant);
      signal.addEventListener("abort", () => {
        this.#queue = this.#queue.filter((each) => each !== grant);
        reject(new Error("aborted"));
      });
    });
  }
}
