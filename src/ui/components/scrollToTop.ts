/** Scrolls a box to its top, as the pagination control does after a change (docs/session.md#frame). */

/** ms */
export const SCROLL_DURATION = 800;

export interface Scrolling {
  /** Whether the person asks for less motion. */
  readonly still: boolean;
  /** ms */
  readonly now: () => number;
  /** Calls back before the next frame. */
  readonly frame: (run: () => void) => number;
  readonly cancel: (frame: number) => void;
}

const IN_BROWSER: Scrolling = {
  get still() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
  },
  now: () => performance.now(),
  frame: (run) => requestAnimationFrame(run),
  cancel: (frame) => cancelAnimationFrame(frame),
};

/** Slow at both ends. @param part of the time, 0 to 1 */
const eased = (part: number): number =>
  part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) * (1 - part);

/** @returns ends it where it is */
export function scrollToTop(
  box: { scrollTop: number },
  { still, now, frame, cancel }: Scrolling = IN_BROWSER,
): () => void {
  const from = box.scrollTop;
  if (from <= 0) return () => undefined;
  if (still) {
    box.scrollTop = 0;
    return () => undefined;
  }
  const start = now();
  let last = from;
  let waiting = 0;
  const step = (): void => {
    // a person who scrolls meanwhile goes on from there; browsers round what they are given
    if (Math.abs(box.scrollTop - last) > 1) return;
    const part = Math.min(1, (now() - start) / SCROLL_DURATION);
    last = from * (1 - eased(part));
    box.scrollTop = last;
    if (part < 1) waiting = frame(step);
  };
  waiting = frame(step);
  return () => cancel(waiting);
}
