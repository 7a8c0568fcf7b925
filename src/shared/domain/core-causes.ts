/**
 * Why a person's console is slow, read from the last reports of their core (docs/server.md#reports-of-cores). Each rule is a row: what it
 * looks at, and from which number on it says so. Pure.
 */
import type { CoreReport } from "../protocol/fleet.ts";
import {
  addSparse,
  countIn,
  emptyHistogram,
  type LatencyHistogram,
  quantile,
  type SparseHistogram,
} from "./latency-histogram.ts";

export interface CoreFacts {
  /** The latest first. */
  readonly reports: readonly { readonly at: number; readonly report: CoreReport }[];
  readonly build: string;
  /** The build of who looks. */
  readonly ownBuild: string;
  /** ms since the epoch, by the clock of `reports` */
  readonly now: number;
}

export const CORE_CAUSES = [
  "silent",
  "restarted",
  "blocked",
  "memory",
  "slowCommands",
  "failedCommands",
  "fanOut",
  "lagging",
  "disconnected",
  "unsteady",
  "outbox",
  "manyTabs",
  "importing",
  "transfers",
  "errors",
  "hidden",
  "otherBuild",
] as const;
export type CoreCauseKey = (typeof CORE_CAUSES)[number];
/** bad: it explains complaints by itself. warn: it may. info: it is no fault. */
export type CauseLevel = "bad" | "warn" | "info";
export interface CoreCause {
  readonly key: CoreCauseKey;
  readonly level: CauseLevel;
  /** What its words name: numbers, times in ms, names. */
  readonly values: Readonly<Record<string, string | number>>;
}

/** From which number on. */
export const CAUSE_LIMITS = {
  /** ms since the last report */
  silent: 40_000,
  /** Share of the time for which work blocked tabs. */
  blockedShare: { warn: 0.1, bad: 0.3 },
  /** ms of one piece of work */
  blockedOnce: 500,
  /** MiB of the largest tab */
  memory: { warn: 1024, bad: 2048 },
  /** ms of 99 of 100 */
  command: { warn: 1000, bad: 5000 },
  fanOut: 250,
  failed: 3,
  /** Changes that a tab has not acknowledged, from which on it gets no more. */
  unacked: 200,
  lost: 2,
  outbox: { warn: 5, bad: 50 },
  tabs: { warn: 10, bad: 20 },
  transfers: 3,
  errors: 3,
} as const;

const histogramOf = (all: readonly SparseHistogram[]): LatencyHistogram => {
  const sum = emptyHistogram();
  for (const flat of all) addSparse(sum, flat);
  return sum;
};
/** About how long all of them took together, ms. */
const totalOf = (histogram: LatencyHistogram): number =>
  histogram.reduce((sum, count, bucket) => {
    if (count === 0) return sum;
    const one = emptyHistogram();
    one[bucket] = 1;
    return sum + count * (quantile(one, 0.5) ?? 0);
  }, 0);

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

function addedUp(
  all: readonly Readonly<Record<string, number>>[],
): [name: string, count: number][] {
  const sums = new Map<string, number>();
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) {
      if (count > 0) sums.set(name, (sums.get(name) ?? 0) + count);
    }
  }
  return [...sums].toSorted((a, b) => b[1] - a[1]);
}

const levelAt = (
  value: number,
  { warn, bad }: { readonly warn: number; readonly bad: number },
): CauseLevel | null => (value >= bad ? "bad" : value >= warn ? "warn" : null);

interface Seen extends CoreFacts {
  readonly last: CoreReport;
  readonly all: readonly CoreReport[];
}
type Found = Omit<CoreCause, "key"> | null;

const found = (
  level: CauseLevel | null,
  values: () => Readonly<Record<string, string | number>>,
): Found => (level === null ? null : { level, values: values() });

/** The slowest command, by 99 of 100. */
function slowest(all: readonly CoreReport[]): { name: string; p99: number } | null {
  const durations = new Map<string, SparseHistogram[]>();
  for (const { commands } of all) {
    for (const [name, { ms }] of Object.entries(commands)) {
      durations.set(name, [...(durations.get(name) ?? []), ms]);
    }
  }
  return (
    [...durations]
      .map(([name, list]) => ({ name, p99: quantile(histogramOf(list), 0.99) ?? 0 }))
      .toSorted((a, b) => b.p99 - a.p99)[0] ?? null
  );
}

