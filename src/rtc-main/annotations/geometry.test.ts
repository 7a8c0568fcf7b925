/** Points of the picture in elements of any form, and back. */
import { describe, expect, it } from "vitest";
import type { Mark } from "../../shared/domain/annotations.ts";
import { fromPicture, pictureBox, toPicture } from "./geometry.ts";
import { touches } from "./paint.ts";

const PICTURE = { width: 640, height: 480 };

describe("The place of a picture in its element", () => {
  it.each([
    ["contain", { width: 1000, height: 480 }, { left: 180, top: 0, width: 640, height: 480 }],
    ["cover", { width: 640, height: 240 }, { left: 0, top: -120, width: 640, height: 480 }],
    ["none", { width: 640, height: 480 }, { left: 0, top: 0, width: 640, height: 480 }],
    ["fill", { width: 100, height: 200 }, { left: 0, top: 0, width: 100, height: 200 }],
  ])("with object-fit %s", (fit, element, expected) => {
    expect(pictureBox(PICTURE, element, fit, false)).toEqual({ ...expected, mirrored: false });
  });

  it("is unknown before the first frame", () => {
    expect(pictureBox({ width: 0, height: 0 }, PICTURE, "cover", false)).toBeNull();
  });

  it.each(["contain", "cover", "none", "fill"])(
    "gives back the same point with object-fit %s, mirrored or not, at any size",
    (fit) => {
      for (const mirrored of [false, true]) {
        for (const element of [
          PICTURE,
          { width: 390, height: 700 },
          { width: 1333, height: 211 },
        ]) {
          const box = pictureBox(PICTURE, element, fit, mirrored)!;
          for (const [x, y] of [
            [0, 0],
            [10_000, 10_000],
            [2500, 7500],
          ] as const) {
            expect(toPicture(box, ...fromPicture(box, x, y))).toEqual([x, y]);
          }
        }
      }
    },
  );

  it("is on the other side when it is mirrored, and what lies outside comes to the edge", () => {
    const box = pictureBox(PICTURE, { width: 1000, height: 480 }, "contain", true)!;
    expect(fromPicture(box, 0, 0)).toEqual([820, 0]);
    expect(toPicture(box, 0, -50)).toEqual([10_000, 0]);
  });
});

describe("The eraser touches", () => {
  const box = pictureBox(
    { width: 1000, height: 1000 },
    { width: 1000, height: 1000 },
    "fill",
    false,
  )!;
  const mark = (tool: Mark["tool"], points: number[], text = ""): Mark => ({
    id: "a",
    by: "ann",
    tool,
    colour: "#ff3b30",
    size: 20,
    points,
    text,
  });
  it.each([
    ["a line beside its middle", mark("line", [0, 0, 10_000, 10_000]), 505, 495, true],
    ["no line from afar", mark("line", [0, 0, 10_000, 10_000]), 600, 400, false],
    ["the edge of a rectangle", mark("rectangle", [1000, 1000, 9000, 9000]), 500, 100, true],
    ["not the inside of a rectangle", mark("rectangle", [1000, 1000, 9000, 9000]), 500, 500, false],
    ["the edge of an ellipse", mark("ellipse", [1000, 1000, 9000, 9000]), 900, 500, true],
    [
      "not the corner around an ellipse",
      mark("ellipse", [1000, 1000, 9000, 9000]),
      110,
      110,
      false,
    ],
    ["a dot of the pen", mark("pen", [5000, 5000]), 504, 500, true],
    ["a text", mark("text", [1000, 1000], "ab"), 110, 108, true],
    ["not beside a text", mark("text", [1000, 1000], "ab"), 400, 108, false],
  ])("%s", (_, one, x, y, expected) => {
    expect(touches(one, box, x, y, 8)).toBe(expected);
  });
});
