/** What a finger that moves over a message means. Pure. */

/** px that answer the message when the finger leaves. */
export const SWIPE_ANSWERS = 64;
/** px that a message follows the finger at most. */
const FARTHEST = 88;
/** px of a movement whose direction counts. */
const DIRECTION = 10;

export type Swipe =
  /** Too short to know. */
  | "wait"
  /** The finger goes another way: this touch answers nothing any more. */
  | "lost"
  /** px that the message has moved. */
  | number;

/** @param begun whether the message follows the finger already */
export function swipeOf(dx: number, dy: number, begun: boolean): Swipe {
  if (begun) return Math.min(FARTHEST, Math.max(0, dx));
  if (Math.hypot(dx, dy) < DIRECTION) return "wait";
  return dx > 2 * Math.abs(dy) ? Math.min(FARTHEST, dx) : "lost";
}
