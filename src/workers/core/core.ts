/** Puts the rooms of the core together over an injected environment; entry.ts gives it the browser's, tests give it fakes. */
import type { AppError } from "../../shared/errors.ts";
import type { Handlers } from "../../shared/protocol/core-rpc.ts";
import type { CoreEnv } from "./contracts.ts";
import { createTransport, type Transport } from "./http/index.ts";
import { createPeople } from "./people/index.ts";
import { countRestarts } from "./restarts.ts";
import type { CreateRooms, Rooms } from "./rooms.ts";
import { createRpc } from "./rpc/index.ts";
import { createSession } from "./session/index.ts";
import { createStats } from "./stats/index.ts";
import { createStore, initialSlices } from "./store/index.ts";
import { createTabs, type HelloPort } from "./tabs/index.ts";
import { createTenure, type Channel } from "./tenure.ts";

export interface CoreDeps {
  readonly env: CoreEnv;
  readonly channel: Channel;
  /** Comlink.expose, or its stand-in. */
  readonly expose: (facade: object, port: MessagePort) => void;
  readonly createRooms: (
    deps: Omit<Parameters<CreateRooms>[0], "createConnection" | "staging">,
  ) => Rooms;
  /** Another wire, for tests. */
  readonly transport?: Transport;
}

export interface Core {
  connect(port: HelloPort): void;
  /** An uncaught error of the worker. */
  fault(error: AppError | Error | string): void;
  stop(): void;
}

export function createCore({ env, channel, expose, createRooms, ...over }: CoreDeps): Core {
  const { clock } = env;
  const startedAt = clock.now();
  let offset = 0;

  const stats = createStats({
    clock,
    store: () => store,
    report: env.report,
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
  const transport =
    over.transport ??
    createTransport({
      baseUrl: env.config.gatewayBaseUrl === "" ? env.origin : env.config.gatewayBaseUrl,
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
  const { session, http, ...sessionRoom } = createSession({
    env,
    store,
    stats,
    transport,
    offset: () => offset,
    path: () => tabs.path(),
    onChanged: () => tenure.tellSession(),
  });
  const people = createPeople({ env, http, session, onPeople: (met) => rooms?.met(met) });
  const worker: Handlers<"worker"> = {
    echo: ({ payload }) => Promise.resolve({ at: clock.now(), payload }),
    fanOut: ({ bytes }) => {
      const n = store.get("probe").n + 1;
      store.set(["probe"], { n, at: clock.now(), payload: "x".repeat(bytes) });
      store.flush();
      return Promise.resolve(null);
    },
    reportError: ({ message }, { tabId }) => {
      stats.error(`tab ${tabId.slice(0, 8)}: ${message}`);
      return Promise.resolve(null);
    },
  };

  /** Those that hold sockets; null while this core may hold none. */
  let rooms: Rooms | null = null;
  const rpc = createRpc({
    clock,
    precise: () => performance.now(),
    stats,
    handlers: () => ({
      session: sessionRoom.handlers,
      employees: people.employees,
      people: people.people,
      worker,
      chat: rooms?.handlers.chat,
      call: rooms?.handlers.call,
      imports: rooms?.handlers.imports,
      conference: rooms?.handlers.conference,
    }),
  });

  const restored = sessionRoom.restore();
  const tenure = createTenure({
    env,
    tabs,
    channel,
    idle: () => store.get("call").status === "idle" && store.get("conference").status === "idle",
    onStart: () => {
      rooms ??= createRooms({ env, store, tabs: tabs.replaying(), http, session, stats });
    },
    onStop: () => {
      rooms?.stop();
      rooms = null;
    },
    onRetired: (build) => store.retire(build),
    onSession: () => sessionRoom.reread().catch(failed),
  });

  const failed = (error: unknown): void =>
    stats.error(error instanceof Error ? error : String(error));
  tabs.onJoin(() => stats.start());
  tabs.onLeave(() => {
    if (tabs.list().length === 0) stats.stop();
  });
  restored.catch(failed);
  countRestarts(env, tabs).then((restarts) => store.set(["worker", "restarts"], restarts), failed);

  return {
    connect: (port) => tabs.connect(port),
    fault: (error) => stats.error(error),
    stop() {
      tenure.stop();
      sessionRoom.stop();
      stats.stop();
      tabs.stop();
    },
  };
}
