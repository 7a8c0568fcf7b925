import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import {
  addSparse,
  countIn,
  emptyHistogram,
  quantile,
} from "../../../shared/domain/latency-histogram.ts";
import { createServerFigures } from "./server-figures.ts";

function setUp() {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "http_requests_total",
    help: "-",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "http_request_duration_seconds",
    help: "-",
    labelNames: ["method", "route"],
    buckets: [0.01, 0.1, 1],
    registers,
  });
  const memory = new Gauge({ name: "process_resident_memory_bytes", help: "-", registers });
  const lag = new Gauge({ name: "nodejs_eventloop_lag_p99_seconds", help: "-", registers });
  return { registry, requests, seconds, memory, lag };
}
const read = (flat: readonly number[] = []) => {
  const all = emptyHistogram();
  addSparse(all, flat);
  return { count: countIn(all), p50: quantile(all, 0.5), p99: quantile(all, 0.99) };
};

test("Counters and durations are those since the last read, levels those of now", async () => {
  const { registry, requests, seconds, memory, lag } = setUp();
  const figures = createServerFigures(registry, () => Promise.resolve(3));
  requests.inc({ method: "POST", route: "/uaa/login/username", status: 200 }, 2);
  requests.inc({ method: "POST", route: "/uaa/login/username", status: 401 }, 5);
  requests.inc({ method: "GET", route: "/x", status: 500 });
  for (let i = 0; i < 9; i += 1) seconds.observe({ method: "GET", route: "/x" }, 0.05);
  seconds.observe({ method: "GET", route: "/slow" }, 5);
  memory.set(64 * 2 ** 20);
  lag.set(0.02);
  const first = await figures.read();
  expect(first.c).toEqual({
    "server.requests": 8,
    "server.failures": 1,
    "server.logins": 2,
    "server.logins-refused": 5,
  });
  expect(first.l).toEqual({ "server.memory": [64, 64, 1] });
  expect(read(first.h["server.http"])).toMatchObject({ count: 10 });
  expect(read(first.h["route.GET /x"]).p50).toBeGreaterThan(25);
  expect(read(first.h["route.GET /x"]).p50).toBeLessThan(40);
  expect(read(first.h["route.GET /slow"]).p99).toBeGreaterThan(850);
  expect(read(first.h["server.lag"]).p99).toBeGreaterThan(17);
  expect(read(first.h["server.database"]).count).toBe(1);

  requests.inc({ method: "GET", route: "/x", status: 200 }, 4);
  seconds.observe({ method: "GET", route: "/x" }, 0.05);
  const second = await figures.read();
  expect(second.c).toEqual({ "server.requests": 4 });
  expect(read(second.h["route.GET /x"]).count).toBe(1);
  expect(second.h["route.GET /slow"]).toBeUndefined();
});

test("A database that does not answer has no duration", async () => {
  const { registry } = setUp();
  const { h } = await createServerFigures(registry, () => Promise.resolve(null)).read();
  expect(h["server.database"]).toBeUndefined();
});
