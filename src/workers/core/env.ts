/** The browser's implementations of CoreEnv: wall clock, Web Locks, IndexedDB, sockets, network state. Only entry files use it. */
import { createStore, del, get, set, type UseStore } from "idb-keyval";
import { nameBelow } from "../../shared/domain/base-path.ts";
import type { Log } from "./log.ts";
import type { Clock, Device, Kv, Locks, Online, SocketLike, Timer } from "./contracts.ts";

/** Maximum ms of one underlying timer. A sleeping machine stops timers, so a long timer must check the wall clock regularly. */
const LOOK = 5_000;

export function createWallClock(): Clock {
  return {
    now: () => Date.now(),
    after(ms, run) {
      const end = Date.now() + ms;
      // the monotonic clock ends the timer too, because setting the wall clock back would prolong it by hours
      const steadyEnd = performance.now() + ms;
      let handle: ReturnType<typeof setTimeout>;
      const wait = (): void => {
        const left = Math.min(end - Date.now(), steadyEnd - performance.now());
        if (left <= 0) run();
        else handle = setTimeout(wait, Math.min(left, LOOK));
      };
      handle = setTimeout(wait, Math.max(0, Math.min(ms, LOOK)));
      return { cancel: () => clearTimeout(handle) };
    },
  };
}

/** @param base base path of the console, which its locks have in their names */
export function createWebLocks(manager: LockManager, base = ""): Locks {
  return {
    acquire: (name, signal) =>
      new Promise((resolve, reject) => {
        manager
          .request(nameBelow(base, name), signal === undefined ? {} : { signal }, () => {
            let release = (): void => {};
            const released = new Promise<void>((done) => {
              release = done;
            });
            resolve({ release });
            return released;
          })
          .catch(reject);
      }),
    async held(name) {
      const { held } = await manager.query();
      return held?.some((lock) => lock.name === nameBelow(base, name)) ?? false;
    },
  };
}

/** ms before each further attempt to read, after which the storage counts as broken down. */
const READ_AGAIN_MS = [50, 200, 800] as const;
/** How a browser refuses storage altogether: without `indexedDB`, or with an error when the database is opened. */
const REFUSALS: ReadonlySet<string> = new Set([
  "ReferenceError",
  "TypeError",
  "SecurityError",
  "InvalidStateError",
]);

/**
 * Storage in IndexedDB by idb-keyval; where the browser refuses it (private windows), and for what it cannot write (full disk), in
 * memory. A read that fails in a browser that grants storage says nothing about what is stored: it is tried again shortly, and rejects
 * in the end.
 *
 * @param base base path of the console, whose storage is its own
 */
export function createIdbKv(log: Log, clock: Pick<Clock, "after">, base = ""): Kv {
  const memory = new Map<string, unknown>();
  /** The database was opened once, so the browser grants storage. */
  let granted = false;
  /** The last read failed for good: the next one does not wait again. */
  let broken = false;
  let opened: UseStore | undefined;
  /** Opened on first use, where a refusal is caught; undefined: the usual store of idb-keyval. */
  const store = (): UseStore | undefined =>
    base === "" ? undefined : (opened ??= createStore(nameBelow(base, "keyval-store"), "keyval"));
  const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "unknown");
  const failed = (what: string, error: unknown): void =>
    log("storage", "error", `${what} failed: ${nameOf(error)}`);
  return {
    async get<T>(key: string) {
      for (let tries = 0; ; tries += 1) {
        if (memory.has(key)) return memory.get(key) as T;
        try {
          const value = await get<T>(key, store());
          granted = true;
          broken = false;
          return value;
        } catch (error) {
          failed("get", error);
          if (!granted && REFUSALS.has(nameOf(error))) return undefined;
          const wait = broken ? undefined : READ_AGAIN_MS[tries];
          if (wait === undefined) {
            broken = true;
            throw error;
          }
          await new Promise<void>((resolve) => clock.after(wait, resolve));
        }
      }
    },
    async set(key, value) {
      try {
        await set(key, value, store());
        granted = true;
        memory.delete(key);
      } catch (error) {
        failed("set", error);
        memory.set(key, structuredClone(value));
      }
    },
    async del(key) {
      memory.delete(key);
      try {
        await del(key, store());
      } catch (error) {
        failed("del", error);
      }
    },
  };
}

