/**
 * The figures of the last hour by 10 s, and of the last day by 10 min, as far as rules of alerts ask for them (docs/server.md#alerts). Every
 * process has those of all processes in memory, so that no alert needs the database.
 */
import type { RuleReach } from "../../../shared/domain/alert-rules.ts";
import { addSparse, emptyHistogram, toSparse } from "../../../shared/domain/latency-histogram.ts";
import type {
  LatencyHistogram,
  SparseHistogram,
} from "../../../shared/domain/latency-histogram.ts";
import { serverKind } from "../../../shared/domain/server-figures.ts";
import type { FleetStep } from "../../base/cluster/fleet-step.ts";

export const STEP_MS = 10_000;
/** ms for which steps are kept as they are. */
const FINE_MS = 65 * 60_000;
const COARSE_STEP_MS = 10 * 60_000;
const COARSE_MS = 26 * 3_600_000;
/** ms for which the cores are remembered to which something happened. It is the longest window of a rule. */
const NAMED_MS = 3_600_000;
/** Stands for all companies together. */
const ALL = "";

interface Entry {
  readonly at: number;
  counted: number;
  /** The sum of a level over all processes, and its highest value. */
  level: number;
  most: number;
  durations: SparseHistogram;
}
interface Series {
  readonly fine: Entry[];
  readonly coarse: Entry[];
}

export interface Sum {
  readonly counted: number;
  /** The sum over the steps. Divided by the number of steps it is the mean. */
  readonly level: number;
  readonly most: number;
  /** Null when there were none. */
  readonly durations: LatencyHistogram | null;
  readonly lastAt: number | null;
}

/** What is kept of a metric. */
export interface Wanted {
  /** How long it is kept. */
  readonly ms: number;
  /** Whether it is kept for each company, for all companies together, or both. */
  readonly reaches: ReadonlySet<RuleReach>;
}

export interface Windows {
  add(step: FleetStep): void;
  /** @param wanted by name of the metric; a name that ends with a dot, as `socket.`, stands for every metric that begins with it */
  want(wanted: ReadonlyMap<string, Wanted>, now: number): void;
  /** @param companyId null: all companies together */
  sum(companyId: string | null, metrics: readonly string[], from: number, to: number): Sum;
  /** For how many steps between these times the metric has figures. */
  steps(metric: string, from: number, to: number): number;
  companies(): string[];
  /** The metrics of the company whose names begin with this. */
  metrics(companyId: string | null, begin: string): string[];
  /** The cores to which the event of the metric happened since this time, the latest first. */
  named(
    companyId: string | null,
    metric: string,
    from: number,
  ): FleetStep["named"][number]["cores"];
  prune(now: number): void;
}

const merged = (a: SparseHistogram, b: SparseHistogram): SparseHistogram => {
  if (a.length === 0) return b;
  const all = emptyHistogram();
  addSparse(all, a);
  addSparse(all, b);
  return toSparse(all);
};

