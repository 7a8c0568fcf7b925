import { expect, it } from "vitest";
import { pointInPicture } from "./picture-point.ts";

const box = { left: 100, top: 50, width: 400, height: 400 };
const wide = { width: 1600, height: 900 };

it("A point counts in the picture, not in the black bars of its element", () => {
  // The picture is 400 x 225, from 137.5 to 362.5.
  expect(pointInPicture(box, wide, "contain", { x: 300, y: 250 })).toEqual({ x: 0.5, y: 0.5 });
  expect(pointInPicture(box, wide, "contain", { x: 500, y: 362.5 })).toEqual({ x: 1, y: 1 });
  expect(pointInPicture(box, wide, "contain", { x: 300, y: 130 })).toBeNull();
  expect(pointInPicture(box, wide, "contain", { x: 100, y: 250 })).toBeNull();
});

it("A picture that covers its element loses its sides, and one that fills it is stretched", () => {
  const cover = pointInPicture(box, wide, "cover", { x: 500, y: 450 });
  expect(cover?.x).toBeCloseTo(0.78125, 5);
  expect(cover?.y).toBe(1);
  expect(pointInPicture(box, wide, "fill", { x: 200, y: 150 })).toEqual({ x: 0.25, y: 0.25 });
});

it("A picture without a size has no points", () => {
  expect(pointInPicture(box, { width: 0, height: 0 }, "fill", { x: 300, y: 250 })).toBeNull();
});
