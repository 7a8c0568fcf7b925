/** The cores that report now: those of this process, and what other processes say of theirs (docs/server.md#reports-of-cores). */
import { addSparse, emptyHistogram, quantile } from "../../../shared/domain/latency-histogram.ts";
import { type CoreReport, type FleetHello, REPORT_MS } from "../../../shared/protocol/fleet.ts";
import { z } from "../../../shared/zod.ts";
import type { Clock } from "../../base/module.ts";

/** ms after its last report when a core is no longer listed. */
export const LISTED_MS = 4 * REPORT_MS;
/** ms for which a core whose socket is closed stays, because it usually comes back. */
const GRACE_MS = REPORT_MS;

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
  restarted: z.boolean(),
});
export type LiveCore = z.infer<typeof liveCoreSchema>;

interface OwnCore {
  row: LiveCore;
  report: CoreReport;
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
  /** The last report of a core of this process. */
  reportOf(core: string): CoreReport | null;
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

export function p99Of(report: CoreReport): number | null {
  const all = emptyHistogram();
  for (const { ms } of Object.values(report.commands)) addSparse(all, ms);
  return quantile(all, 0.99);
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
      const lost = Object.values(report.sockets).map((socket) => sum(socket.lost));
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
          lost: (before?.lost ?? 0) + lost.reduce((all, one) => all + one, 0),
          restarted: before?.restarted === true || report.restarts > 0,
        },
        report,
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
    reportOf: (core) => own.get(core)?.report ?? null,
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
