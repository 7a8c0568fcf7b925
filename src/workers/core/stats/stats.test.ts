import { expect, test } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { workerSliceSchema } from "../../../shared/protocol/state.ts";
import { createStore, initialSlices, type CoreStore } from "../store/index.ts";
import { createFakeClock } from "../core.fake.ts";
import { createStats } from "./index.ts";

function setUp() {
  const clock = createFakeClock();
  const store: CoreStore = createStore({
    clock,
    epoch: "c",
    newId: () => "n",
    slices: initialSlices({ coreId: "c", build: "b", now: clock.now() }),
  });
  const reports: string[] = [];
  const stats = createStats({
    clock,
    store: () => store,
    log: (_area, _level, text) => void reports.push(text),
  });
  return { clock, store, stats, reports, worker: () => store.get("worker") };
}

test("counters are evaluated once a second, and only while started", () => {
  const { clock, stats, worker } = setUp();
  stats.start();
  stats.start();
  for (let ms = 1; ms <= 100; ms += 1) stats.command("chat.send", ms);
  stats.fanOut(4);
  stats.opsOut(3);
  stats.socketTraffic("chat", "sent");
  stats.socketTraffic("chat", "received");
  expect(worker().commands).toEqual({});
  clock.advance(1_000);
  expect(worker().commands["chat.send"]).toEqual({ count: 100, p50: 51, p99: 100 });
  expect(worker().fanOut).toEqual({ count: 1, p50: 4, p99: 4 });
  expect(worker().perSecond).toMatchObject([{ commands: 100, messages: 2, opsOut: 3 }]);
  expect(worker().sockets.chat).toMatchObject({ sent: 1, received: 1 });
  stats.stop();
  clock.advance(10_000);
  expect(worker().perSecond).toHaveLength(1);
  expect(clock.pending).toBe(0);
});

test("rings stay bounded: 120 seconds, 50 errors, the newest durations", () => {
  const { clock, stats, worker } = setUp();
  stats.start();
  for (let i = 0; i < 2_000; i += 1) stats.command("x", i < 1_400 ? 1_000 : 5);
  for (let i = 0; i < 60; i += 1) stats.error(`e${i}`);
  clock.advance(130_000);
  expect(worker().perSecond).toHaveLength(120);
  expect(worker().errors).toHaveLength(50);
  expect(worker().errors.at(-1)?.message).toBe("e59");
  expect(worker().commands["x"]).toEqual({ count: 2_000, p50: 5, p99: 5 });
});

test("socket states have the time at which they began, and the slice keeps its shape", () => {
  const { clock, stats, worker, reports } = setUp();
  stats.socket("signalling", "connecting");
  const { since } = worker().sockets.signalling;
  clock.advance(500);
  stats.socket("signalling", "connecting", 2);
  expect(worker().sockets.signalling).toMatchObject({ state: "connecting", since, attempts: 2 });
  stats.socket("signalling", "open");
  expect(worker().sockets.signalling).toMatchObject({ state: "open", since: since + 500 });
  stats.refreshed();
  stats.error(new AppError("call.self"));
  expect(reports).toEqual(["call.self: 不能和自己音视频通话"]);
  expect(workerSliceSchema.parse(worker()).refreshes).toBe(1);
});
