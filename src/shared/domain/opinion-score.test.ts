/** The models against values that others published, and against the table of docs/calls.md#opinion-scores. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  delayImpairment,
  E_MODEL,
  lossImpairment,
  opinionOf,
  PICTURE_MODEL,
  type PictureFigures,
  pictureScore,
  soundRating,
  soundScore,
} from "./opinion-score.ts";

describe("the opinion of a rating", () => {
  // ITU-T G.107, table B.1.
  it.each([
    [90, 4.34],
    [80, 4.03],
    [70, 3.6],
    [60, 3.1],
    [50, 2.58],
    [93.2, 4.41],
    [0, 1],
    [100, 4.5],
    [120, 4.5],
    [-5, 1],
  ])("R %d is a MOS of %d, within 0.01", (rating, mos) => {
    expect(Math.abs(opinionOf(rating) - mos)).toBeLessThanOrEqual(0.01);
  });
});

describe("delay and loss", () => {
  // G.107, equations 7-27 and 7-28, whose curve stands in G.114, figure 1: R with no other fault.
  it.each([
    [0, 93.2],
    [100, 93.2],
    [150, 93.0],
    [200, 90.2],
    [300, 78.4],
    [400, 69.1],
  ])("%d ms from mouth to ear leave R %d, within 0.2", (millis, rating) => {
    expect(Math.abs(E_MODEL.best - delayImpairment(millis) - rating)).toBeLessThanOrEqual(0.2);
  });
  // Ie,eff = Ie + (95 - Ie) * Ppl / (Ppl / BurstR + Bpl), by hand.
  it.each([
    [0, 0],
    [1, 4.52],
    [5, 19],
    [10, 31.67],
    [20, 47.5],
  ])("%d %% of loss cost %d, within 0.01", (percent, cost) => {
    expect(Math.abs(lossImpairment(percent) - cost)).toBeLessThanOrEqual(0.01);
  });
  it("Losses in bursts cost more than those by chance", () => {
    expect(lossImpairment(5, 2)).toBeGreaterThan(lossImpairment(5));
  });
  it("Half of the round trip, the buffer and a frame make the delay; an unknown buffer is 40 ms or twice the jitter", () => {
    const figures = { rtt: 100, jitter: 5, buffer: 30, loss: 0 };
    expect(soundRating(figures)).toBe(E_MODEL.best - delayImpairment(100));
    expect(soundRating({ ...figures, rtt: 300, buffer: null })).toBe(
      E_MODEL.best - delayImpairment(210),
    );
    expect(soundRating({ ...figures, rtt: 300, buffer: null, jitter: 60 })).toBe(
      E_MODEL.best - delayImpairment(290),
    );
    expect(soundScore({ rtt: null, jitter: null, buffer: null, loss: 100 })).toBeLessThan(1.3);
  });
});

const PICTURE: PictureFigures = {
  kbps: 800,
  fps: 20,
  expectedFps: 20,
  width: 640,
  height: 360,
  expectedPixels: null,
  frozen: 0,
  rtt: 0,
  buffer: 0,
  qp: null,
  codec: "VP8",
  screen: false,
};
const picture = (more: Partial<PictureFigures> = {}): number =>
  pictureScore({ ...PICTURE, ...more });

describe("a picture", () => {
  it("Bits for each pixel of a frame, frames and delay count as in the model it is made of", () => {
    expect(picture()).toBeCloseTo(5.36 + 0.56 * Math.log(800_000 / 230_400 / 20), 10);
    expect(picture({ fps: 10 })).toBeCloseTo(
      5.36 + 0.56 * Math.log(800_000 / 230_400 / 10) - 1.9 * Math.log(2),
      10,
    );
    expect(picture() - picture({ rtt: 400, buffer: 100 })).toBeCloseTo(0.6, 10);
  });
  it("It falls with bits, frames, size, freezes and delay, one after the other", () => {
    const falling = [
      [{}, { kbps: 300 }, { kbps: 100 }, { kbps: 30 }],
      [{}, { fps: 12 }, { fps: 8 }, { fps: 0 }],
      [{}, { frozen: 0.2 }, { frozen: 0.5 }, { frozen: 1 }],
      [{}, { rtt: 300 }, { rtt: 900 }],
      // The bits of a smaller picture are spread over the place in which it is shown.
      [{}, { width: 284, height: 160, kbps: 80, fps: 12 }, { width: 142, height: 80, kbps: 20 }],
    ];
    for (const row of falling) {
      const scores = row.map((more) => picture(more));
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(new Set(scores).size).toBe(scores.length);
    }
  });
  it("A still picture whose quantizer is low has all it needs; a small one in a large place does not", () => {
    const still = { kbps: 60, qp: 12 };
    expect(picture(still)).toBe(PICTURE_MODEL.clear.score);
    expect(picture({ ...still, codec: null })).toBeLessThan(3.5);
    expect(picture({ ...still, width: 284, height: 160 })).toBeLessThan(3.5);
  });
  it("A shared screen may stand still, and not freeze", () => {
    const screen = { screen: true, fps: 0, kbps: 0 };
    expect(picture(screen)).toBe(4.5);
    expect(picture({ ...screen, frozen: 0.5 })).toBe(2.5);
  });
  it("It stays between 1 and 5", () => {
    expect(picture({ kbps: 50_000 })).toBe(5);
    expect(picture({ kbps: 1, fps: 1, rtt: 3000 })).toBe(1);
    expect(picture({ kbps: 0 })).toBe(1);
    // A camera that gives nothing, in a browser that does not say what it sends.
    expect(picture({ fps: null, expectedFps: 0 })).toBe(1);
    expect(picture({ width: null, height: null, expectedPixels: 0 })).toBe(5);
  });
});

describe("the table of the document", () => {
  const text = readFileSync(new URL("../../../docs/calls.md", import.meta.url), "utf8");
  const rows = [
    ...text.matchAll(/^\| sound\s+\| (\d+) ms, (\d+) %\s+\| ([\d.]+)\s+\| ([\d.]+)\s+\|$/gm),
  ];
  it("has the R and MOS of sound that the model gives, within 0.1 and 0.01", () => {
    expect(rows).toHaveLength(12);
    for (const [, delay, loss, rating, mos] of rows) {
      const r = E_MODEL.best - delayImpairment(Number(delay)) - lossImpairment(Number(loss));
      expect(Math.abs(r - Number(rating))).toBeLessThanOrEqual(0.1);
      expect(Math.abs(opinionOf(r) - Number(mos))).toBeLessThanOrEqual(0.01);
    }
  });
  it("has the MOS of pictures that the model gives, within 0.01", () => {
    const pictures = [
      ...text.matchAll(
        /^\| picture\s+\| (\d+)x(\d+), (\d+) kbit\/s, (\d+) of (\d+) frames\s+\|\s+\| ([\d.]+)\s+\|$/gm,
      ),
    ];
    expect(pictures).toHaveLength(6);
    for (const [, width, height, kbps, fps, expectedFps, mos] of pictures) {
      const [w, h, k, f, e] = [width, height, kbps, fps, expectedFps].map(Number);
      const score = picture({
        width: w!,
        height: h!,
        kbps: k!,
        fps: f!,
        expectedFps: e!,
        expectedPixels: 640 * 360,
      });
      expect(Math.abs(score - Number(mos))).toBeLessThanOrEqual(0.01);
    }
  });
});
