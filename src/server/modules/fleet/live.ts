/** The cores that report now: those of this process, and what other processes say of theirs (docs/server.md#reports-of-cores). */
import {
  addSparse,
  emptyHistogram,
  type LatencyHistogram,
  quantile,
  type SparseHistogram,
} from "../../../shared/domain/latency-histogram.ts";
import { type CoreReport, type FleetHello, REPORT_MS } from "../../../shared/protocol/fleet.ts";
import { z } from "../../../shared/zod.ts";
import type { Clock } from "../../base/module.ts";

/** ms after its last report when a core is no longer listed. */
export const LISTED_MS = 4 * REPORT_MS;
/** ms for which a core whose socket is closed stays, because it usually comes back. */
const GRACE_MS = REPORT_MS;
/** ms for which reports of a core are kept beside the last one. */
const RECENT_MS = 5 * 60_000;
/** How many reports of a core the server keeps: the last 20 while a page shows the core, otherwise the last 3 unusual ones. */
const [RECENT_WATCHED, RECENT_UNUSUAL] = [20, 3];
/** ms after the last look. */
const WATCHED_MS = 60_000;
/** ms of 99 of 100 commands, and of work that blocks a tab, which are unusual. */
export const SLOW_COMMANDS_MS = 1_000;
const SLOW_TASKS_MS = 500;

export const liveCoreSchema = z.object({
  core: z.string(),
  accountId: z.string(),
  companyId: z.string(),
  build: z.string(),
  browser: z.string(),
  os: z.string(),
  startedAt: z.number(),
  /** When it reported last, ms since the epoch. */
  at: z.number(),
  /** Number of that report. */
  n: z.number(),
  tabs: z.number(),
  visible: z.number(),
  outbox: z.number(),
  p99: z.number().nullable(),
  errors: z.number(),
  lost: z.number(),
  /** Errors by code, and lost connections by socket. */
  codes: z.record(z.string(), z.number()).default({}),
  losses: z.record(z.string(), z.number()).default({}),
  restarted: z.boolean(),
});
export type LiveCore = z.infer<typeof liveCoreSchema>;

export interface KeptReport {
  /** When it came, ms since the epoch. */
  readonly at: number;
  readonly report: CoreReport;
}

interface OwnCore {
  row: LiveCore;
  report: CoreReport;
  /** Earlier reports, the latest first. */
  recent: readonly KeptReport[];
  /** ms since the epoch until which every report is kept. */
  watchedUntil: number;
  /** ms since the epoch after which it is no longer listed. */
  until: number;
  /** It changed since `changes` was asked. */
  changed: boolean;
}

export interface LiveCores {
  /**
   * Enters a report.
   *
   * @returns repeated: it was entered before. foreign: the core is another person's.
   */
  enter(accountId: string, hello: FleetHello, report: CoreReport): "new" | "repeated" | "foreign";
  /** The socket of a core is closed. */
  closed(accountId: string, core: string): void;
  /** @param companyId null: of every company */
  list(companyId: string | null): LiveCore[];
  find(core: string): LiveCore | null;
  /** The reports of a core of this process, the latest first. From now on, all of them are kept for a while. */
  lookAt(core: string): readonly KeptReport[] | null;
  /** Reports of the cores of this process. */
  ownReports(): { readonly companyId: string; readonly report: CoreReport }[];
  /** Cores of this process that changed since the last call, or all. */
  changes(all: boolean): LiveCore[];
  /** What another process says of its cores. */
  learn(rows: readonly LiveCore[]): void;
  /** Forgets the cores that are no longer listed. */
  prune(): void;
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, one) => all + one, 0);

const addSparseOf = (flat: SparseHistogram): LatencyHistogram => {
  const all = emptyHistogram();
  addSparse(all, flat);
  return all;
};

export function p99Of(report: CoreReport): number | null {
  const all = emptyHistogram();
  for (const { ms } of Object.values(report.commands)) addSparse(all, ms);
  return quantile(all, 0.99);
}

const added = (
  before: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>>,
): Record<string, number> => {
  const all = { ...before };
  for (const [name, count] of Object.entries(more))
    if (count > 0) all[name] = (all[name] ?? 0) + count;
  return all;
};

