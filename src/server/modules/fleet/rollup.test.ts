import { expect, it } from "vitest";
import { coreReportSchema, type CoreReportInput } from "../../../shared/protocol/fleet.ts";
import { createLocalBus } from "../../base/cluster/bus.ts";
import { createManualClock } from "../../host.harness.ts";
import { durations } from "./fleet.harness.ts";
import { createFigures } from "./figures.ts";
import { createLiveCores, LISTED_MS } from "./live.ts";
import { createRollup, type RollupRow } from "./rollup.ts";
import { kindOf, seriesOf, stepFor } from "./series.ts";
import { createSharing } from "./sharing.ts";
import { isSampled } from "./tickets.ts";
import { createWriting } from "./writing.ts";

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 10, 27, 11, 59, 0);
const reportOf = (over: Partial<CoreReportInput> = {}) =>
  coreReportSchema.parse({ n: 1, company: "1", ms: 15_000, ...over });
const hello = (core: string) => ({ core, build: "b1", browser: "", os: "", startedAt: 0 });

it("Reports are added up by company and 10 s, and minutes and hours are the sums of theirs", () => {
  const rollup = createRollup(START);
  const rows: RollupRow[] = [];
  for (let step = 1; step <= 12; step += 1) {
    rollup.addReport(
      reportOf({ ops: 2, commands: { "chat.send": { ms: durations([5, 3]) } } }),
      "b1",
    );
    if (step % 2 === 0) rollup.addReport(reportOf({ company: "2", ops: 1 }), "b1");
    const there = { companyId: "1", report: reportOf({ tabs: { open: step } }) };
    rows.push(...rollup.close(START + step * 10_000, [there], false));
  }
  const all = (companyId: string, seconds: number) =>
    rows.filter((row) => row.companyId === companyId && row.seconds === seconds);
  expect([10, 60, 3600].map((seconds) => all("1", seconds).length)).toEqual([12, 2, 2]);
  expect(all("1", 60).map(({ at, figures }) => [at, figures.c["ops"], figures.l["tabs"]])).toEqual([
    [START, 12, [21, 6, 6]],
    [START + 60_000, 12, [57, 12, 6]],
  ]);
  // One hour ends with the first minute, and another begins.
  expect(all("1", 3600).map(({ at, figures }) => [at, figures.c["ops"]])).toEqual([
    [START - 59 * 60_000, 12],
    [START + 60_000, 12],
  ]);
  expect(all("2", 60).map(({ figures }) => figures.c["ops"])).toEqual([3, 3]);
  expect(all("1", 60)[0]?.figures.h).toEqual({
    "command.chat.send": durations([5, 18]),
    commands: durations([5, 18]),
  });
  // The last rows of a process that stops are written, complete or not.
  rollup.addReport(reportOf({ ops: 7 }), "b1");
  const last = rollup.close(START + 121_000, [], true).filter(({ companyId }) => companyId === "1");
  expect(last.map(({ seconds, figures }) => [seconds, figures.c["ops"]])).toEqual([
    [10, 7],
    [60, 7],
    [3600, 19],
  ]);
});

it("Errors are counted by code and build, and a forger's many builds as one", () => {
  const figures = createFigures();
  for (let i = 0; i < 40; i += 1) {
    figures.addReport(reportOf({ errors: { "core.deadline": 1, uncaught: 2 } }), `b${i}`);
  }
  const { c } = figures.stored();
  expect(c).toMatchObject({
    errors: 120,
    "errors.core.deadline": 40,
    "errors.uncaught": 80,
    "errors.core.deadline@b0": 1,
    "errors.core.deadline@other": 20,
  });
  expect(Object.keys(c).filter((name) => name.startsWith("errors.uncaught@"))).toHaveLength(21);
});

it("A level of two processes is the sum of theirs, and one that began within the step counts for its part", () => {
  const time = new Date(START).toISOString();
  const level = (companyId: string, value: readonly number[]) => ({ time, companyId, value });
  const at = START + DAY_MS;
  const series = (...rows: ReturnType<typeof level>[]) => seriesOf("level", rows, 60, at).points;
  expect(series(level("1", [60, 12, 6]), level("1", [30, 6, 6]))).toEqual([
    { time, value: 15, most: 15 },
  ]);
  // A process that was restarted: three readings each.
  expect(series(level("1", [30, 10, 3]), level("1", [30, 11, 3]))).toEqual([
    { time, value: 10, most: 11 },
  ]);
  expect(series(level("1", [6, 1, 6]), level("2", [12, 3, 6]))).toEqual([
    { time, value: 3, most: 4 },
  ]);
  expect(kindOf("tabs")).toBe("level");
  expect(kindOf("command.chat.send")).toBe("latency");
  expect(kindOf("failed.chat.send")).toBe("counter");
});

it("The p99 of a day is that of all its commands, not the mean of its hours", () => {
  const rows = Array.from({ length: 24 }, (_, hour) => ({
    time: new Date(START + hour * 3_600_000).toISOString(),
    companyId: "1",
    // One busy hour is slow.
    value: hour === 9 ? durations([2_000, 3_000]) : durations([4, 100]),
  }));
  const { total, points } = seriesOf("latency", rows, 3600, START + DAY_MS);
  expect(total.value).toBe(5_300);
  expect(total.p99).toBeGreaterThan(1_800);
  expect(points.reduce((sum, { p99 = 0 }) => sum + p99, 0) / 24).toBeLessThan(100);
});

