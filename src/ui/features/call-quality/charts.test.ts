import { describe, expect, it } from "vitest";
import { callRecords, CONFR, START } from "../../../shared/domain/call-records.harness.ts";
import { timelineOf } from "../../../shared/domain/call-timeline.ts";
import { chartsOf, routesOf, timesOf, toneOf } from "./charts.ts";

const { sides } = timelineOf(
  CONFR,
  callRecords(20, ({ at }) => (at > 10_000 ? { pair: "p2", route: "relay/host/udp" } : {})),
);
const ann = sides.find(({ memName }) => memName === "ann")!;

describe("the charts of a side", () => {
  const { x, charts } = chartsOf(ann, (word) => word);
  it("have one time for each poll, and a number for each line at each", () => {
    expect(x).toEqual(Array.from({ length: 10 }, (_, n) => START + 2000 * (n + 1)));
    for (const { series } of charts) {
      for (const { y } of series) expect(y).toHaveLength(10);
    }
  });
  it("are those of the table, in its order, with what was sent and received apart", () => {
    expect(charts.map(({ title }) => title)).toEqual([
      "mos",
      "kbps",
      "loss",
      "delay",
      "frames",
      "size",
    ]);
    const rates = charts.find(({ title }) => title === "kbps")?.series ?? [];
    expect(rates.map(({ name, y }) => [name, y[3]])).toEqual([
      ["sentSound", 32],
      ["sentPicture", 904],
      ["receivedSound", 32],
      ["receivedPicture", 904],
      ["available", 2500],
    ]);
  });
  it("leave out lines that no browser has measured", () => {
    const sound = {
      ...ann,
      streams: ann.streams.filter(({ kind }) => kind === "audio"),
    };
    expect(chartsOf(sound, (word) => word).charts.map(({ title }) => title)).toEqual([
      "mos",
      "kbps",
      "loss",
      "delay",
    ]);
  });
});

it("Each change of the route is a moment, the first of which says where it began", () => {
  expect(routesOf(ann).map(({ at, detail }) => [at - START, detail])).toEqual([
    [2000, "host/host/udp"],
    [12_000, "relay/host/udp"],
  ]);
});

it("The time of a call is that of all its sides; without any figure there is none", () => {
  expect(timesOf(sides)).toEqual({ from: START + 2000, to: START + 20_000 });
  expect(timesOf([])).toBeNull();
});

it("A cause is red where it comes from, and both directions where it is of both", () => {
  const cause = { cause: "loss", begin: 0, end: null } as const;
  expect(toneOf({ ...cause, from: "ann" }, ann)).toBe("bad");
  expect(toneOf({ ...cause, from: "bob" }, ann)).toBe("warn");
  expect(toneOf({ ...cause, from: null }, ann)).toBe("bad");
});
