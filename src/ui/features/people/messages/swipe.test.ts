/** Which movements of a finger answer a message. */
import { expect, it } from "vitest";
import { SWIPE_ANSWERS, swipeOf } from "./swipe.ts";

it("A short movement waits, one to the right moves the message, and any other is lost", () => {
  expect(swipeOf(6, 2, false)).toBe("wait");
  expect(swipeOf(12, 3, false)).toBe(12);
  expect(swipeOf(-30, 0, false)).toBe("lost");
  expect(swipeOf(4, 30, false)).toBe("lost");
  expect(swipeOf(20, 12, false), "a slanting movement scrolls").toBe("lost");
});

it("A message that follows the finger keeps within its bounds, and goes back without an answer", () => {
  expect(swipeOf(70, 40, true)).toBe(70);
  expect(swipeOf(70, 40, true)).toBeGreaterThanOrEqual(SWIPE_ANSWERS);
  expect(swipeOf(400, 0, true)).toBe(88);
  expect(swipeOf(-20, 0, true)).toBe(0);
});
