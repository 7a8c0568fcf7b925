/** Coordinates in the picture, whatever the layout. */
import { expect } from "vitest";
import { rowChecks } from "../row-checks.harness.ts";
import { pictureArea, placeIn, snapTouch } from "./picture-space.ts";

const box = { left: 100, top: 50, width: 800, height: 600 };
const screen = { width: 1920, height: 1080 };

export const checks = rowChecks({
  "control.scale: places are 0 to 10000 of the picture, without the bars of a letterbox, in every layout":
    () => {
      const fits: Record<string, object> = {
        contain: { left: 100, top: 125, width: 800, height: 450 },
        fill: box,
        cover: {
          left: 100 - (600 * (16 / 9) - 800) / 2,
          top: 50,
          width: 600 * (16 / 9),
          height: 600,
        },
        none: { left: 100 - 560, top: 50 - 240, width: 1920, height: 1080 },
        "scale-down": { left: 100, top: 125, width: 800, height: 450 },
      };
      for (const [fit, area] of Object.entries(fits)) {
        const found = pictureArea(box, screen, fit);
        for (const [side, value] of Object.entries(area)) {
          expect(found?.[side as "left"], `${fit} ${side}`).toBeCloseTo(value as number, 6);
        }
      }
      const area = pictureArea(box, screen, "contain")!;
      expect(placeIn(area, { x: 100, y: 125 })).toEqual({ x: 0, y: 0 });
      expect(placeIn(area, { x: 900, y: 575 })).toEqual({ x: 10_000, y: 10_000 });
      expect(placeIn(area, { x: 500, y: 350 })).toEqual({ x: 5000, y: 5000 });
      expect(placeIn(area, { x: 333, y: 201 })).toEqual({ x: 2913, y: 1689 });
      // Bars beside the picture, as on a narrow telephone.
      const tall = pictureArea(box, { width: 390, height: 844 }, "contain")!;
      expect(tall.left).toBeCloseTo(500 - (600 * 390) / 844 / 2, 6);
      expect(placeIn(tall, { x: 500, y: 50 })).toEqual({ x: 5000, y: 0 });
    },
  "control.outside: the bars mean no place, except while a button is held: then the edge": () => {
    const area = pictureArea(box, screen, "contain")!;
    expect(placeIn(area, { x: 500, y: 60 })).toBeNull();
    expect(placeIn(area, { x: 500, y: 60 }, true)).toEqual({ x: 5000, y: 0 });
    expect(placeIn(area, { x: 9000, y: 900 }, true)).toEqual({ x: 10_000, y: 10_000 });
    expect(pictureArea(box, { width: 0, height: 0 }, "contain")).toBeNull();
  },
  "control.touch: a second touch within 20 pixels and 500 ms means the place of the first": () => {
    const first = { x: 10, y: 10, at: 1000 };
    const at = (x: number, ms: number, ratio = 1) =>
      snapTouch(first, { x, y: 10, at: 1000 + ms }, ratio).x;
    expect([at(29, 500), at(30, 500), at(29, 501)]).toEqual([10, 30, 29]);
    expect([at(49, 100, 2), at(50, 100, 2)]).toEqual([10, 50]);
    expect(snapTouch(null, first, 1)).toBe(first);
  },
});
