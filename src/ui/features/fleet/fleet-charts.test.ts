import { expect, it } from "vitest";
import { type Charts, partsIn, timesOf } from "./chart-data.ts";
import { FLEET_ASKED, fleetCharts } from "./fleet-charts.ts";

const words = {
  text: (word: string) => word,
  socket: (name: string) => `socket ${name}`,
  error: (code: string) => `error ${code}`,
};
const total = { value: 0, p50: null, p99: null };
const part = (name: string, column: readonly (number | null)[]) => ({
  name,
  value: 5,
  p50: null,
  p99: null,
  details: [],
  column: [...column],
});
const CHARTS: Charts = {
  seconds: 60,
  first: 120_000,
  steps: 3,
  series: [
    { metric: "cores", kind: "level", value: [2, null, 3], total },
    { metric: "restarts", kind: "counter", value: [null, null, 4], total },
    {
      metric: "commands",
      kind: "latency",
      value: [1, null, 1],
      p50: [5, null, 6],
      p99: [9, null, 8],
      total,
    },
  ],
  parts: [
    { of: "lost", kind: "counter", parts: [part("chat", [1, null, null]), part("rare", [])] },
    { of: "errors", kind: "counter", parts: [] },
  ],
};
const linesOf = (charts: Charts | null) =>
  Object.fromEntries(
    fleetCharts(charts, words).map(({ key, series }) => [
      key,
      Object.fromEntries(series.map(({ name, y }) => [name, y])),
    ]),
  );

it("The columns of one answer are the lines of all charts; what did not happen where cores reported is 0", () => {
  expect(timesOf(CHARTS)).toEqual([120_000, 180_000, 240_000]);
  const lines = linesOf(CHARTS);
  expect(lines["size"]).toEqual({ cores: [2, null, 3], tabs: [], visible: [] });
  expect(lines["commands"]).toEqual({ p50: [5, null, 6], p99: [9, null, 8] });
  expect(lines["restarts"]).toEqual({ restarts: [0, null, 4], takeovers: [0, null, 0] });
  // A part beyond the first ones has no column, and stands in the table alone.
  expect(lines["lost"]).toEqual({ "socket chat": [1, null, 0] });
  expect(partsIn(CHARTS, "lost")?.map(({ name }) => name)).toEqual(["chat", "rare"]);
});

it("While the figures are loaded the charts have their lines without numbers", () => {
  const lines = linesOf(null);
  expect(Object.keys(lines["size"] ?? {})).toEqual(["cores", "tabs", "visible"]);
  expect([timesOf(null), partsIn(null, "lost"), lines["size"]?.["cores"]]).toEqual([[], null, []]);
});

it("The page asks for all its figures in one answer", () => {
  const asked = FLEET_ASKED.metrics.split(",");
  expect(asked).toHaveLength(7);
  for (const metric of ["cores", "restarts", "commands", "long-tasks"])
    expect(asked).toContain(metric);
  expect(FLEET_ASKED.parts.split(",")).toEqual(["lost", "opened", "errors", "commands"]);
});