it("A time is shown in the finest steps that are kept and not too many", () => {
  const keeping = { 10: DAY_MS / 4, 60: 7 * DAY_MS, 3600: 90 * DAY_MS };
  const step = (ago: number, long: number) =>
    stepFor(START - ago, START - ago + long, START, keeping);
  expect(step(3_600_000, 3_600_000)).toBe(10);
  expect(step(DAY_MS, DAY_MS)).toBe(60);
  expect(step(30 * DAY_MS, 30 * DAY_MS)).toBe(3600);
  expect(step(DAY_MS, 600_000)).toBe(60);
  expect(step(20 * DAY_MS, 600_000)).toBe(3600);
});

it("A share of the logins reports, always the same ones", () => {
  const logins = Array.from({ length: 2_000 }, (_, i) => `session-${i}`);
  const sampled = logins.filter((login) => isSampled(login, 0.25));
  expect(sampled.length).toBeGreaterThan(420);
  expect(sampled.length).toBeLessThan(580);
  expect(logins.filter((login) => isSampled(login, 0.25))).toEqual(sampled);
  expect(logins.filter((login) => isSampled(login, 0))).toEqual([]);
  expect(logins.filter((login) => isSampled(login, 1))).toEqual(logins);
});

it("While the database is away rows wait, those of 10 s go first, and the newest of each is written", async () => {
  let away = true;
  const written: RollupRow[] = [];
  const writing = createWriting({
    writer: "w",
    log: { error: () => undefined, warn: () => undefined },
    store: {
      write(_, rows) {
        if (away) return Promise.reject(new Error("away"));
        written.push(...rows);
        return Promise.resolve();
      },
    },
  });
  const row = (seconds: 10 | 60 | 3600, at: number, ops: number): RollupRow => ({
    companyId: "1",
    seconds,
    at,
    figures: { c: { ops }, h: {}, l: {} },
  });
  writing.add([row(3600, 0, 1)]);
  await writing.flush();
  writing.add([
    row(3600, 0, 2),
    ...Array.from({ length: 5_010 }, (_, i) => row(10, i * 10_000, 1)),
  ]);
  await writing.flush();
  expect(written).toEqual([]);
  away = false;
  await writing.flush();
  expect(written).toHaveLength(5_000);
  expect(written[0]).toEqual(row(3600, 0, 2));
  expect(written[1]?.at).toBe(110_000);
  await writing.flush();
  expect(written).toHaveLength(5_000);
});

it("Two processes have one picture: what one of them has the other lists, also one that comes later, and its report is found", async () => {
  const clock = createManualClock(START);
  const bus = createLocalBus({ error: () => undefined } as never);
  const open = (process: string) => {
    const live = createLiveCores(clock);
    const sharing = createSharing({
      bus,
      clock,
      process,
      live,
      onError: (error) => {
        throw error;
      },
    });
    return { live, sharing };
  };
  const [one, two] = [open("p1"), open("p2")];
  one.live.enter("7", hello("core-1"), reportOf({ n: 4, tabs: { open: 2 } }));
  two.live.enter("8", hello("core-2"), reportOf({ company: "2" }));
  await Promise.all([one.sharing.share(), two.sharing.share()]);
  const names = (live: typeof one.live) =>
    live
      .list(null)
      .map(({ core }) => core)
      .toSorted();
  expect(names(one.live)).toEqual(["core-1", "core-2"]);
  expect(names(two.live)).toEqual(["core-1", "core-2"]);
  expect(two.live.list("1")).toMatchObject([{ core: "core-1", tabs: 2, accountId: "7" }]);
  expect(await two.sharing.ask("core-1")).toMatchObject([{ report: { n: 4, tabs: { open: 2 } } }]);

  const three = open("p3");
  await three.sharing.start();
  await Promise.all([one.sharing.share(), two.sharing.share()]);
  expect(names(three.live)).toEqual(["core-1", "core-2"]);

  // The core reconnects to another process. That process does not count a report again which the first one has counted, and leaves other cores alone.
  expect(two.live.enter("7", hello("core-1"), reportOf({ n: 4 }))).toBe("repeated");
  expect(two.live.enter("9", hello("core-1"), reportOf({ n: 5 }))).toBe("foreign");
  expect(two.live.enter("7", hello("core-1"), reportOf({ n: 5 }))).toBe("new");
  await two.sharing.share();
  expect(names(one.live)).toEqual(["core-1", "core-2"]);
  expect(one.live.ownReports()).toEqual([]);

  const asked = one.sharing.ask("core-none");
  clock.advance(2_000);
  expect(await asked).toBeNull();
  clock.advance(LISTED_MS);
  expect([names(one.live), names(two.live)]).toEqual([[], []]);
  one.live.prune();
  expect(one.live.find("core-1")).toBeNull();
  for (const { sharing } of [one, two, three]) sharing.stop();
});
