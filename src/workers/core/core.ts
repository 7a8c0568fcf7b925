/** Creates the core's modules over an injected environment: entry.ts passes the browser's, tests pass fakes. */
import { errorText } from "../../shared/domain/client-errors.ts";
import { AppError } from "../../shared/errors.ts";
import type { Handlers } from "../../shared/protocol/core-rpc.ts";
import type { CoreEnv } from "./contracts.ts";
import { createClientErrors } from "./client-errors/index.ts";
import { createBuildReader, watchDeployments } from "./deployments.ts";
import { createDownloads } from "./downloads/index.ts";
import { createFetchPiece } from "./downloads/sources.ts";
import { createFiles } from "./files/index.ts";
import { createTransport, type Transport } from "./http/index.ts";
import { createPeople } from "./people/index.ts";
import { createPageReads } from "./queries/index.ts";
import { createProbe, type Probe } from "./reach/probe.ts";
import { createReach } from "./reach/index.ts";
import { createReportCounters, createReports } from "./reports/index.ts";
import { countRestarts } from "./restarts.ts";
import type { CreateModules, Modules } from "./modules.ts";
import { createRpc } from "./rpc/index.ts";
import { createSession } from "./session/index.ts";
import { createStats } from "./stats/index.ts";
import { createStore, initialSlices } from "./store/index.ts";
import { createTabs, type HelloPort } from "./tabs/index.ts";
import { createSocketsLease, type Channel } from "./sockets-lease.ts";
import { underWay } from "./under-way.ts";

export interface CoreDeps {
  readonly env: CoreEnv;
  readonly channel: Channel;
  /** Comlink.expose or a fake. */
  readonly expose: (facade: object, port: MessagePort) => void;
  readonly createModules: (
    deps: Omit<Parameters<CreateModules>[0], "createConnection" | "staging">,
  ) => Modules;
  /** Replaces the HTTP transport in tests. */
  readonly transport?: Transport;
  /** Replaces the server probe in tests. */
  readonly probe?: Probe;
  /** Replaces the question for the deployed build in tests. */
  readonly readBuild?: () => Promise<string | null>;
}

export interface Core {
  connect(port: HelloPort): void;
  /** Records an uncaught error of the worker. */
  fault(error: AppError | Error | string): void;
  stop(): void;
}

