import { expect, it } from "vitest";
import { type Scrolling, scrollToTop } from "./scrollToTop.ts";

function atTime(still = false) {
  let now = 0;
  let next: (() => void) | null = null;
  const scrolling: Scrolling = {
    still,
    now: () => now,
    frame: (run) => {
      next = run;
      return 1;
    },
    cancel: () => {
      next = null;
    },
  };
  return {
    scrolling,
    /** Draws the frame at this time. @returns whether one was wanted */
    draw(at: number): boolean {
      now = at;
      const run = next;
      next = null;
      run?.();
      return run !== null;
    },
  };
}

it("A box is at its top after 800 ms, half way after 400 ms, and moves no more", () => {
  const box = { scrollTop: 1000 };
  const { scrolling, draw } = atTime();
  scrollToTop(box, scrolling);
  expect(box.scrollTop).toBe(1000);
  draw(200);
  expect(box.scrollTop).toBe(875);
  draw(400);
  expect(box.scrollTop).toBe(500);
  draw(799);
  expect(box.scrollTop).toBeGreaterThan(0);
  draw(800);
  expect(box.scrollTop).toBe(0);
  expect(draw(816)).toBe(false);
});

it("A person who asks for less motion is at the top at once", () => {
  const box = { scrollTop: 1000 };
  const { scrolling, draw } = atTime(true);
  scrollToTop(box, scrolling);
  expect(box.scrollTop).toBe(0);
  expect(draw(16)).toBe(false);
});

it("A person who scrolls meanwhile is not pulled back, and the caller can end it", () => {
  const box = { scrollTop: 1000 };
  const first = atTime();
  scrollToTop(box, first.scrolling);
  first.draw(200);
  box.scrollTop = 950;
  first.draw(400);
  expect(box.scrollTop).toBe(950);
  expect(first.draw(416)).toBe(false);

  const second = atTime();
  scrollToTop(box, second.scrolling)();
  expect(second.draw(400)).toBe(false);
  expect(box.scrollTop).toBe(950);
});
