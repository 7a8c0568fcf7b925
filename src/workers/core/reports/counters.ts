/** Counts what the core reports, each thing in the company in which it happens. */
import type { SocketLoss } from "../../../shared/domain/socket-losses.ts";
import { UNCAUGHT, type ReportedSocket } from "../../../shared/domain/fleet-names.ts";
import { COMMAND_NAMES } from "../../../shared/protocol/fleet.ts";
import type { ErrorCode } from "../../../shared/errors.ts";
import type { Clock, ConnectionState } from "../contracts.ts";
import {
  addCommand,
  addDuration,
  addError,
  addLoss,
  newWindow,
  type ReportWindow,
  socketCounts,
} from "./window.ts";

/** What a tab measured of itself. `memory` in bytes; null: its browser does not say it. */
export interface PageVitals {
  readonly memory: number | null;
  /** ms of each piece of work that blocked the tab. */
  readonly longTasks: readonly number[];
}

export interface ReportCounters {
  command(name: string, ms: number, failed: boolean): void;
  fanOut(ms: number): void;
  opsOut(count: number): void;
  /** `lost` says why, where the state leaves "open". */
  socket(name: ReportedSocket, state: ConnectionState, attempts: number, lost?: SocketLoss): void;
  socketTraffic(name: ReportedSocket, direction: "sent" | "received"): void;
  refreshed(): void;
  restarted(): void;
  takeover(): void;
  /**
   * @param sent rows of one import that the server has acknowledged in all
   * @param former an earlier core began it: what is known of it first is not counted
   */
  importSent(key: string, sent: number, former: boolean): void;
  error(code: ErrorCode | null): void;
  pageVitals(vitals: Pick<PageVitals, "longTasks">): void;
  /** What happens from now on happens in this company; null: it waits for one. */
  setCompany(company: string | null): void;
  /** Windows of companies, the oldest first, that were counted and not taken out. The window of now comes last. */
  oldest(): { readonly company: string; readonly window: ReportWindow } | null;
  /** Removes what `oldest` answers. */
  removeOldest(): void;
  /** State and attempts of each socket that was ever used. */
  readonly states: ReadonlyMap<ReportedSocket, { state: ConnectionState; attempts: number }>;
  /** Forgets everything, for the next person. */
  clear(): void;
}

const KNOWN = new Set<string>(COMMAND_NAMES);

export function createReportCounters(clock: Pick<Clock, "now">): ReportCounters {
  let company: string | null = null;
  let window = newWindow(clock.now());
  /** Windows of companies that the person has left since. A company has one at most: it goes on when the person returns. */
  const left = new Map<string, ReportWindow>();
  const states = new Map<ReportedSocket, { state: ConnectionState; attempts: number }>();
  const imports = new Map<string, number>();

  return {
    states,
    command(name, ms, failed) {
      if (KNOWN.has(name)) addCommand(window, name, ms, failed);
    },
    fanOut: (ms) => addDuration(window.fanOut, ms),
    opsOut(count) {
      window.ops += count;
    },
    socket(name, state, attempts, lost) {
      const before = states.get(name)?.state ?? "closed";
      states.set(name, { state, attempts });
      if (before !== "open" && state === "open") socketCounts(window, name).opened += 1;
      // A socket that is closed on purpose is not lost.
      const unsaid = before === "open" && (state === "waiting" || state === "connecting");
      if (lost !== undefined) addLoss(window, name, lost);
      else if (unsaid) addLoss(window, name, "other");
    },
    socketTraffic(name, direction) {
      socketCounts(window, name)[direction] += 1;
    },
    refreshed() {
      window.refreshes += 1;
    },
    restarted() {
      window.restarts += 1;
    },
    takeover() {
      window.takeovers += 1;
    },
    importSent(key, sent, former) {
      window.imported += Math.max(0, sent - (imports.get(key) ?? (former ? sent : 0)));
      imports.set(key, sent);
    },
    error: (code) => addError(window, code ?? UNCAUGHT),
    pageVitals({ longTasks }) {
      for (const ms of longTasks) addDuration(window.longTasks, ms);
    },
    setCompany(next) {
      if (next === company) return;
      if (company !== null) {
        left.set(company, window);
        window = newWindow(clock.now());
      }
      company = next;
      const former = next === null ? undefined : left.get(next);
      if (next === null || former === undefined) return;
      left.delete(next);
      window = former;
    },
    oldest() {
      const [first] = left;
      if (first !== undefined) return { company: first[0], window: first[1] };
      return company === null ? null : { company, window };
    },
    removeOldest() {
      const [first] = left;
      if (first !== undefined) left.delete(first[0]);
      else window = newWindow(clock.now());
    },
    clear() {
      left.clear();
      imports.clear();
      company = null;
      window = newWindow(clock.now());
    },
  };
}
