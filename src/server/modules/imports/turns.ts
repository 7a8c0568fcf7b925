/**
 * The turns of chunks at the database (docs/import.md#gate). The embedded database has one connection, and this thread both serves that
 * connection and prepares the next chunks. A database with many connections writes several chunks at once, unless people wait.
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
const restAfter = (took: number): number => Math.max(BREATH, SHARE * took);
/** ms after which a chunk that is held looks again whether people still wait. */
const LOOK_AGAIN = 5;

interface Time {
  /** ms from any beginning. */
  now(): number;
  sleep(ms: number): Promise<unknown>;
}
const REAL: Time = { now: () => performance.now(), sleep };

export interface Turns {
  /**
   * Waits until the server has time for another chunk, before its body is read.
   *
   * @returns an idempotent function to call when the chunk is answered
   */
  enter(): Promise<() => void>;
  /**
   * Runs a chunk when it has its turn.
   *
   * @param work calls `onRows` when its rows are on their way to the database, which then is busy for longer
   */
  runInTurn<R>(work: (onRows: () => void) => Promise<R>): Promise<R>;
}

/**
 * Runs one chunk after the other. Another chunk enters when the one whose turn it is does not need this thread: its rows are on their way,
 * its turn ended, or there is none. Work done earlier would delay the short queries of that chunk.
 *
 * @param isBusy whether a query would wait for the connection, or people wait for the server
 */
export function createTurns(isBusy: () => boolean, time: Time = REAL): Turns {
  /** Lets the requests pass that wait for the connection, and those that follow from their answers. @param took ms of the chunk before */
  async function breath(took: number): Promise<void> {
    const end = time.now() + restAfter(took);
    for (let quiet = 0; quiet < QUIET && time.now() < end; quiet += 1) {
      await time.sleep(1);
      if (isBusy()) quiet = -1;
    }
  }
  let last: Promise<unknown> = Promise.resolve();
  let lull: Promise<void> = Promise.resolve();
  return {
    enter: () => lull.then(() => () => undefined),
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
  };
}

/**
 * For a database with many connections: every chunk has its turn at once. While people wait, one chunk is worked on at a time, and the next
 * one enters as long after it as it took, so that an import leaves them at least half of a machine that has no more.
 *
 * @param doPeopleWait whether requests of people are answered slowly
 */
export function createOpenTurns(doPeopleWait: () => boolean, time: Time = REAL): Turns {
  let working = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let last: Promise<unknown> = Promise.resolve();
  const isHeld = (): boolean => doPeopleWait() && (working > 0 || time.now() < restsUntil);
  return {
    enter() {
      const entered = last.then(async () => {
        while (isHeld()) await time.sleep(LOOK_AGAIN);
        working += 1;
        const began = time.now();
        let left = false;
        return () => {
          if (left) return;
          left = true;
          working -= 1;
          restsUntil = time.now() + restAfter(time.now() - began);
        };
      });
      last = entered;
      return entered;
    },
    runInTurn: (work) => work(() => undefined),
  };
}
