/**
 * Decides how often a frame is segmented, and when the machine does not keep up. A person moves little from one frame to the next, so a
 * mask serves several frames where the machine is slow.
 */

/** ms of worker that a frame may take on average. */
export const BUDGET_MS = 8;
/** Most frames that share a mask: at 24 frames a second it is then 170 ms old. */
const MOST_FRAMES = 4;
/** The mean time of a frame above which frames are lost, ms: at 24 frames a second there are 41 between two. */
const LIMIT_MS = 30;
/** Frames above the limit, one after another, after which the machine does not keep up: 3 s. */
const PATIENCE = 72;
/** Frames at the beginning that are not judged, because code is still being compiled. */
const WARM_UP = 24;
/** Weight of the newest measurement in a mean. */
const WEIGHT = 0.1;

export interface Pace {
  /** Whether the next frame needs a new mask. */
  readonly isDue: boolean;
  /** Whether the machine does not keep up. */
  readonly isSlow: boolean;
  /** @param segmentMs null when the frame used the former mask @param restMs what the rest of the frame took */
  spent(segmentMs: number | null, restMs: number): void;
}

export function createPace(): Pace {
  let segment: number | null = null;
  let rest: number | null = null;
  let every = 1;
  let age = MOST_FRAMES;
  let frames = 0;
  let over = 0;
  const mean = (before: number | null, now: number): number =>
    before === null || frames < WARM_UP / 2 ? now : before + (now - before) * WEIGHT;
  return {
    get isDue() {
      return age >= every;
    },
    get isSlow() {
      return over >= PATIENCE;
    },
    spent(segmentMs, restMs) {
      frames += 1;
      age = segmentMs === null ? age + 1 : 1;
      if (segmentMs !== null) segment = mean(segment, segmentMs);
      rest = mean(rest, restMs);
      if (segment === null) return;
      const left = Math.max(BUDGET_MS - rest, 0.1);
      every = Math.min(Math.max(Math.ceil(segment / left), 1), MOST_FRAMES);
      const isOver = frames > WARM_UP && rest + segment / every > LIMIT_MS;
      over = isOver ? over + 1 : 0;
    },
  };
}