export function createWindows(): Windows {
  /** By company, then by metric. */
  const kept = new Map<string, Map<string, Series>>();
  let wants: ReadonlyMap<string, Wanted> = new Map();
  /** Since when a metric, or a group of metrics with one prefix, is kept. */
  const since = new Map<string, number>();
  /** When each step with figures began. */
  const fineSteps: number[] = [];
  /** How many steps each 10 min had, by when they began. */
  const coarseSteps = new Map<number, number>();
  const named = new Map<string, { at: number; cores: FleetStep["named"][number]["cores"] }[]>();

  /** How many of the fine steps began before this time. */
  const stepsBefore = (at: number): number => {
    let [low, high] = [0, fineSteps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((fineSteps[middle] ?? at) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const wantOf = (metric: string): readonly [name: string, wanted: Wanted] | null => {
    const exact = wants.get(metric);
    if (exact !== undefined) return [metric, exact];
    for (let dot = metric.indexOf("."); dot !== -1; dot = metric.indexOf(".", dot + 1)) {
      const begin = metric.slice(0, dot + 1);
      const found = wants.get(begin);
      if (found !== undefined) return [begin, found];
    }
    return null;
  };
  const seriesOf = (companyId: string, metric: string): Series => {
    let metrics = kept.get(companyId);
    if (metrics === undefined) kept.set(companyId, (metrics = new Map()));
    let series = metrics.get(metric);
    if (series === undefined) metrics.set(metric, (series = { fine: [], coarse: [] }));
    return series;
  };
  /** The entry of that time. It is near the end, because steps arrive nearly in order. */
  const entryOf = (entries: Entry[], at: number): Entry => {
    let place = entries.length;
    while (place > 0 && (entries[place - 1]?.at ?? 0) > at) place -= 1;
    const there = entries[place - 1];
    if (there?.at === at) return there;
    const made: Entry = { at, counted: 0, level: 0, most: 0, durations: [] };
    entries.splice(place, 0, made);
    return made;
  };
  /** The series to which a reading belongs: that of the company, that of all companies, both, or neither. */
  const entriesOf = (companyId: string, metric: string, at: number): Entry[] => {
    const reaches = wantOf(metric)?.[1].reaches;
    return [
      ...(reaches?.has("company") === true ? [companyId] : []),
      ...(reaches?.has("platform") === true ? [ALL] : []),
    ].map((company) => entryOf(seriesOf(company, metric).fine, at));
  };

  function fold(entries: Series, now: number, ms: number): void {
    const before = now - Math.min(ms, FINE_MS);
    let old = 0;
    while (old < entries.fine.length && (entries.fine[old]?.at ?? before) < before) old += 1;
    for (const entry of entries.fine.splice(0, old)) {
      if (ms <= FINE_MS) continue;
      const into = entryOf(entries.coarse, entry.at - (entry.at % COARSE_STEP_MS));
      into.counted += entry.counted;
      into.level += entry.level;
      into.most = Math.max(into.most, entry.most);
      into.durations = merged(into.durations, entry.durations);
    }
  }

  return {
    want(wanted, now) {
      wants = wanted;
      for (const name of wanted.keys()) if (!since.has(name)) since.set(name, now);
      for (const name of since.keys()) if (!wanted.has(name)) since.delete(name);
      for (const metrics of kept.values()) {
        for (const metric of metrics.keys()) if (wantOf(metric) === null) metrics.delete(metric);
      }
    },
    add({ at: begin, rows, named: cores }) {
      const at = begin - (begin % STEP_MS);
      let place = fineSteps.length;
      while (place > 0 && (fineSteps[place - 1] ?? 0) > at) place -= 1;
      if (fineSteps[place - 1] !== at) fineSteps.splice(place, 0, at);
      for (const { companyId, figures } of rows) {
        for (const [metric, value] of Object.entries(figures.c)) {
          for (const entry of entriesOf(companyId, metric, at)) entry.counted += value;
        }
        for (const [metric, [sum, most, readings]] of Object.entries(figures.l)) {
          if (readings === 0) continue;
          for (const entry of entriesOf(companyId, metric, at)) {
            entry.level += sum / readings;
            // A level of servers is the highest of any process; the cores of two processes add up.
            entry.most = serverKind(metric) === null ? entry.level : Math.max(entry.most, most);
          }
        }
        for (const [metric, durations] of Object.entries(figures.h)) {
          for (const entry of entriesOf(companyId, metric, at)) {
            entry.durations = merged(entry.durations, durations);
          }
        }
      }
      for (const one of cores) {
        for (const company of [one.companyId, ALL]) {
          const key = `${company} ${one.metric}`;
          const list = named.get(key) ?? [];
          named.set(key, list);
          list.push({ at, cores: one.cores });
        }
      }
    },
    sum(companyId, metrics, from, to) {
      let durations: LatencyHistogram | null = null;
      let [counted, level, most] = [0, 0, 0];
      let lastAt: number | null = null;
      const metricsOfCompany = kept.get(companyId ?? ALL);
      for (const metric of metrics) {
        const series = metricsOfCompany?.get(metric);
        if (series === undefined) continue;
        for (const entries of [series.fine, series.coarse]) {
          for (let place = entries.length - 1; place >= 0; place -= 1) {
            const entry = entries[place];
            if (entry === undefined || entry.at < from) break;
            if (entry.at >= to) continue;
            counted += entry.counted;
            level += entry.level;
            most = Math.max(most, entry.most);
            if (entry.durations.length > 0) {
              durations ??= emptyHistogram();
              addSparse(durations, entry.durations);
            }
            if (entry.counted > 0) lastAt = Math.max(lastAt ?? 0, entry.at);
          }
        }
      }
      return { counted, level, most, durations, lastAt };
    },
    steps(metric, from, to) {
      const begin = since.get(wantOf(metric)?.[0] ?? metric);
      if (begin === undefined) return 0;
      const first = Math.max(from, begin - (begin % STEP_MS));
      let count = Math.max(0, stepsBefore(to) - stepsBefore(first));
      for (const [at, steps] of coarseSteps) if (at >= first && at < to) count += steps;
      return count;
    },
    companies: () => [...kept.keys()].filter((companyId) => companyId !== ALL),
    metrics: (companyId, begin) =>
      [...(kept.get(companyId ?? ALL)?.keys() ?? [])].filter((metric) => metric.startsWith(begin)),
    named(companyId, metric, from) {
      const found = new Map<string, FleetStep["named"][number]["cores"][number]>();
      for (const { at, cores } of (named.get(`${companyId ?? ALL} ${metric}`) ?? []).toReversed()) {
        if (at < from) break;
        for (const core of cores) found.set(core.core, core);
      }
      return [...found.values()];
    },
    prune(now) {
      const before = now - FINE_MS;
      let old = 0;
      while (old < fineSteps.length && (fineSteps[old] ?? before) < before) old += 1;
      for (const at of fineSteps.splice(0, old)) {
        const begin = at - (at % COARSE_STEP_MS);
        coarseSteps.set(begin, (coarseSteps.get(begin) ?? 0) + 1);
      }
      for (const at of coarseSteps.keys()) if (at < now - COARSE_MS) coarseSteps.delete(at);
      for (const [companyId, metrics] of kept) {
        for (const [metric, series] of metrics) {
          fold(series, now, wantOf(metric)?.[1].ms ?? 0);
          while ((series.coarse[0]?.at ?? now) < now - COARSE_MS) series.coarse.shift();
          if (series.fine.length + series.coarse.length === 0) metrics.delete(metric);
        }
        if (metrics.size === 0) kept.delete(companyId);
      }
      for (const [key, list] of named) {
        while ((list[0]?.at ?? now) < now - NAMED_MS) list.shift();
        if (list.length === 0) named.delete(key);
      }
    },
  };
}
