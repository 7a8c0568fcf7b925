import { expect, it } from "vitest";
import { type Cell, composed, contain, MOST_CELLS } from "./layout.ts";
import { COMPOSED } from "./types.ts";

const inside = ({ x, y, w, h }: Cell): boolean =>
  x >= 0 && y >= 0 && x + w <= COMPOSED.w + 0.01 && y + h <= COMPOSED.h + 0.01;
const overlap = (a: Cell, b: Cell): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

it.each([1, 2, 3, 4, 5, 7, 9, 16, 25, 40])(
  "%i pictures lie inside the canvas, none over another, all of one size",
  (count) => {
    const cells = composed(
      Array.from({ length: count }, () => false),
      COMPOSED,
    );
    expect(cells).toHaveLength(Math.min(count, MOST_CELLS));
    expect(cells.every(inside)).toBe(true);
    const pairs = cells.flatMap((a, i) => cells.slice(i + 1).map((b) => [a, b] as const));
    expect(pairs.filter(([a, b]) => overlap(a, b))).toEqual([]);
    expect(new Set(cells.map(({ w, h }) => `${w} ${h}`)).size).toBe(1);
  },
);

it("A screen is large, and the cameras are beside it", () => {
  const [camera, screen, other] = composed([false, true, false], COMPOSED);
  expect(screen!.w).toBeGreaterThan(0.7 * COMPOSED.w);
  for (const one of [camera!, other!]) {
    expect(one.x).toBeGreaterThan(screen!.x + screen!.w);
    expect(inside(one)).toBe(true);
  }
});

it("A picture is not cut", () => {
  const cell = { x: 10, y: 10, w: 160, h: 90 };
  expect(contain(cell, { w: 90, h: 160 })).toMatchObject({ y: 10, h: 90 });
  expect(contain(cell, { w: 320, h: 90 })).toMatchObject({ x: 10, w: 160, h: 45, y: 32.5 });
});