function isUnusual(report: CoreReport): boolean {
  const tasks = addSparseOf(report.pages.longTasks);
  return (
    report.restarts > 0 ||
    sum(report.errors) > 0 ||
    Object.values(report.sockets).some(({ lost }) => sum(lost) > 0) ||
    (p99Of(report) ?? 0) > SLOW_COMMANDS_MS ||
    (quantile(tasks, 0.99) ?? 0) > SLOW_TASKS_MS
  );
}

export function createLiveCores(clock: Pick<Clock, "now">): LiveCores {
  const own = new Map<string, OwnCore>();
  const remote = new Map<string, LiveCore>();
  const isListed = (row: LiveCore): boolean => row.at + LISTED_MS > clock.now();

  return {
    enter(accountId, hello, report) {
      const before = own.get(hello.core)?.row ?? remote.get(hello.core);
      if (before !== undefined && before.accountId !== accountId) return "foreign";
      const at = clock.now();
      if (before !== undefined && report.n <= before.n) return "repeated";
      const lost = Object.fromEntries(
        Object.entries(report.sockets).map(([name, socket]) => [name, sum(socket.lost)]),
      );
      const last = own.get(hello.core);
      const watchedUntil = last?.watchedUntil ?? 0;
      const earlier = (last?.recent ?? []).filter((kept) => kept.at > at - RECENT_MS);
      remote.delete(hello.core);
      own.set(hello.core, {
        row: {
          ...hello,
          accountId,
          companyId: report.company,
          at,
          n: report.n,
          tabs: report.tabs.open,
          visible: report.tabs.visible,
          outbox: report.queues.outbox,
          p99: p99Of(report),
          errors: (before?.errors ?? 0) + sum(report.errors),
          lost: (before?.lost ?? 0) + sum(lost),
          codes: added(before?.codes ?? {}, report.errors),
          losses: added(before?.losses ?? {}, lost),
          restarted: before?.restarted === true || report.restarts > 0,
        },
        report,
        recent: [
          ...(watchedUntil > at || isUnusual(report) ? [{ at, report }] : []),
          ...earlier,
        ].slice(0, watchedUntil > at ? RECENT_WATCHED : RECENT_UNUSUAL),
        watchedUntil,
        until: at + LISTED_MS,
        changed: true,
      });
      return "new";
    },
    closed(accountId, core) {
      const entry = own.get(core);
      if (entry?.row.accountId !== accountId) return;
      entry.until = Math.min(entry.until, clock.now() + GRACE_MS);
    },
    list(companyId) {
      const rows = [...own.values()]
        .filter(({ until }) => until > clock.now())
        .map(({ row }) => row);
      rows.push(...[...remote.values()].filter(isListed));
      return companyId === null ? rows : rows.filter((row) => row.companyId === companyId);
    },
    find: (core) => own.get(core)?.row ?? remote.get(core) ?? null,
    lookAt(core) {
      const entry = own.get(core);
      if (entry === undefined) return null;
      const { row, report, recent } = entry;
      entry.watchedUntil = clock.now() + WATCHED_MS;
      const [first] = recent;
      return first?.report === report ? recent : [{ at: row.at, report }, ...recent];
    },
    ownReports: () =>
      [...own.values()]
        .filter(({ until }) => until > clock.now())
        .map(({ row, report }) => ({ companyId: row.companyId, report })),
    changes(all) {
      const entries = [...own.values()].filter(({ changed }) => all || changed);
      for (const entry of entries) entry.changed = false;
      return entries.map(({ row }) => row);
    },
    learn(rows) {
      for (const row of rows) {
        const here = own.get(row.core);
        if (here !== undefined) {
          // The core has moved to the other process.
          if (row.n <= here.row.n || row.accountId !== here.row.accountId) continue;
          own.delete(row.core);
        }
        remote.set(row.core, row);
      }
    },
    prune() {
      const now = clock.now();
      for (const [core, { until }] of own) if (until <= now) own.delete(core);
      for (const [core, row] of remote) if (!isListed(row)) remote.delete(core);
    },
  };
}
