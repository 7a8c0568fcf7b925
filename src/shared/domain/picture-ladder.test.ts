/** The table of the picture's levels, and the figures that move it. */
import { describe, expect, it } from "vitest";
import type { StreamSample } from "../protocol/qoe.ts";
import {
  figuresOf,
  intoWindow,
  judge,
  LADDER,
  type LadderPoint,
  ladderStep,
  pointOf,
} from "./picture-ladder.ts";

const quiet = { sinceRise: null };

describe("the table", () => {
  it.each([
    ["full", "poor", null, "small", ["apply", "resetWait"]],
    ["full", "poor", 19_999, "small", ["apply", "doubleWait"]],
    ["full", "poor", 20_000, "small", ["apply", "resetWait"]],
    ["small", "poor", null, "off", ["apply", "resetWait"]],
    ["small", "poor", 100, "off", ["apply", "doubleWait"]],
    ["off", "good", null, "small", ["apply", "noteRise"]],
    ["small", "good", null, "full", ["apply", "noteRise"]],
    ["small", "stopped", null, "full", ["apply", "resetWait"]],
    ["off", "stopped", null, "full", ["apply", "resetWait"]],
    ["full", "good", null, "full", []],
    ["full", "stopped", null, "full", []],
    ["off", "poor", null, "off", []],
  ] as const)("%s on %s, %s ms after a rise, is %s", (level, type, sinceRise, to, effects) => {
    const step = ladderStep(level, { ...quiet, sinceRise }, { type });
    expect([step.to, step.effects]).toEqual([to, effects]);
  });
});

const point = (at: number, packets: number, lost: number, kbps: number | null = null) =>
  ({ at, rtcId: "r1", packets, lost, kbps }) satisfies LadderPoint;
const windowOf = (...points: LadderPoint[]): readonly LadderPoint[] =>
  points.reduce<readonly LadderPoint[]>(intoWindow, []);

describe("the window", () => {
  it("says nothing before 4000 ms, then counts what was lost on the wall clock", () => {
    expect(figuresOf(windowOf(point(0, 0, 0), point(2000, 100, 50)))).toBeNull();
    const figures = figuresOf(windowOf(point(0, 0, 0), point(2000, 100, 0), point(4000, 200, 20)));
    expect(figures).toEqual({ loss: 10, kbps: null });
  });

  it("forgets what is older than 8000 ms", () => {
    const points = [0, 2000, 4000, 6000, 8000, 10_000].map((at, n) =>
      point(at, n * 100, n === 0 ? 0 : 60),
    );
    expect(figuresOf(windowOf(...points))).toEqual({ loss: 0, kbps: null });
  });

  it("begins again after a gap and with another connection", () => {
    const before = windowOf(point(0, 0, 0), point(4000, 100, 90));
    expect(intoWindow(before, point(10_001, 200, 90))).toHaveLength(1);
    expect(intoWindow(before, { ...point(6000, 200, 90), rtcId: "r2" })).toHaveLength(1);
    expect(intoWindow(before, point(6000, 20, 0))).toHaveLength(1);
  });

  it("knows no loss from a handful of packets, and takes the best bandwidth", () => {
    const figures = figuresOf(windowOf(point(0, 0, 0, 40), point(4000, 9, 9, 90)));
    expect(figures).toEqual({ loss: null, kbps: 90 });
  });
});

describe("the judgement", () => {
  it.each([
    ["full", 8, null, "poor"],
    ["full", 7.9, 200, null],
    ["full", 0, 199, "poor"],
    ["small", 15, null, "poor"],
    ["small", 0, 49, "poor"],
    ["small", 10, 80, null],
    ["small", 4.9, 100, "good"],
    ["small", 4.9, 99, null],
    ["small", 4.9, null, "good"],
    ["small", null, 500, null],
    ["off", 9.9, 10, "good"],
    ["off", 10, null, null],
  ] as const)("%s with %s %% lost and %s kbit/s: %s", (level, loss, kbps, verdict) => {
    expect(judge(level, { loss, kbps })).toBe(verdict);
  });

  it("10 % loss at 200 kbit/s shrinks the picture and does not end it", () => {
    const figures = { loss: 10, kbps: 200 };
    expect([judge("full", figures), judge("small", figures)]).toEqual(["poor", null]);
    expect(LADDER.full.poorLoss).toBeLessThan(10);
  });
});

it("A point adds sound and picture of what is sent by the last connection", () => {
  const sample = (rtcId: string, direction: string, kind: string, packets: number): StreamSample =>
    ({
      id: `${rtcId}:${direction}:${kind}`,
      rtcId,
      direction,
      kind,
      at: 1000,
      packets,
      packetsLost: 1,
      ...(kind === "video" ? { availableKbps: 300 } : {}),
    }) as StreamSample;
  const samples = [
    sample("old", "local", "audio", 999),
    sample("new", "local", "audio", 50),
    sample("new", "local", "video", 30),
    sample("new", "remote", "audio", 70),
  ];
  expect(pointOf(samples)).toEqual({ at: 1000, rtcId: "new", packets: 80, lost: 2, kbps: 300 });
  expect(pointOf(samples.slice(3))).toBeNull();
});