const RULES: Readonly<Record<CoreCauseKey, (seen: Seen) => Found>> = {
  silent({ reports, now }) {
    const age = now - (reports[0]?.at ?? now);
    return found(age >= CAUSE_LIMITS.silent ? "bad" : null, () => ({
      seconds: Math.round(age / 1000),
    }));
  },
  restarted({ all }) {
    const times = all.reduce((sum, { restarts }) => sum + restarts, 0);
    return found(times > 0 ? "bad" : null, () => ({ count: times }));
  },
  blocked({ all }) {
    const tasks = histogramOf(all.map(({ pages }) => pages.longTasks));
    const time = all.reduce((sum, { ms }) => sum + ms, 0);
    const share = time === 0 ? 0 : Math.min(1, totalOf(tasks) / time);
    const longest = quantile(tasks, 1) ?? 0;
    const level =
      levelAt(share, CAUSE_LIMITS.blockedShare) ??
      (longest >= CAUSE_LIMITS.blockedOnce ? "warn" : null);
    return found(level, () => ({
      count: countIn(tasks),
      percent: Math.round(share * 100),
      ms: Math.round(longest),
    }));
  },
  memory({ last }) {
    const { largest } = last.pages;
    return found(levelAt(largest, CAUSE_LIMITS.memory), () => ({ mib: largest }));
  },
  slowCommands({ all }) {
    const one = slowest(all);
    if (one === null) return null;
    return found(levelAt(one.p99, CAUSE_LIMITS.command), () => ({
      name: one.name,
      ms: Math.round(one.p99),
    }));
  },
  failedCommands({ all }) {
    const failed = addedUp(
      all.map(({ commands }) =>
        Object.fromEntries(Object.entries(commands).map(([name, one]) => [name, one.failed])),
      ),
    );
    const count = failed.reduce((sum, [, times]) => sum + times, 0);
    return found(count >= CAUSE_LIMITS.failed ? "warn" : null, () => ({
      count,
      name: failed[0]?.[0] ?? "",
    }));
  },
  fanOut({ all }) {
    const p99 = quantile(histogramOf(all.map(({ fanOut }) => fanOut)), 0.99) ?? 0;
    return found(p99 >= CAUSE_LIMITS.fanOut ? "warn" : null, () => ({ ms: Math.round(p99) }));
  },
  lagging: ({ last }) =>
    found(last.queues.unacked >= CAUSE_LIMITS.unacked ? "warn" : null, () => ({
      count: last.queues.unacked,
    })),
  disconnected({ last }) {
    const down = Object.entries(last.sockets).find(
      ([, { state, attempts }]) => state !== "open" && attempts > 0,
    );
    return found(down === undefined ? null : "bad", () => ({
      name: down?.[0] ?? "",
      count: down?.[1].attempts ?? 0,
    }));
  },
  unsteady({ all }) {
    const lost = addedUp(
      all.map(({ sockets }) =>
        Object.fromEntries(Object.entries(sockets).map(([name, one]) => [name, sumOf(one.lost)])),
      ),
    );
    const why = addedUp(
      all.flatMap(({ sockets }) => Object.values(sockets).map((one) => one.lost)),
    );
    const count = lost.reduce((sum, [, times]) => sum + times, 0);
    return found(count >= CAUSE_LIMITS.lost ? "warn" : null, () => ({
      count,
      name: lost[0]?.[0] ?? "",
      why: why[0]?.[0] ?? "",
    }));
  },
  outbox: ({ last }) =>
    found(levelAt(last.queues.outbox, CAUSE_LIMITS.outbox), () => ({ count: last.queues.outbox })),
  manyTabs: ({ last }) =>
    found(levelAt(last.tabs.open, CAUSE_LIMITS.tabs), () => ({ count: last.tabs.open })),
  importing: ({ last, all }) =>
    found(last.queues.imports > 0 ? "info" : null, () => ({
      count: all.reduce((sum, { imported }) => sum + imported, 0),
    })),
  transfers({ last }) {
    const count = last.queues.uploads + last.queues.downloads;
    return found(count >= CAUSE_LIMITS.transfers ? "info" : null, () => ({ count }));
  },
  errors({ all }) {
    const codes = addedUp(all.map(({ errors }) => errors));
    const count = codes.reduce((sum, [, times]) => sum + times, 0);
    return found(count >= CAUSE_LIMITS.errors ? "warn" : null, () => ({
      count,
      name: codes[0]?.[0] ?? "",
    }));
  },
  hidden: ({ last }) =>
    found(last.tabs.open > 0 && last.tabs.visible === 0 ? "info" : null, () => ({
      count: last.tabs.open,
    })),
  otherBuild: ({ build, ownBuild }) =>
    found(build === ownBuild ? null : "info", () => ({ build, ownBuild })),
};

const ORDER: readonly CauseLevel[] = ["bad", "warn", "info"];

/** @returns the worst first; nothing when the reports say nothing unusual, or when there is none */
export function coreCauses(facts: CoreFacts): CoreCause[] {
  const last = facts.reports[0]?.report;
  if (last === undefined) return [];
  const seen = { ...facts, last, all: facts.reports.map(({ report }) => report) };
  return CORE_CAUSES.flatMap((key) => {
    const cause = RULES[key](seen);
    return cause === null ? [] : [{ key, ...cause }];
  }).toSorted((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level));
}
