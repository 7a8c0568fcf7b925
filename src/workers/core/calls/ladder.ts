/** Lowers the own picture of a call of two on a weak network and raises it again (shared/domain/picture-ladder, docs/calls.md#weak-network). */
import {
  figuresOf,
  intoWindow,
  judge,
  LADDER,
  type LadderEffect,
  type LadderEventType,
  type LadderPoint,
  ladderStep,
  pointOf,
} from "../../../shared/domain/picture-ladder.ts";
import type { PictureLevel } from "../../../shared/domain/picture-levels.ts";
import type { StreamSample } from "../../../shared/protocol/qoe.ts";

export interface Ladder {
  /** The samples of one poll of the owner. */
  addSamples(samples: readonly StreamSample[]): void;
  /** The call is over. */
  reset(): void;
}

export function createLadder(deps: {
  /** The level that the slice shows; a new core goes on with it. */
  readonly level: () => PictureLevel;
  /** Whether this person sends a picture in a call that is on. */
  readonly sends: () => boolean;
  /** The owner tab sends this picture from now on. */
  readonly apply: (level: PictureLevel) => void;
  /** The level has changed: for the slice and the other side. */
  readonly changed: (level: PictureLevel) => void;
}): Ladder {
  let window: readonly LadderPoint[] = [];
  let wait: number = LADDER.goodMillis;
  let roseAt: number | null = null;
  let verdict: { readonly what: "poor" | "good"; readonly since: number } | null = null;
  let rtcId: string | null = null;

  const forget = (): void => {
    window = [];
    verdict = null;
  };
  const dispatch = (type: LadderEventType, at: number): void => {
    const level = deps.level();
    const sinceRise = roseAt === null ? null : at - roseAt;
    const { to, rule, effects } = ladderStep(level, { sinceRise }, { type });
    if (rule < 0) return;
    // What was measured belongs to the former picture.
    forget();
    const run: Readonly<Record<LadderEffect, () => void>> = {
      apply() {
        deps.changed(to);
        deps.apply(to);
      },
      doubleWait: () => (wait = Math.min(wait * 2, LADDER.mostGoodMillis)),
      resetWait: () => (wait = LADDER.goodMillis),
      noteRise: () => (roseAt = at),
    };
    for (const effect of effects) run[effect]();
  };

  return {
    addSamples(samples) {
      const point = pointOf(samples);
      if (point === null) return;
      // A connection that was rebuilt, or made in another tab, begins with the whole picture.
      if (point.rtcId !== rtcId && deps.level() !== "full") deps.apply(deps.level());
      rtcId = point.rtcId;
      if (!deps.sends()) {
        forget();
        return dispatch("stopped", point.at);
      }
      window = intoWindow(window, point);
      const figures = figuresOf(window);
      const what = figures === null ? null : judge(deps.level(), figures);
      if (what === null) {
        verdict = null;
        return;
      }
      if (verdict?.what !== what) verdict = { what, since: point.at };
      const held = point.at - verdict.since;
      if (held >= (what === "poor" ? LADDER.poorMillis : wait)) dispatch(what, point.at);
    },
    reset() {
      forget();
      wait = LADDER.goodMillis;
      roseAt = null;
      rtcId = null;
    },
  };
}
