/** Figures of many reports added up: counters, histograms of durations, and levels (docs/server.md#reports-of-cores). Pure. */
import { LEVELS, type Level } from "../../../shared/domain/fleet-names.ts";
import {
  addSparse,
  emptyHistogram,
  type LatencyHistogram,
  type SparseHistogram,
  toSparse,
} from "../../../shared/domain/latency-histogram.ts";
import type { CoreReport } from "../../../shared/protocol/fleet.ts";

/** All commands, the fan-out and the long tasks; `command.chat.send` is one command. */
const LATENCIES: readonly string[] = ["commands", "fan-out", "long-tasks"];
export const isLatency = (metric: string): boolean =>
  LATENCIES.includes(metric) || metric.startsWith("command.");

/** Builds that are counted by themselves. Only a forged report makes more. */
const BUILDS_MAX = 20;

/** Sum of the readings, the greatest one, and their number. */
type LevelReadings = readonly [sum: number, most: number, readings: number];
/** As the database has them. */
export interface StoredFigures {
  readonly c: Readonly<Record<string, number>>;
  readonly h: Readonly<Record<string, SparseHistogram>>;
  readonly l: Readonly<Record<string, LevelReadings>>;
}

/** The company of the figures of all companies together. */
export const ALL_COMPANIES = "-1";

export interface Figures {
  addReport(report: CoreReport, build: string): void;
  addLevels(levels: Readonly<Record<string, number>>): void;
  addStored(figures: StoredFigures): void;
  /** Adds what another company had in the same time: its level is there beside that of the others. */
  addBeside(figures: StoredFigures): void;
  stored(): StoredFigures;
}

export function createFigures(): Figures {
  const counters = new Map<string, number>();
  const histograms = new Map<string, LatencyHistogram>();
  const levels = new Map<string, LevelReadings>();
  const builds = new Set<string>();

  const count = (name: string, by: number): void => {
    if (by > 0) counters.set(name, (counters.get(name) ?? 0) + by);
  };
  const durations = (name: string, flat: SparseHistogram): void => {
    if (flat.length === 0) return;
    let histogram = histograms.get(name);
    if (histogram === undefined) histograms.set(name, (histogram = emptyHistogram()));
    addSparse(histogram, flat);
  };
  const addLevel = (name: string, [sum, most, readings]: LevelReadings): void => {
    const [s, m, r] = levels.get(name) ?? [0, 0, 0];
    levels.set(name, [s + sum, Math.max(m, most), r + readings]);
  };

  const addSums = ({ c, h }: StoredFigures): void => {
    for (const [name, value] of Object.entries(c)) count(name, value);
    for (const [name, flat] of Object.entries(h)) durations(name, flat);
  };

  return {
    addReport(report, build) {
      count("reports", 1);
      for (const [name, { ms, failed }] of Object.entries(report.commands)) {
        durations(`command.${name}`, ms);
        durations("commands", ms);
        count("failed", failed);
        count(`failed.${name}`, failed);
      }
      durations("fan-out", report.fanOut);
      durations("long-tasks", report.pages.longTasks);
      for (const name of ["ops", "restarts", "refreshes", "takeovers", "imported"] as const) {
        count(name, report[name]);
      }
      for (const [name, { opened, sent, received, lost }] of Object.entries(report.sockets)) {
        count(`socket.${name}.opened`, opened);
        count(`socket.${name}.sent`, sent);
        count(`socket.${name}.received`, received);
        for (const [why, times] of Object.entries(lost)) count(`socket.${name}.lost.${why}`, times);
      }
      const ofBuild = builds.has(build) || builds.size < BUILDS_MAX ? build : "other";
      builds.add(ofBuild);
      for (const [code, times] of Object.entries(report.errors)) {
        count("errors", times);
        count(`errors.${code}`, times);
        count(`errors.${code}@${ofBuild}`, times);
      }
    },
    addLevels(readings) {
      for (const [name, value] of Object.entries(readings)) addLevel(name, [value, value, 1]);
    },
    addStored(figures) {
      addSums(figures);
      for (const [name, readings] of Object.entries(figures.l)) addLevel(name, readings);
    },
    addBeside(figures) {
      addSums(figures);
      for (const [name, [sum, most, readings]] of Object.entries(figures.l)) {
        const [s, m, r] = levels.get(name) ?? [0, 0, 0];
        levels.set(name, [s + sum, m + most, Math.max(r, readings)]);
      }
    },
    stored: () => ({
      c: Object.fromEntries(counters),
      h: Object.fromEntries([...histograms].map(([name, all]) => [name, toSparse(all)])),
      l: Object.fromEntries(levels),
    }),
  };
}

/** The levels of the cores of one company. */
export function levelsOf(reports: readonly CoreReport[]): Record<Level, number> {
  const levels = Object.fromEntries(LEVELS.map((name) => [name, 0])) as Record<Level, number>;
  levels.cores = reports.length;
  for (const { tabs, ports, queues, pages } of reports) {
    levels.tabs += tabs.open;
    levels.visible += tabs.visible;
    levels.ports += ports;
    levels.memory += pages.memory;
    for (const [name, value] of Object.entries(queues))
      levels[name as keyof typeof queues] += value;
  }
  return levels;
}
