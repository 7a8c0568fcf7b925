import { expect, it } from "vitest";
import { keptInside, stepOf } from "./keep-inside.ts";

const home = { left: 320, top: 100, width: 640, height: 400 };
const area = { width: 1280, height: 720 };

it("A dialog goes where it is dragged while all of it is in the window", () => {
  expect(keptInside({ x: 100, y: -50 }, home, area)).toEqual({ x: 100, y: -50 });
});

it("A dialog stops at each edge of the window", () => {
  expect(keptInside({ x: -9999, y: -9999 }, home, area)).toEqual({ x: -320, y: -100 });
  expect(keptInside({ x: 9999, y: 9999 }, home, area)).toEqual({ x: 320, y: 220 });
});

it("A dialog comes back when the window becomes smaller", () => {
  expect(keptInside({ x: 320, y: 220 }, home, { width: 1000, height: 500 })).toEqual({
    x: 40,
    y: 0,
  });
});

it("The title of a dialog that is larger than the window stays in sight", () => {
  const large = { left: 8, top: 20, width: 374, height: 900 };
  expect(keptInside({ x: 500, y: -500 }, large, { width: 390, height: 700 })).toEqual({
    x: 8,
    y: -20,
  });
});

it("Arrow keys move by 10 px and with Shift by 50; other keys do not", () => {
  expect(stepOf("ArrowRight", false)).toEqual({ x: 10, y: 0 });
  expect(stepOf("ArrowUp", true)).toEqual({ x: 0, y: -50 });
  expect(stepOf("Enter", false)).toBeNull();
});