/** ms between two checks of a network that was reported offline. */
export const ONLINE_LOOK_MS = 1000;

/**
 * The browser's network state and its events. When a network flaps, the events may not report its return (seen in Chromium after a
 * cut of 30 s), and code that saw "offline" would wait for ever. So after each "offline" the state is polled until it is online.
 */
export function createOnline(
  scope: {
    readonly navigator: { readonly onLine: boolean };
    addEventListener(type: "online" | "offline", handler: () => void): void;
    removeEventListener(type: "online" | "offline", handler: () => void): void;
  },
  clock: Pick<Clock, "after">,
): Online {
  const handlers = new Set<(online: boolean) => void>();
  let looking: Timer | null = null;

  const notifyHandlers = (online: boolean): void => {
    looking?.cancel();
    looking = null;
    if (!online) look();
    for (const handler of Array.from(handlers)) handler(online);
  };
  function look(): void {
    looking ??= clock.after(ONLINE_LOOK_MS, () => {
      looking = null;
      if (handlers.size === 0) return;
      if (scope.navigator.onLine) notifyHandlers(true);
      else look();
    });
  }
  const on = (): void => notifyHandlers(true);
  const off = (): void => notifyHandlers(false);

  return {
    get online() {
      const online = scope.navigator.onLine;
      // the caller may now wait for an event that was fired before
      if (!online && handlers.size > 0) look();
      return online;
    },
    onChange(handler) {
      // a wrapper, because the same function may be registered more than once
      const own = (online: boolean): void => handler(online);
      if (handlers.size === 0) {
        scope.addEventListener("online", on);
        scope.addEventListener("offline", off);
      }
      handlers.add(own);
      return () => {
        if (!handlers.delete(own) || handlers.size > 0) return;
        scope.removeEventListener("online", on);
        scope.removeEventListener("offline", off);
        looking?.cancel();
        looking = null;
      };
    },
  };
}

export const openWebSocket = (url: string): SocketLike => new WebSocket(url) as SocketLike;

/** What Chromium's navigator has beyond lib.dom; other browsers only have the user agent. */
export interface DeviceNavigator {
  readonly userAgent: string;
  readonly userAgentData?: {
    readonly brands: readonly { readonly brand: string; readonly version: string }[];
    readonly platform: string;
    getHighEntropyValues?(hints: string[]): Promise<{ readonly platformVersion?: string }>;
  };
  readonly connection?: { readonly type?: string; readonly effectiveType?: string };
}

/** In this order, because each also names those below it. */
const BROWSERS = [
  ["firefox", /Firefox\/(\d+)/],
  ["chrome", /Chrom(?:e|ium)\/(\d+)/],
  ["safari", /Version\/(\d+).* Safari\//],
] as const;
function terminalOf(userAgent: string): Device["terminal"] {
  for (const [browser, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return { browser, browserVersion: Number(version), userAgent };
  }
  return { browser: "", userAgent };
}

/** Describes browser and machine. The version of the operating system arrives later, by an asynchronous query. */
export function createDevice(navigator: DeviceNavigator): Device {
  const { userAgent, userAgentData: data } = navigator;
  // brands come in random order: the product, the engine, and a decoy like "Not A;Brand"
  const brands = data?.brands.filter(({ brand: name }) => !/not.?a.?brand/i.test(name)) ?? [];
  const brand = brands.find(({ brand: name }) => name !== "Chromium") ?? brands[0];
  const inBrackets = /\(([^)]*)\)/.exec(userAgent)?.[1] ?? "";
  let version = "";
  data?.getHighEntropyValues?.(["platformVersion"]).then(
    ({ platformVersion }) => {
      version = platformVersion ?? "";
    },
    () => undefined,
  );
  return {
    browser: brand === undefined ? userAgent : `${brand.brand} ${brand.version}`,
    get os() {
      return data === undefined || data.platform === ""
        ? inBrackets
        : `${data.platform} ${version}`.trim();
    },
    network: () => navigator.connection?.effectiveType ?? navigator.connection?.type ?? "",
    // The server refuses a longer text.
    terminal: terminalOf(userAgent.slice(0, 1000)),
  };
}
