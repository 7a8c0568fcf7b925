/** Rows that one side adds in batches and the other side pulls one by one. */

export interface RowQueue<T> extends AsyncIterable<T> {
  /** Resolves when the rows were pulled, so that they do not pile up. */
  add(rows: readonly T[]): Promise<void>;
  /** Ends the rows after those that were added. */
  close(): void;
}

export function createRowQueue<T>(): RowQueue<T> {
  let batch: readonly T[] = [];
  let closed = false;
  let pulled: (() => void) | null = null;
  let added: (() => void) | null = null;
  return {
    add(rows) {
      return new Promise((resolve) => {
        batch = rows;
        pulled = resolve;
        added?.();
      });
    },
    close() {
      closed = true;
      added?.();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const rows = batch;
        batch = [];
        yield* rows;
        pulled?.();
        pulled = null;
        if (batch.length > 0) continue;
        if (closed) return;
        await new Promise<void>((resolve) => {
          added = resolve;
        });
        added = null;
      }
    },
  };
}
