/**
 * The SharedWorker: one per person and build, shared by all tabs. It takes its lock, reads the configuration, creates the core and
 * answers the tabs' hellos. Only this file and library-entry.ts have module state and use the global scope.
 */
import "./shim.ts";
import { expose } from "comlink";
import { basePathOf, nameBelow } from "../../shared/domain/base-path.ts";
import { AppError } from "../../shared/errors.ts";
import {
  CONFIG_PATH,
  consoleConfigSchema,
  type ConsoleConfig,
} from "../../shared/protocol/config.ts";
import { BUILD_CHANNEL, coreLock, type HelloAnswer } from "../../shared/protocol/tab-port.ts";
import type { Kv } from "./contracts.ts";
import { createSdkConnection } from "./chat/index.ts";
import { createCore, type Core } from "./core.ts";
import {
  createDevice,
  createIdbKv,
  createOnline,
  createWallClock,
  createWebLocks,
  type DeviceNavigator,
  openWebSocket,
} from "./env.ts";
import { type CoreLogLevels, createLog } from "./log.ts";
import { createStagingKv } from "./imports/index.ts";
import { createModules } from "./modules.ts";

interface WorkerScope {
  readonly navigator: DeviceNavigator & { readonly onLine: boolean; readonly locks: LockManager };
  readonly location: { readonly origin: string; readonly href: string };
  onconnect: ((event: MessageEvent) => void) | null;
  addEventListener(type: string, handler: (event: Event) => void): void;
  removeEventListener(type: string, handler: (event: Event) => void): void;
}
// The types are those of a page; a worker has this scope instead.
const scope = globalThis as unknown as WorkerScope;
const BASE = basePathOf(scope.location.href);
const HOME = `${scope.location.origin}${BASE}`;

const CONFIG_KEY = "config";
const CONFIG_TIMEOUT = 10_000;
let levels: CoreLogLevels = {};
const log = createLog("core", () => levels, console);

/** Reads the configuration from the server. While the server is unreachable, the last valid one is used. */
async function loadConfig(kv: Kv): Promise<ConsoleConfig> {
  try {
    const answer = await fetch(`${HOME}${CONFIG_PATH}`, {
      cache: "no-cache",
      signal: AbortSignal.timeout(CONFIG_TIMEOUT),
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const config = consoleConfigSchema.parse(await answer.json());
    await kv.set(CONFIG_KEY, config);
    return config;
  } catch (error) {
    log(
      "core",
      "warn",
      `configuration: ${error instanceof Error ? error.message.slice(0, 300) : "unknown"}`,
    );
    const kept = consoleConfigSchema.safeParse(await kv.get(CONFIG_KEY).catch(() => undefined));
    if (kept.success) return kept.data;
    throw new AppError("server.unavailable", { details: { path: CONFIG_PATH } });
  }
}

const coreId = crypto.randomUUID();
const locks = createWebLocks(scope.navigator.locks, BASE);
const clock = createWallClock();
const kv = createIdbKv(log, clock, BASE);
// created early, so that the asynchronous part of the device's description is ready by the first call
const device = createDevice(scope.navigator);
const staging = createStagingKv(BASE);
const lock = locks.acquire(coreLock(coreId));
let starting: Promise<Core> | null = null;

async function start(): Promise<Core> {
  const [config] = await Promise.all([loadConfig(kv), lock]);
  levels = config.coreLog ?? {};
  return createCore({
    expose,
    createModules: (deps) =>
      createModules({ ...deps, createConnection: createSdkConnection, staging }),
    channel: new BroadcastChannel(nameBelow(BASE, BUILD_CHANNEL)),
    env: {
      clock,
      locks,
      kv,
      openSocket: openWebSocket,
      online: createOnline(scope, clock),
      device,
      random: Math.random,
      newId: () => crypto.randomUUID(),
      build: __BUILD__,
      coreId,
      home: HOME,
      config,
      log,
    },
  });
}

/** Starts the core once; a failed start is repeated at the next hello. */
function ready(): Promise<Core> {
  starting ??= start().catch((error: unknown) => {
    starting = null;
    throw error;
  });
  return starting;
}

scope.onconnect = (event) => {
  const port = event.ports[0];
  if (port === undefined) return;
  ready().then(
    (core) => core.connect(port),
    (error: unknown) => {
      const answer: HelloAnswer = { t: "refused", error: AppError.from(error).toWire() };
      port.postMessage(answer);
      port.close();
    },
  );
};

const fault = (error: unknown): void => {
  const cause = error instanceof Error ? error : String(error);
  log("core", "error", `uncaught: ${cause instanceof Error ? cause.message : cause}`);
  starting?.then((core) => core.fault(cause)).catch(() => {});
};
// errors of a SharedWorker do not reach the tabs' onerror
scope.addEventListener("error", (event) => {
  const { error, message } = event as ErrorEvent;
  fault(error ?? message);
});
scope.addEventListener("unhandledrejection", (event) => {
  fault((event as PromiseRejectionEvent).reason);
});
