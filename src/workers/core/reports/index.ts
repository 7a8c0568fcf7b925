/**
 * Reports the core's statistics to the server every 15 s while somebody is logged in (docs/server.md#reports-of-cores). One report is on
 * its way at a time. What happens meanwhile is added up, so an outage costs no memory, and the next report has all of it.
 */
import {
  type CoreReportInput,
  FLEET_RESULT,
  fleetAckSchema,
  REPORT_MS,
} from "../../../shared/protocol/fleet.ts";
import { AppError } from "../../../shared/errors.ts";
import { fleetTicketCall } from "../../../shared/protocol/rest/fleet.ts";
import { WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Http, Session, SessionUser, Store, Tabs, Timer } from "../contracts.ts";
import { createJsonSocket, type JsonSocket } from "../sockets/index.ts";
import { createReportCounters, type PageVitals, type ReportCounters } from "./counters.ts";
import { pack } from "./pack.ts";
import { standing } from "./standing.ts";
import { countsOf, unlessZero } from "./window.ts";

export { createReportCounters, type PageVitals, type ReportCounters };

/** ms before the first and the last of several attempts to connect, half of it at random, so that a fleet does not come back at once. */
const FIRST_DELAY_MS = 10_000;
const LAST_DELAY_MS = 300_000;
/** ms without an answer after which the socket counts as dead. */
const SILENCE_MS = 2 * REPORT_MS;
const MIB = 2 ** 20;

export interface ReportsDeps {
  readonly env: Pick<
    CoreEnv,
    | "clock"
    | "openSocket"
    | "online"
    | "random"
    | "config"
    | "home"
    | "build"
    | "coreId"
    | "device"
    | "log"
  >;
  readonly http: Pick<Http, "call">;
  readonly session: Pick<Session, "onUser">;
  readonly store: Pick<Store, "get">;
  readonly tabs: Pick<Tabs, "onLeave">;
  readonly counters: ReportCounters;
  readonly startedAt: number;
  /** Reads that tabs watch now. */
  readonly watched: () => number;
}

export interface Reports {
  /** What a tab measured of itself since its last call. */
  pageVitals(tabId: string, vitals: PageVitals): void;
  /** Idempotent. */
  stop(): void;
}

/** This login does not report: the server said so, or does not know the call. */
const isRefused = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.code === "auth.required" || error.code === "request.not-found");