export function createCore({ env, channel, expose, createModules, ...over }: CoreDeps): Core {
  const { clock } = env;
  const startedAt = clock.now();
  let offset = 0;

  const counters = createReportCounters(clock);
  const stats = createStats({
    clock,
    reported: counters,
    store: () => store,
    log: env.log,
    everySecond: () => tabs.measure(),
  });
  const store = createStore({
    clock,
    epoch: env.coreId,
    newId: env.newId,
    slices: initialSlices({ coreId: env.coreId, build: env.build, now: startedAt }),
    onSent: (ops) => stats.opsOut(ops),
    onLatency: (ms) => stats.fanOut(ms),
  });
  const baseUrl = env.config.gatewayBaseUrl === "" ? env.home : env.config.gatewayBaseUrl;
  const reach = createReach({
    env,
    store: () => store,
    probe: over.probe ?? createProbe(baseUrl, env.home),
  });
  const wire =
    over.transport ??
    createTransport({
      baseUrl,
      clock,
      online: env.online,
      onOffset: (ms) => {
        offset = ms;
        store.set(["session", "serverTimeOffset"], ms);
      },
    });
  const tabs = createTabs({
    env,
    store,
    stats,
    startedAt,
    expose: (tabId, port) => expose(rpc.facadeFor(tabId), port),
  });
  const idle = (): boolean =>
    (["call", "groupCall", "conference"] as const).every(
      (name) => store.get(name).status === "idle",
    );
  const {
    session,
    http: sessionHttp,
    ...sessionModule
  } = createSession({
    env: { ...env, online: reach.online },
    store,
    stats,
    transport: reach.watch(wire),
    offset: () => offset,
    path: () => tabs.path(),
    language: () => tabs.language(),
    tabs: () => tabs.list(),
    busy: () => !idle(),
    onChanged: () => lease.tellSession(),
  });
  const reads = createPageReads({
    env,
    http: sessionHttp,
    session,
    company: () => store.get("session").supplierId,
    loggedOut: () => store.get("session").status === "anonymous",
    settled: () => sessionModule.settled(),
    tabs,
    stats,
    reach,
    onAnswer: (call, answer) => people.learn(call, answer),
    onChanged: ({ tags, left }, company) => {
      if (tags.includes("memberships")) {
        sessionModule.membershipsChanged(left === true ? company : null);
      } else if (tags.includes("menus")) sessionModule.rightsChanged(company);
      modules?.changed(tags);
    },
  });
  const { http } = reads;
  const people = createPeople({ env, http, session, onPeople: (met) => modules?.met(met) });
  const files = createFiles({ http: { ...http, file: sessionHttp.file }, clock, session });
  const downloads = createDownloads({
    env: { ...env, online: reach.online },
    store,
    session,
    fetchPiece: createFetchPiece({
      env: { clock, online: reach.online },
      http: sessionHttp,
      async readGroupFile(file, options) {
        if (modules === null) throw new AppError("chat.not-connected");
        return await modules.readGroupFile(file, options);
      },
    }),
  });
  const clientErrors = createClientErrors({
    env: { ...env, online: reach.online },
    http,
    session,
  });
  const reports = createReports({
    env,
    http,
    session,
    store,
    tabs,
    counters,
    startedAt,
    watched: () => reads.size().watchers,
  });
  const deployments = watchDeployments({
    env,
    tabs,
    reach,
    readBuild: over.readBuild ?? createBuildReader(env.home),
    onNewer: (build) => store.retire(build),
  });
  const worker: Handlers<"worker"> = {
    echo: ({ payload }) => Promise.resolve({ at: clock.now(), payload }),
    checkBuild: async () => {
      await deployments.check();
      return null;
    },
    busy: () => Promise.resolve({ inCall: !idle(), ...underWay(store) }),
    fanOut: ({ bytes }) => {
      const n = store.get("probe").n + 1;
      store.set(["probe"], { n, at: clock.now(), payload: "x".repeat(bytes) });
      store.flush();
      return Promise.resolve(null);
    },
    pageVitals(vitals, { tabId }) {
      reports.pageVitals(tabId, vitals);
      return Promise.resolve(null);
    },
    reportError: ({ message, stack, path }, { tabId }) => {
      stats.error(`tab ${tabId.slice(0, 8)}: ${message}`);
      clientErrors.add("page", { message, stack }, path);
      return Promise.resolve(null);
    },
  };

  /** Modules that need the sockets lock; null while this core does not hold it. */
  let modules: Modules | null = null;
  let modulesMade = (): void => {};
  /** Resolves once `modules` was created, and is null from then on: if they are stopped later, a newer core has them. */
  let modulesThere: Promise<void> | null = new Promise((resolve) => {
    modulesMade = () => {
      modulesThere = null;
      resolve();
    };
  });
  const rpc = createRpc({
    clock,
    precise: () => performance.now(),
    company: () => store.get("session").supplierId,
    stats,
    handlers: () => ({
      session: sessionModule.handlers,
      rest: reads.handlers,
      people: people.people,
      files: files.handlers,
      downloads: downloads.handlers,
      worker,
      chat: modules?.handlers.chat,
      group: modules?.handlers.group,
      friend: modules?.handlers.friend,
      call: modules?.handlers.call,
      groupCall: modules?.handlers.groupCall,
      imports: modules?.handlers.imports,
      uploads: modules?.handlers.uploads,
      conference: modules?.handlers.conference,
      alerts: modules?.handlers.alerts,
    }),
    ready: (namespace) => {
      if (namespace === "session" || namespace === "worker") return null;
      const needsModules = !["rest", "people", "files", "downloads"].includes(namespace);
      const settled = sessionModule.settled();
      if (!needsModules || modulesThere === null) return settled;
      return Promise.all([settled, modulesThere]);
    },
  });

  const restored = sessionModule.restore();
  const lease = createSocketsLease({
    env,
    tabs,
    channel,
    idle,
    onStart: () => {
      modules ??= createModules({
        env,
        store,
        tabs: tabs.replaying(),
        http,
        session,
        stats,
        reach,
        reads: {
          changed: reads.changed,
          missed() {
            reads.missed();
            sessionModule.changesMissed();
          },
        },
      });
      modulesMade();
    },
    onStop: () => {
      const stopped = modules?.stop();
      modules = null;
      return stopped ?? Promise.resolve();
    },
    onRetired: (build) => store.retire(build),
    onSession: () => sessionModule.reread().catch(failed),
  });

  const failed = (error: unknown): void =>
    stats.error(error instanceof Error ? error : String(error));
  tabs.onJoin(() => stats.start());
  tabs.onLeave(() => {
    if (tabs.list().length === 0) stats.stop();
  });
  restored.catch(failed);
  countRestarts(env, tabs, counters.restarted).then(
    (restarts) => store.set(["worker", "restarts"], restarts),
    failed,
  );

  return {
    connect: (port) => tabs.connect(port),
    fault(error) {
      stats.error(error);
      clientErrors.add("core", errorText(error), tabs.path() ?? "");
    },
    stop() {
      lease.stop();
      deployments.stop();
      clientErrors.stop();
      reports.stop();
      reads.stop();
      files.stop();
      downloads.stop();
      sessionModule.stop();
      reach.stop();
      stats.stop();
      tabs.stop();
    },
  };
}
