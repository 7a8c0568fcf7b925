/** The SharedWorker of the conferencing library. Its name contains the configuration, so that pages of one configuration share it. */
import "./shim.ts";
import { expose } from "comlink";
import { AppError } from "../../shared/errors.ts";
import type { ConsoleConfig } from "../../shared/protocol/config.ts";
import {
  type LibraryConfig,
  libraryConfigOf,
  nameForInstance,
} from "../../shared/protocol/library.ts";
import { coreLock, type HelloAnswer } from "../../shared/protocol/tab-port.ts";
import type { Kv } from "./contracts.ts";
import {
  createDevice,
  createIdbKv,
  createOnline,
  createWallClock,
  createWebLocks,
  type DeviceNavigator,
  openWebSocket,
} from "./env.ts";
import { createLog } from "./log.ts";
import { createLibraryCore, type LibraryCore } from "./library.ts";

interface WorkerScope {
  readonly name: string;
  readonly navigator: DeviceNavigator & { readonly onLine: boolean; readonly locks: LockManager };
  readonly location: { readonly origin: string };
  onconnect: ((event: MessageEvent) => void) | null;
  addEventListener(type: string, handler: (event: Event) => void): void;
  removeEventListener(type: string, handler: (event: Event) => void): void;
}
// The types are those of a page; a worker has this scope instead.
const scope = globalThis as unknown as WorkerScope;
const log = createLog("conference", () => ({}), console);
const coreId = crypto.randomUUID();
const locks = createWebLocks(scope.navigator.locks);
const clock = createWallClock();
const storage = createIdbKv(log, clock);
const config = libraryConfigOf(scope.name);
/** Separates the library's storage from the console's, because the host page may have the console's origin. */
const prefixed = (key: string): string =>
  `${nameForInstance("conference-library", config?.instance)}.${key}`;
const kv: Kv = {
  get: (key) => storage.get(prefixed(key)),
  set: (key, value) => storage.set(prefixed(key), value),
  del: (key) => storage.del(prefixed(key)),
};
const lock = locks.acquire(coreLock(coreId));
const none = { id: "", secret: "" };
const NO_CLIENTS: ConsoleConfig["clients"] = {
  "sec-web-company-admin": none,
  "sec-web-property-admin": none,
  "sec-web-oa": none,
  "sec-web-admin": none,
};

async function start(config: LibraryConfig): Promise<LibraryCore> {
  await lock;
  return createLibraryCore({
    expose,
    instance: config.instance,
    settings: config.settings,
    hosts: {
      ...(config.dnsHosts === undefined ? {} : { dnsHosts: config.dnsHosts }),
      ...(config.deployUrl === undefined ? {} : { deployUrl: config.deployUrl }),
    },
    env: {
      clock,
      locks,
      kv,
      openSocket: openWebSocket,
      online: createOnline(scope, clock),
      device: createDevice(scope.navigator),
      random: Math.random,
      newId: () => crypto.randomUUID(),
      build: __BUILD__,
      coreId,
      home: scope.location.origin,
      config: {
        gatewayBaseUrl: config.origin,
        // the library has no login
        clients: NO_CLIENTS,
        tokenCookie: "platform",
        uploadsInParts: false,
        reports: false,
        easemob: {
          appKey: config.appkey,
          url: "",
          apiUrl: "",
          isHttpDNS: false,
          resumableUploads: false,
        },
        rtcProvider: config.provider,
        ...(config.region === undefined ? {} : { rtcRegion: config.region }),
        engine: "native",
        callSignalling: "websocket",
        agora: null,
      },
      log,
    },
  });
}

const core = config === null ? null : start(config);
scope.onconnect = (event) => {
  const port = event.ports[0];
  if (port === undefined) return;
  const refuse = (error: unknown): void => {
    const answer: HelloAnswer = { t: "refused", error: AppError.from(error).toWire() };
    port.postMessage(answer);
    port.close();
  };
  if (core === null) return refuse(new AppError("core.bad-message"));
  core.then((ready) => ready.connect(port), refuse);
};
const fault = (error: unknown): void => {
  const cause = error instanceof Error ? error : String(error);
  log("core", "error", `uncaught: ${cause instanceof Error ? cause.message : cause}`);
  core?.then((ready) => ready.fault(cause)).catch(() => {});
};
scope.addEventListener("error", (event) => {
  const { error, message } = event as ErrorEvent;
  fault(error ?? message);
});
scope.addEventListener("unhandledrejection", (event) => {
  fault((event as PromiseRejectionEvent).reason);
});
