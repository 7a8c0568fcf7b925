/**
 * Collects what cores report of themselves (docs/server.md#reports-of-cores): which cores there are now, in memory and between the
 * processes, and their figures over time, in the database.
 */
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { Counter, Gauge } from "prom-client";
import type { WebSocket } from "ws";
import {
  FLEET_LIMITS,
  FLEET_PATH,
  fleetQuerySchema,
  REPORT_MS,
} from "../../../shared/protocol/fleet.ts";
import { fleetTicketCall } from "../../../shared/protocol/rest/fleet.ts";
import { WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import { AGAIN } from "../../base/cluster/bus.ts";
import { FLEET_STEP } from "../../base/cluster/fleet-step.ts";
import { processName } from "../../base/cluster/url.ts";
import type { ServerConfig } from "../../base/config.ts";
import { route } from "../../base/http/route.ts";
import type {
  ServerDeps,
  ServerModule,
  SocketClient,
  StandaloneModule,
} from "../../base/module.ts";
import { createFleetConnection, type FleetAdmission, type FleetConnection } from "./connection.ts";
import { createLiveCores, type KeptReport } from "./live.ts";
import { createNamedCores } from "./named.ts";
import { fleetRoutes } from "./reading.ts";
import { createRollup, type RollupRow, withAll } from "./rollup.ts";
import { createServerFigures, NO_COMPANY } from "./server-figures.ts";
import { createSharing, UNSHARED } from "./sharing.ts";
import { createFleetStore, type Keeping } from "./store.ts";
import { createFleetTickets, isSampled } from "./tickets.ts";
import { createWriting } from "./writing.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** ms between two steps. */
const STEP_MS = 10_000;
/** ms that the database may take to answer, when that is measured. */
const PING_MS = 2_000;
/** Most cores per person that report. */
const SOCKETS_PER_ACCOUNT = 10;

/** ms for which figures are kept, by step. The embedded database lies beside the server and is to stay small. */
export function keepingOf(config: ServerConfig): Keeping {
  const [fine, minutes, hours] = config.DATABASE_URL === undefined ? [0.25, 7, 90] : [2, 30, 400];
  return {
    10: (config.FLEET_DAYS_FINE ?? fine) * DAY_MS,
    60: (config.FLEET_DAYS_MINUTES ?? minutes) * DAY_MS,
    3600: (config.FLEET_DAYS_HOURS ?? hours) * DAY_MS,
  };
}

export function createFleetModule(deps: ServerDeps): ServerModule {
  const { clock, config, db, directory, log, metrics } = deps;
  const process = randomUUID();
  const name = processName(config);
  const keeping = keepingOf(config);
  const live = createLiveCores(clock);
  const store = createFleetStore(db);
  const rollup = createRollup(clock.now());
  const named = createNamedCores();
  const tickets = createFleetTickets(config.APP_SECRET, clock);
  const connections = new Set<FleetConnection>();
  /** How many each account has. */
  const sockets = new Map<string, number>();
  /** Logins that ended while a ticket was being checked; it may be one of theirs. */
  const ended = new Set<string>();
  let checking = 0;
  let stopped = false;
  let timer: { cancel(): void } | null = null;
  const onError = (error: unknown): void => log.error({ err: error }, "reports of cores failed");
  /** A database that is away answers late or never; its step has no duration then. */
  async function ping(): Promise<number | null> {
    const began = performance.now();
    let late: { cancel(): void } | null = null;
    const answered = db.execute(sql`SELECT 1`).then(
      () => performance.now() - began,
      () => null,
    );
    const tooLate = new Promise<null>((resolve) => {
      late = clock.setTimeout(() => resolve(null), PING_MS);
    });
    try {
      return await Promise.race([answered, tooLate]);
    } finally {
      (late as { cancel(): void } | null)?.cancel();
    }
  }
  const ownFigures = createServerFigures(metrics, ping);
  const writing = createWriting({ store, writer: process, log });
  const sharing =
    config.REDIS_URL === undefined
      ? UNSHARED
      : createSharing({ bus: deps.bus, clock, process, live, onError });

  metrics.registerMetric(
    new Gauge({
      name: "fleet_sockets",
      help: "Open sockets of cores that report",
      registers: [],
      collect() {
        this.set([...connections].filter(({ sender }) => sender !== null).length);
      },
    }),
  );
  const reports = new Counter({
    name: "fleet_reports_total",
    help: "Reports of cores: new, repeated, or of a core of another person",
    labelNames: ["result"],
    registers: [metrics],
  });

  const openLogins = (): string[] =>
    [...connections].flatMap(({ sender }) => sender?.sessionId ?? []);
  const stopAgain = deps.bus.subscribe(AGAIN, () => {
    for (const connection of connections) connection.forgetCompanies();
  });
  const stopListening = directory.onAccessEnd((end) => {
    if (end.of === "login" && checking > 0) ended.add(end.sessionId);
    for (const { sender, close } of connections) {
      if (end.of === "login" && sender?.sessionId === end.sessionId) {
        close(WS_CLOSE.unauthorised, "login session ended");
      } else if (end.of === "company" && sender?.accountId === end.accountId) {
        sender.companies.delete(end.supplierId);
      }
    }
  }, openLogins);

  const refuse = (code: number, reason: string): FleetAdmission => ({ sender: null, code, reason });
  async function admit(ticket: string, client: SocketClient): Promise<FleetAdmission> {
    checking += 1;
    try {
      const claims = await tickets.verify(ticket);
      const principal = claims === null ? null : await directory.principalOf(claims.sessionId);
      if (claims === null || principal === null || ended.has(claims.sessionId)) {
        return refuse(WS_CLOSE.unauthorised, "bad ticket");
      }
      const { accountId } = principal;
      if (
        (sockets.get(accountId) ?? 0) >= SOCKETS_PER_ACCOUNT ||
        !client.identify(principal.chatUserName)
      ) {
        return refuse(WS_CLOSE.tooMany, "too many sockets");
      }
      const { sessionId } = claims;
      return { sender: { accountId, sessionId, companies: new Set(principal.supplierIds) } };
    } finally {
      checking -= 1;
      if (checking === 0) ended.clear();
    }
  }

  function accept(socket: WebSocket, url: URL, client: SocketClient): void {
    socket.on("error", () => undefined);
    if (stopped) return socket.close(WS_CLOSE.shutdown, "server is stopping");
    const query = fleetQuerySchema.safeParse(Object.fromEntries(url.searchParams));
    if (!query.success) return socket.close(WS_CLOSE.unauthorised, "no ticket");
    const connection = createFleetConnection(socket, {
      clock,
      onError,
      admit: () => admit(query.data.ticket, client),
      companiesOf: async ({ sessionId }) =>
        (await directory.principalOf(sessionId))?.supplierIds ?? null,
      enter({ accountId }, hello, report) {
        const result = live.enter(accountId, hello, report);
        reports.inc({ result });
        if (result === "new") {
          rollup.addReport(report, hello.build);
          named.add(report, hello.core, accountId);
        }
        return result !== "foreign";
      },
      onAdmitted: ({ accountId }) => sockets.set(accountId, (sockets.get(accountId) ?? 0) + 1),
      onGone({ sender, hello }) {
        connections.delete(connection);
        if (sender === null) return;
        const { accountId } = sender;
        const others = (sockets.get(accountId) ?? 1) - 1;
        if (others > 0) sockets.set(accountId, others);
        else sockets.delete(accountId);
        if (hello !== null) live.closed(accountId, hello.core);
      },
    });
    connections.add(connection);
  }

  /** Says what the step had, for the alerts of every process. */
  async function publish(rows: readonly RollupRow[]): Promise<void> {
    const fine = rows.filter(({ seconds }) => seconds === 10);
    const [{ at } = { at: clock.now() }] = fine;
    const figures = fine.map((row) => ({ companyId: row.companyId, figures: row.figures }));
    const step = { process, name, at, rows: figures, named: named.close() };
    await deps.bus.publish(FLEET_STEP, step);
  }

  let closing: Promise<void> | null = null;
  let writingNow: Promise<void> | null = null;
  async function close(last: boolean): Promise<void> {
    live.prune();
    rollup.addFigures(NO_COMPANY, await ownFigures.read());
    const rows = rollup.close(clock.now(), live.ownReports(), last);
    writing.add(withAll(rows));
    await publish(rows);
    await sharing.share();
  }
  function step(): void {
    timer = clock.setTimeout(step, STEP_MS - (clock.now() % STEP_MS));
    // Steps do not pile up. What this one would have closed comes with the next one.
    closing ??= close(false)
      .catch(onError)
      .finally(() => {
        closing = null;
        // A slow database delays no step: the alerts need them also while it is away.
        writingNow ??= writing
          .flush()
          .catch(onError)
          .finally(() => (writingNow = null));
      });
  }

  const prepare = async (): Promise<void> => {
    if (config.DATABASE_URL !== undefined) await store.prepare(clock.now());
  };
  deps.tasks.add({
    id: "fleet",
    every: HOUR_MS,
    async run() {
      await prepare();
      return store.prune(clock.now(), keeping);
    },
  });

  const reportsOf = (core: string): Promise<readonly KeptReport[] | null> => {
    const own = live.lookAt(core);
    return own === null ? sharing.ask(core) : Promise.resolve(own);
  };
  const readings = fleetRoutes({ ...deps, live, keeping, reportsOf });

  return {
    name: "fleet",
    routes(app) {
      route(app, fleetTicketCall, deps, async ({ principal }) => {
        const { accountId, sessionId } = principal;
        if (!isSampled(sessionId, config.FLEET_SHARE)) return { url: null, every: REPORT_MS };
        const ticket = await tickets.sign({ accountId, sessionId });
        return { url: `${config.BASE_PATH}${FLEET_PATH}?ticket=${ticket}`, every: REPORT_MS };
      });
      readings(app);
    },
    sockets: [
      {
        path: FLEET_PATH,
        maxPayload: FLEET_LIMITS.frameBytes,
        accept: (socket, _request, url, client) => accept(socket, url, client),
      },
    ],
    async start() {
      await prepare();
      await sharing.start();
      timer = clock.setTimeout(step, STEP_MS - (clock.now() % STEP_MS));
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      stopListening();
      stopAgain();
      timer?.cancel();
      for (const connection of connections) {
        connection.close(WS_CLOSE.shutdown, "server is stopping");
      }
      await closing;
      await close(true);
      await writing.flush();
      sharing.stop();
    },
  };
}

export const standalone: StandaloneModule = { area: "server", create: createFleetModule };
