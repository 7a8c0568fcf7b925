import { expect, it } from "vitest";
import {
  askedFor,
  chartRange,
  chartUnit,
  dividedBy,
  measuredAt,
  sourceOf,
} from "./alert-series.ts";

const START = Date.parse("2026-11-28T10:00:00Z");
const at = (i: number): number => START + i * 10_000;
const point = (i: number, value: number, more = {}) => ({
  time: new Date(at(i)).toISOString(),
  value,
  ...more,
});
const times = [0, 1, 2, 3, 4].map(at);

it("The chart reads the metric of the rule, or the part that the alert is about", () => {
  const about = (metric: string, name: string, kind: "threshold" | "absence" = "threshold") =>
    sourceOf({ metric, kind, subject: { kind: "metric", name } });
  expect(about("server.http", "")).toEqual({ metric: "server.http" });
  expect(about("errors.*", "core.deadline")).toEqual({ metric: "errors.core.deadline" });
  expect(about("lost.*", "chat")).toEqual({ of: "lost", part: "chat" });
  expect(about("route.*", "GET /x")).toEqual({ of: "routes", part: "GET /x" });
  expect(about("database", "PostgreSQL", "absence")).toEqual({ metric: "server.database" });
});

it("It begins half an hour before the alert, and ends half an hour behind it or now", () => {
  const startTime = new Date(START).toISOString();
  const open = chartRange({ startTime, endTime: null }, START + 60_000);
  expect(open.full).toEqual({ from: START - 1_800_000, to: START + 60_000 });
  expect(open.alert).toEqual({ from: START, to: START + 60_000 });
  const endTime = new Date(START + 120_000).toISOString();
  const ended = chartRange({ startTime, endTime }, START + 86_400_000);
  expect(ended.full.to).toBe(START + 120_000 + 1_800_000);
});

it("Counts are added up over the window, levels are means, durations are as they are", () => {
  const counter = { kind: "counter", seconds: 10, points: [point(1, 4), point(2, 2)] } as const;
  expect(measuredAt(times, counter, { measure: "sum", window: 20 })).toEqual([null, 4, 6, 2, 0]);
  const level = {
    kind: "level",
    seconds: 10,
    points: [point(0, 4), point(1, 8, { most: 9 })],
  } as const;
  expect(measuredAt(times, level, { measure: "mean", window: 20 })).toEqual([4, 6, 8, null, null]);
  expect(measuredAt(times, level, { measure: "most", window: 20 })).toEqual([4, 9, 9, null, null]);
  const latency = {
    kind: "latency",
    seconds: 10,
    points: [point(0, 3, { p50: 10, p99: 90 })],
  } as const;
  expect(measuredAt(times, latency, { measure: "p99", window: 300 })[0]).toBe(90);
  // a step of an hour has 60 windows of a minute
  const hours = { kind: "counter", seconds: 3600, points: [point(0, 120)] } as const;
  expect(measuredAt([at(0)], hours, { measure: "sum", window: 60 })).toEqual([2]);
});

it("A share is shown in percent, and where there is no whole, not at all", () => {
  expect(dividedBy([1, 2, null, 4], [10, 0, 5, null], 100)).toEqual([10, null, null, null]);
  expect(dividedBy([1, null], null, 1)).toEqual([1, null]);
  expect(chartUnit("server.failures", "server.requests")).toEqual({ unit: "%", times: 100 });
  expect(chartUnit("server.http", null)).toEqual({ unit: " ms", times: 1 });
});

it("An operator of the platform sees the figures of the company that the alert is about", () => {
  const range = { from: 0, to: 60_000 };
  const times = { from: "1970-01-01T00:00:00.000Z", to: "1970-01-01T00:01:00.000Z" };
  expect(askedFor({ companyId: "7" }, "all", range)).toEqual({
    scope: "all",
    company: "7",
    ...times,
  });
  expect(askedFor({ companyId: null }, "all", range)).toEqual({ scope: "all", ...times });
  expect(askedFor({ companyId: "7" }, "company", range)).toEqual({ scope: "company", ...times });
});
