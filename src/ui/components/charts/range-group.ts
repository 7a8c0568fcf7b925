/**
 * The one range of several charts. A gesture moves all of them in the next frame without React; who owns the range learns it once the
 * gesture rests.
 */
import { bounded, type RangeLimits, type TimeRange } from "./time-range.ts";

/** ms without a movement after which a gesture of wheel or keys rests. */
const REST_MS = 250;

export interface GroupClock {
  /** Runs it before the next frame is drawn. */
  frame(work: () => void): void;
  /** @returns ends the wait */
  later(work: () => void, ms: number): () => void;
}

export interface GivenRange {
  readonly full: TimeRange;
  /** null: `full` */
  readonly range: TimeRange | null;
  readonly limits: RangeLimits;
  readonly onRange: (range: TimeRange | null) => void;
}

export interface RangeGroup {
  /** Of the cursor that all charts of the group share. */
  readonly key: string;
  shown(): TimeRange;
  limits(): RangeLimits;
  /** @returns ends it */
  listen(onMove: (range: TimeRange) => void): () => void;
  /** What the owner wants shown. A gesture that has not come to rest goes before. */
  give(given: GivenRange): void;
  /** A gesture moves the range; null shows everything. */
  move(range: TimeRange | null): void;
  /** The gesture has come to rest. */
  rest(): void;
}

export function createRangeGroup(key: string, clock: GroupClock, first: GivenRange): RangeGroup {
  const listeners = new Set<(range: TimeRange) => void>();
  let given = first;
  let shown = bounded(first.range ?? first.full, first.limits);
  /** What the owner has not yet learnt; undefined: nothing. */
  let moved: TimeRange | null | undefined;
  let framed = false;
  let stopWaiting: (() => void) | null = null;

  const show = (range: TimeRange): void => {
    if (range.from === shown.from && range.to === shown.to) return;
    shown = range;
    if (framed) return;
    framed = true;
    clock.frame(() => {
      framed = false;
      for (const onMove of listeners) onMove(shown);
    });
  };
  const rest = (): void => {
    stopWaiting?.();
    stopWaiting = null;
    if (moved === undefined) return;
    const range = moved;
    moved = undefined;
    given.onRange(range);
  };

  return {
    key,
    shown: () => shown,
    limits: () => given.limits,
    listen(onMove) {
      listeners.add(onMove);
      return () => listeners.delete(onMove);
    },
    give(next) {
      given = next;
      if (moved === undefined) show(bounded(next.range ?? next.full, next.limits));
    },
    move(range) {
      moved = range;
      show(bounded(range ?? given.full, given.limits));
      stopWaiting?.();
      stopWaiting = clock.later(rest, REST_MS);
    },
    rest,
  };
}
