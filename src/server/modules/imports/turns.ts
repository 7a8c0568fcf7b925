/**
 * The turns of chunks at the embedded database (docs/import.md#gate). It has one connection, and this thread both serves that
 * connection and prepares the next chunks.
 */
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The connection must be unused for this time before the next chunk begins, ms. A request asks its queries one after the other with
 * less time between them, so it waits for one chunk at most.
 */
const QUIET = 2;
/**
 * Longest pause between two chunks, ms, and as a share of the time that the chunk before took. A fixed pause alone would be too short on a
 * machine that is slow just now: a request would wait for a chunk before each of its queries.
 */
const BREATH = 60;
const SHARE = 1;

interface Time {
  /** ms from any beginning. */
  now(): number;
  sleep(ms: number): Promise<unknown>;
}
const REAL: Time = { now: () => performance.now(), sleep };

export interface Turns {
  /**
   * Runs one chunk after the other.
   *
   * @param work calls `onRows` when its rows are on their way to the database, which then is busy for longer
   */
  runInTurn<R>(work: (onRows: () => void) => Promise<R>): Promise<R>;
  /**
   * Resolves when the chunk whose turn it is does not need this thread: its rows are on their way, its turn ended, or there is none.
   * Work done earlier would delay the short queries of that chunk.
   */
  lull(): Promise<void>;
}

/** @param isBusy whether a query would wait for the connection */
export function createTurns(isBusy: () => boolean, time: Time = REAL): Turns {
  /** Lets the requests pass that wait for the connection, and those that follow from their answers. @param took ms of the chunk before */
  async function breath(took: number): Promise<void> {
    const end = time.now() + Math.max(BREATH, SHARE * took);
    for (let quiet = 0; quiet < QUIET && time.now() < end; quiet += 1) {
      await time.sleep(1);
      if (isBusy()) quiet = -1;
    }
  }
  let last: Promise<unknown> = Promise.resolve();
  let lull: Promise<void> = Promise.resolve();
  return {
    runInTurn(work) {
      let began = 0;
      const turn = last.then(async () => {
        began = time.now();
        let begin: () => void = () => undefined;
        lull = new Promise((resolve) => {
          begin = resolve;
        });
        try {
          // The driver sends the rows within this turn of the event loop.
          return await work(() => setImmediate(begin));
        } finally {
          begin();
        }
      });
      last = turn.catch(() => undefined).then(() => breath(time.now() - began));
      return turn;
    },
    lull: () => lull,
  };
}

/** For a database with many connections: every chunk has its turn at once. */
export const ANY_TURN: Turns = {
  runInTurn: (work) => work(() => undefined),
  lull: () => Promise.resolve(),
};
