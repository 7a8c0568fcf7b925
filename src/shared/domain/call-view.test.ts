import { describe, expect, it } from "vitest";
import { callViewSchema } from "../protocol/call-view.ts";
import { causesOf } from "./call-causes.ts";
import { callRecords, CONFR, START } from "./call-records.harness.ts";
import { timelineOf, timelineSteps } from "./call-timeline.ts";
import { callViewOf, callViewSteps } from "./call-view.ts";
import { doneInSteps } from "./steps.ts";

const timeline = timelineOf(
  CONFR,
  callRecords(20, ({ at }) => (at > 10_000 ? { pair: "p2", route: "relay/host/udp" } : {})),
);
const view = callViewOf(timeline);
const ann = view.sides.find(({ memName }) => memName === "ann")!;

describe("the charts of a side", () => {
  it("have one time for each poll, and a number for each line at each", () => {
    expect(ann.times).toEqual(Array.from({ length: 10 }, (_, n) => START + 2000 * (n + 1)));
    for (const { lines } of ann.charts) for (const { y } of lines) expect(y).toHaveLength(10);
  });
  it("are those of the table, in its order, with what was sent and received apart", () => {
    expect(ann.charts.map(({ title }) => title)).toEqual([
      "mos",
      "kbps",
      "loss",
      "delay",
      "frames",
      "size",
    ]);
    const rates = ann.charts.find(({ title }) => title === "kbps")?.lines ?? [];
    expect(rates.map(({ name, y }) => [name, y[3]])).toEqual([
      ["sentSound", 32],
      ["sentPicture", 904],
      ["receivedSound", 32],
      ["receivedPicture", 904],
      ["available", 2500],
    ]);
  });
  it("have the late timers of the machine beside the round trip, where it says them", () => {
    const late = callRecords(10, ({ side, at }) => ({ late: side === "ann" ? at / 100 : null }));
    const lines = callViewOf(timelineOf(CONFR, late)).sides.map(({ charts }) =>
      charts
        .find(({ title }) => title === "delay")
        ?.lines.filter(({ name }) => name === "late")
        .map(({ y }) => y),
    );
    expect(lines).toEqual([[[20, 40, 60, 80, 100]], []]);
  });
  it("leave out lines that no browser has measured", () => {
    const sides = timeline.sides.map((side) => ({
      ...side,
      streams: side.streams.filter(({ kind }) => kind === "audio"),
    }));
    const [side] = callViewOf({ ...timeline, sides }).sides;
    expect(side?.charts.map(({ title }) => title)).toEqual(["mos", "kbps", "loss", "delay"]);
  });
});

it("Each change of the route is a moment, the first of which says where it began", () => {
  expect(ann.routes.map(({ at, detail }) => [at - START, detail])).toEqual([
    [2000, "host/host/udp"],
    [12_000, "relay/host/udp"],
  ]);
});

it("The time of a call is that of all its sides; without any figure there is none", () => {
  expect(view.full).toEqual({ from: START + 2000, to: START + 20_000 });
  expect(callViewOf({ confrId: CONFR, sides: [] }).full).toBeNull();
});

it("Who received what of whom stands in a row, and causes are those of the timeline", () => {
  expect(view.received).toEqual([
    { to: "ann", from: "bob", mos: 4.26, sound: 32, picture: 904, height: 360, loss: 0 },
    { to: "bob", from: "ann", mos: 4.26, sound: 32, picture: 904, height: 360, loss: 0 },
  ]);
  expect(view.causes).toEqual(causesOf(timeline));
});

/** Objects, which are what a thread pays for when it is given an answer; numbers in a row cost next to nothing. */
const objectsIn = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + objectsIn(one), 1);
};

it("A call of 40,000 records is read in steps of at most 500 records, and a tab is given a few hundred objects", async () => {
  const records = callRecords(10_000, () => ({})).slice(0, 40_000);
  expect(records).toHaveLength(40_000);
  let pauses = 0;
  const pause = (): Promise<void> => {
    pauses += 1;
    return Promise.resolve();
  };
  const long = await doneInSteps(timelineSteps(CONFR, records), pause);
  // 500 records a step, and a step a side.
  expect(pauses).toBe(40_000 / 500 + 2);
  pauses = 0;
  const shown = await doneInSteps(callViewSteps(long), pause);
  // For each sender on each side 400 polls a step, one for the scores, and on each side the polls and six charts.
  const polls = 5_000;
  expect(pauses).toBe(4 * (Math.floor(polls / 400) + 1) + 1 + 2 * (1 + 6));
  expect(shown).toEqual(callViewSchema.parse(shown));
  expect(objectsIn(long)).toBeGreaterThan(39_000);
  expect(objectsIn(shown)).toBeLessThan(300);
});