export function createReports(deps: ReportsDeps): Reports {
  const { env, counters, store } = deps;
  const { clock } = env;
  const memory = new Map<string, number>();
  let accountId: string | null = null;
  let n = 0;
  /** The report that waits for its answer. */
  let sent: { readonly n: number; readonly bytes: Uint8Array<ArrayBuffer>; at: number } | null =
    null;
  let packing = false;
  /** The server has answered the hello. */
  let greeted = false;
  /** The server has closed a socket that it had accepted, because the login has ended. */
  let ended = false;
  let off = false;
  let every = REPORT_MS;
  let timer: Timer | null = null;
  let starting: Timer | null = null;

  const socket: JsonSocket = createJsonSocket({
    env,
    // It is no socket of the worker slice, whose figures are those of calls.
    name: "quality",
    stats: { socket: () => undefined, socketTraffic: () => undefined },
    async url() {
      const ticket = await deps.http.call(fleetTicketCall, {}, { supplierId: null });
      off = ticket.url === null;
      if (ticket.url === null) throw new AppError("request.cancelled");
      every = ticket.every;
      const base = new URL(env.config.gatewayBaseUrl === "" ? env.home : env.config.gatewayBaseUrl);
      return new URL(ticket.url, base).toString().replace(/^http/, "ws");
    },
    // The next ticket is refused, which ends the login in the tabs, also where chat brings no news of it.
    delays: (attempt) =>
      ended
        ? 0
        : Math.round(
            Math.min(FIRST_DELAY_MS * 2 ** attempt, LAST_DELAY_MS) * (0.5 + env.random() / 2),
          ),
    onLoss({ code, error }) {
      ended = greeted && code === WS_CLOSE.unauthorised;
      greeted = false;
      return off || isRefused(error) ? "stop" : undefined;
    },
    onOpen() {
      socket.send({
        core: env.coreId,
        build: env.build.slice(0, 64),
        browser: printable(env.device.browser),
        os: printable(env.device.os),
        startedAt: Math.max(0, Math.round(deps.startedAt)),
      });
    },
    onMessage: answered,
  });

  function answered(message: unknown): void {
    const ack = fleetAckSchema.safeParse(message);
    if (!ack.success) return;
    const { result } = ack.data;
    if (ack.data.n === 0) {
      greeted = result === FLEET_RESULT.ok;
      if (greeted && sent !== null) resend(sent);
      return;
    }
    if (result === FLEET_RESULT.busy) return;
    // An answer without a number is for a report that could not be read, and so is the one that waits.
    const unread = ack.data.n < 0 && result === FLEET_RESULT.badFrame;
    if (!unread && ack.data.n !== sent?.n) return;
    if (result !== FLEET_RESULT.ok) env.log("quality", "warn", `a report was refused (${result})`);
    sent = null;
    // Reports of companies that the person has left follow at once, since nothing is added to them.
    if (counters.oldest()?.company !== company()) void send();
  }

  const company = (): string | null => store.get("session").supplierId;

  function resend(report: NonNullable<typeof sent>): void {
    if (socket.send(report.bytes)) report.at = clock.now();
  }

  function reportOfNow(): CoreReportInput | null {
    const next = counters.oldest();
    if (next === null) return null;
    const { longTasks, sockets, ...counts } = countsOf(next.window, clock.now());
    counters.removeOldest();
    n += 1;
    const states = [...counters.states].map(([name, { state, attempts }]) => [
      name,
      { state, ...unlessZero({ attempts }), ...sockets.get(name) },
    ]);
    const sizes = [...memory.values()].map((bytes) => Math.round(bytes / MIB));
    return {
      n,
      company: next.company,
      ...counts,
      ...standing(store, deps.watched()),
      sockets: Object.fromEntries(states) as CoreReportInput["sockets"],
      pages: {
        ...unlessZero({
          measured: sizes.length,
          memory: sizes.reduce((sum, size) => sum + size, 0),
          largest: Math.max(0, ...sizes),
        }),
        longTasks,
      },
    };
  }

  async function send(): Promise<void> {
    if (packing || sent !== null || !greeted || socket.state !== "open") return;
    const whose = accountId;
    const report = reportOfNow();
    if (report === null) return;
    packing = true;
    try {
      const bytes = await pack(report);
      if (accountId !== whose) return;
      sent = { n: report.n, bytes, at: clock.now() };
      if (greeted) resend(sent);
    } finally {
      packing = false;
    }
  }

  /** Rows of imports that are acknowledged: only what this core has seen being sent. */
  function countImports(): void {
    for (const [key, { sent: rows, startedAt }] of Object.entries(store.get("imports").byKey)) {
      counters.importSent(key, rows, startedAt < deps.startedAt);
    }
  }

  const tick = (): void => {
    timer = clock.after(every, tick);
    countImports();
    if (sent !== null && greeted) {
      if (clock.now() - sent.at > SILENCE_MS) socket.reconnect("no answer");
      else resend(sent);
    } else void send();
  };

  const begin = (user: SessionUser): void => {
    if (accountId !== null && accountId !== user.accountId) end();
    accountId = user.accountId;
    counters.setCompany(user.supplierId);
    if (!env.config.reports || starting !== null || timer !== null) return;
    off = false;
    // The first page has other work to do.
    starting = clock.after(Math.round(REPORT_MS * (0.3 + 0.7 * env.random())), () => {
      starting = null;
      timer = clock.after(every, tick);
      socket.open();
    });
  };
  const end = (): void => {
    starting?.cancel();
    timer?.cancel();
    starting = timer = null;
    socket.close();
    counters.clear();
    accountId = null;
    sent = null;
    greeted = false;
  };

  const stopListening = [
    deps.session.onUser((user) => (user === null ? end() : begin(user))),
    deps.tabs.onLeave((tabId) => void memory.delete(tabId)),
  ];
  return {
    pageVitals(tabId, vitals) {
      counters.pageVitals(vitals);
      if (vitals.memory !== null) memory.set(tabId, vitals.memory);
    },
    stop() {
      for (const stop of stopListening.splice(0)) stop();
      end();
    },
  };
}

/** A text of the browser as the wire takes it. */
const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, "?").slice(0, 100);
