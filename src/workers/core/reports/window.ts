/** What happened in a core since its last report (docs/server.md#reports-of-cores), by company. Only counts, so that it never grows. */
import {
  bucketOf,
  emptyHistogram,
  type LatencyHistogram,
  toSparse,
} from "../../../shared/domain/latency-histogram.ts";
import type { SocketLoss } from "../../../shared/domain/socket-losses.ts";
import type { ReportedSocket } from "../../../shared/domain/fleet-names.ts";
import type { CoreReportInput, ReportedError } from "../../../shared/protocol/fleet.ts";

interface CommandCounts {
  readonly ms: LatencyHistogram;
  failed: number;
}
interface SocketCounts {
  opened: number;
  sent: number;
  received: number;
  readonly lost: Map<SocketLoss, number>;
}

export interface ReportWindow {
  /** When it began, ms since the epoch. */
  readonly since: number;
  readonly commands: Map<string, CommandCounts>;
  readonly fanOut: LatencyHistogram;
  readonly longTasks: LatencyHistogram;
  readonly sockets: Map<ReportedSocket, SocketCounts>;
  readonly errors: Map<ReportedError, number>;
  ops: number;
  restarts: number;
  refreshes: number;
  takeovers: number;
  imported: number;
}

export const newWindow = (since: number): ReportWindow => ({
  since,
  commands: new Map(),
  fanOut: emptyHistogram(),
  longTasks: emptyHistogram(),
  sockets: new Map(),
  errors: new Map(),
  ops: 0,
  restarts: 0,
  refreshes: 0,
  takeovers: 0,
  imported: 0,
});

const raise = <K>(counts: Map<K, number>, key: K): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};
export function addDuration(histogram: LatencyHistogram, ms: number): void {
  const bucket = bucketOf(ms);
  histogram[bucket] = (histogram[bucket] ?? 0) + 1;
}

export function addCommand(window: ReportWindow, name: string, ms: number, failed: boolean): void {
  let counts = window.commands.get(name);
  if (counts === undefined) {
    window.commands.set(name, (counts = { ms: emptyHistogram(), failed: 0 }));
  }
  addDuration(counts.ms, ms);
  if (failed) counts.failed += 1;
}

export function socketCounts(window: ReportWindow, name: ReportedSocket): SocketCounts {
  let counts = window.sockets.get(name);
  if (counts === undefined) {
    window.sockets.set(name, (counts = { opened: 0, sent: 0, received: 0, lost: new Map() }));
  }
  return counts;
}
export const addLoss = (window: ReportWindow, name: ReportedSocket, loss: SocketLoss): void =>
  raise(socketCounts(window, name).lost, loss);
export const addError = (window: ReportWindow, code: ReportedError): void =>
  raise(window.errors, code);

/** The counts of a window as a report has them. What is zero is left out. */
export function countsOf(window: ReportWindow, now: number) {
  const { commands, sockets, errors, ops, restarts, refreshes, takeovers, imported } = window;
  return {
    ms: Math.max(0, Math.round(now - window.since)),
    ...unlessZero({ ops, restarts, refreshes, takeovers, imported }),
    commands: Object.fromEntries(
      [...commands].map(([name, { ms, failed }]) => [
        name,
        { ms: toSparse(ms), ...unlessZero({ failed }) },
      ]),
    ),
    fanOut: toSparse(window.fanOut),
    longTasks: toSparse(window.longTasks),
    sockets: new Map(
      [...sockets].map(([name, { opened, sent, received, lost }]) => [
        name,
        { ...unlessZero({ opened, sent, received }), lost: Object.fromEntries(lost) },
      ]),
    ),
    errors: Object.fromEntries(errors),
  } satisfies Partial<Record<keyof CoreReportInput, unknown>> & { longTasks: number[] };
}

export function unlessZero<T extends Readonly<Record<string, number>>>(counts: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(counts).filter(([, value]) => value !== 0),
  ) as Partial<T>;
}
