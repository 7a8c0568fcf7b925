import { describe, expect, it } from "vitest";
import { type CoreReportInput, coreReportSchema } from "../protocol/fleet.ts";
import { CORE_CAUSES, type CoreCauseKey, coreCauses } from "./core-causes.ts";
import { bucketOf, emptyHistogram, toSparse } from "./latency-histogram.ts";

const NOW = 1_800_000_000_000;
type Over = Partial<CoreReportInput>;

function durations(...all: readonly [ms: number, count: number][]): number[] {
  const histogram = emptyHistogram();
  for (const [ms, count] of all) histogram[bucketOf(ms)] = count;
  return toSparse(histogram);
}
const fine: Over = {
  tabs: { open: 3, visible: 1 },
  commands: { "chat.send": { ms: durations([5, 99], [40, 1]) } },
  sockets: { chat: { state: "open", opened: 1, lost: { network: 1 } } },
};
const factsOf = (reports: readonly Over[], over = {}) => ({
  reports: reports.map((report, i) => ({
    at: NOW - 15_000 * i,
    report: coreReportSchema.parse({ n: 99 - i, company: "1", ms: 15_000, ...fine, ...report }),
  })),
  build: "b1",
  ownBuild: "b1",
  now: NOW + 5_000,
  ...over,
});
const keys = (...args: Parameters<typeof factsOf>): CoreCauseKey[] =>
  coreCauses(factsOf(...args)).map(({ key }) => key);

interface Case {
  readonly report?: Over;
  /** The same, a little below what is unusual. */
  readonly below?: Over;
  readonly over?: object;
  readonly level: string;
  readonly values: object;
}
const CASES: Readonly<Record<CoreCauseKey, Case>> = {
  silent: { over: { now: NOW + 50_000 }, level: "bad", values: { seconds: 50 } },
  restarted: { report: { restarts: 1 }, level: "bad", values: { count: 1 } },
  blocked: {
    report: { pages: { longTasks: durations([200, 30]) } },
    below: { pages: { longTasks: durations([60, 10]) } },
    level: "bad",
    values: { count: 30 },
  },
  memory: {
    report: { pages: { measured: 1, memory: 1500, largest: 1500 } },
    below: { pages: { measured: 3, memory: 1500, largest: 500 } },
    level: "warn",
    values: { mib: 1500 },
  },
  slowCommands: {
    report: {
      commands: {
        "chat.send": { ms: durations([3, 50]) },
        "people.list": { ms: durations([3, 5], [2000, 5]) },
      },
    },
    below: { commands: { "people.list": { ms: durations([800, 5]) } } },
    level: "warn",
    values: { name: "people.list" },
  },
  failedCommands: {
    report: { commands: { "chat.send": { ms: durations([3, 9]), failed: 4 } } },
    below: { commands: { "chat.send": { ms: durations([3, 9]), failed: 2 } } },
    level: "warn",
    values: { count: 4, name: "chat.send" },
  },
  fanOut: {
    report: { fanOut: durations([400, 20]) },
    below: { fanOut: durations([20, 2000]) },
    level: "warn",
    values: {},
  },
  lagging: {
    report: { queues: { unacked: 201 } },
    below: { queues: { unacked: 199 } },
    level: "warn",
    values: { count: 201 },
  },
  disconnected: {
    report: { sockets: { chat: { state: "waiting", attempts: 4 } } },
    below: { sockets: { signalling: { state: "closed" } } },
    level: "bad",
    values: { name: "chat", count: 4 },
  },
  unsteady: {
    report: { sockets: { chat: { state: "open", lost: { network: 1, silent: 3 } } } },
    level: "warn",
    values: { count: 4, name: "chat", why: "silent" },
  },
  outbox: {
    report: { queues: { outbox: 60 } },
    below: { queues: { outbox: 4 } },
    level: "bad",
    values: { count: 60 },
  },
  manyTabs: {
    report: { tabs: { open: 12, visible: 1 } },
    below: { tabs: { open: 9, visible: 1 } },
    level: "warn",
    values: { count: 12 },
  },
  importing: {
    report: { queues: { imports: 1 }, imported: 500 },
    below: { imported: 500 },
    level: "info",
    values: { count: 500 },
  },
  transfers: {
    report: { queues: { uploads: 2, downloads: 1 } },
    below: { queues: { uploads: 1, downloads: 1 } },
    level: "info",
    values: { count: 3 },
  },
  errors: {
    report: { errors: { "core.deadline": 2, uncaught: 3 } },
    below: { errors: { "core.deadline": 2 } },
    level: "warn",
    values: { count: 5, name: "uncaught" },
  },
  hidden: {
    report: { tabs: { open: 2, visible: 0 } },
    below: { tabs: { open: 0, visible: 0 } },
    level: "info",
    values: { count: 2 },
  },
  otherBuild: {
    over: { build: "b0" },
    level: "info",
    values: { build: "b0", ownBuild: "b1" },
  },
};

describe("Why a console is slow", () => {
  it("finds nothing unusual in a core at work, and nothing without a report", () => {
    expect(coreCauses(factsOf([{}, {}].slice(0, 1)))).toEqual([]);
    expect(coreCauses(factsOf([]))).toEqual([]);
  });

  it.each(CORE_CAUSES)("%s is found alone, with its numbers, and not below its limit", (key) => {
    const { report = {}, below, over, level, values } = CASES[key];
    expect(coreCauses(factsOf([report], over))).toMatchObject([{ key, level, values }]);
    if (below !== undefined) expect(keys([below])).toEqual([]);
  });

  it("adds up several reports, and says the worst first", () => {
    expect(keys([{}, {}])).toEqual(["unsteady"]);
    const causes = keys([
      { queues: { imports: 1, outbox: 7 }, restarts: 1 },
      { errors: { uncaught: 3 }, sockets: {} },
    ]);
    expect(causes).toEqual(["restarted", "outbox", "errors", "importing"]);
  });
});
