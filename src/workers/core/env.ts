/** The browser behind CoreEnv: wall clock, Web Locks, IndexedDB, sockets, network state. The entry's alone. */
import { del, get, set } from "idb-keyval";
import type { Clock, Device, Kv, Locks, Online, SocketLike, Timer } from "./contracts.ts";

/** A sleeping machine stops timers but not the wall: no timer sleeps longer than this without looking at the clock, ms. */
const LOOK = 5_000;

export function createWallClock(): Clock {
  return {
    now: () => Date.now(),
    after(ms, run) {
      const end = Date.now() + ms;
      // a clock set back must not make a timeout last for hours: the steady clock ends it too
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

export function createWebLocks(manager: LockManager): Locks {
  return {
    acquire: (name, signal) =>
      new Promise((resolve, reject) => {
        manager
          .request(name, signal === undefined ? {} : { signal }, () => {
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
      return held?.some((lock) => lock.name === name) ?? false;
    },
  };
}

/** IndexedDB by idb-keyval; where it is refused (private windows, a full disk) memory serves for the core's life. */
export function createIdbKv(report: (message: string) => void): Kv {
  const memory = new Map<string, unknown>();
  const failed = (what: string, error: unknown): void =>
    report(`storage: ${what} failed: ${error instanceof Error ? error.name : "unknown"}`);
  return {
    async get<T>(key: string) {
      if (memory.has(key)) return memory.get(key) as T;
      try {
        return await get<T>(key);
      } catch (error) {
        failed("get", error);
        return undefined;
      }
    },
    async set(key, value) {
      try {
        await set(key, value);
        memory.delete(key);
      } catch (error) {
        failed("set", error);
        memory.set(key, structuredClone(value));
      }
    },
    async del(key) {
      memory.delete(key);
      try {
        await del(key);
      } catch (error) {
        failed("del", error);
      }
    },
  };
}

/** ms between two looks at a network that was said to be away. */
export const ONLINE_LOOK_MS = 1000;

/**
 * The browser's word on the network, and its events. When a network flaps the events do not always tell how it ended (seen in
 * Chromium after a cut of 30 s): whoever was told that it is away would wait for ever. So after each "away" it is looked after
 * until it is back.
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

  const tell = (online: boolean): void => {
    looking?.cancel();
    looking = null;
    if (!online) look();
    for (const handler of Array.from(handlers)) handler(online);
  };
  function look(): void {
    looking ??= clock.after(ONLINE_LOOK_MS, () => {
      looking = null;
      if (handlers.size === 0) return;
      if (scope.navigator.onLine) tell(true);
      else look();
    });
  }
  const on = (): void => tell(true);
  const off = (): void => tell(false);

  return {
    get online() {
      const online = scope.navigator.onLine;
      // whoever asked may now wait for an event that was before
      if (!online && handlers.size > 0) look();
      return online;
    },
    onChange(handler) {
      // several may give the same function
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

/** What Chromium's navigator has beyond the standard library's types; other browsers have the user agent alone. */
export interface DeviceNavigator {
  readonly userAgent: string;
  readonly userAgentData?: {
    readonly brands: readonly { readonly brand: string; readonly version: string }[];
    readonly platform: string;
    getHighEntropyValues?(hints: string[]): Promise<{ readonly platformVersion?: string }>;
  };
  readonly connection?: { readonly type?: string; readonly effectiveType?: string };
}

/** The version of the system comes a moment later, by a question of its own. */
export function createDevice(navigator: DeviceNavigator): Device {
  const { userAgent, userAgentData: data } = navigator;
  // in a shuffled order: the product, the engine, and one like "Not A;Brand" that is there to be ignored
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
  };
}
