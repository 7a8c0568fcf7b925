/** Fakes for clock, locks, storage, sockets and network, with which tests of the core's modules control time and failures. */
import type { Clock, CoreEnv, Kv, Locks, Online, SocketLike, Stats, Timer } from "./contracts.ts";

/** For tests that do not read the statistics of sockets. */
export const UNREAD_STATS: Pick<Stats, "socket" | "socketTraffic"> = {
  socket: () => undefined,
  socketTraffic: () => undefined,
};

export interface FakeClock extends Clock {
  /** Advances the clock by `ms` and runs the due timers in order. */
  advance(ms: number): void;
  readonly pending: number;
}
export function createFakeClock(start = 1_700_000_000_000): FakeClock {
  let now = start;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    after(ms, run): Timer {
      const timer = { at: now + Math.max(0, ms), run };
      timers.push(timer);
      return {
        cancel: () => {
          timers = timers.filter((t) => t !== timer);
        },
      };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const due = timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers = timers.filter((t) => t !== due);
        now = Math.max(now, due.at);
        due.run();
      }
      now = end;
    },
    get pending() {
      return timers.length;
    },
  };
}

/** Web Locks by name, granted in the order of the requests. A fake tab and a fake core can share them. */
export function createFakeLocks(): Locks {
  const holders = new Map<string, (() => void)[]>();
  const grant = (name: string): { release(): void } => {
    let given = true;
    return {
      release() {
        if (!given) return;
        given = false;
        const next = holders.get(name)?.shift();
        if (next === undefined) holders.delete(name);
        else next();
      },
    };
  };
  return {
    acquire(name, signal) {
      const queue = holders.get(name);
      if (queue === undefined) {
        holders.set(name, []);
        return Promise.resolve(grant(name));
      }
      return new Promise((resolve, reject) => {
        const grantNext = (): void => resolve(grant(name));
        queue.push(grantNext);
        signal?.addEventListener("abort", () => {
          const at = queue.indexOf(grantNext);
          if (at < 0) return;
          queue.splice(at, 1);
          reject(signal.reason);
        });
      });
    },
    held: (name) => Promise.resolve(holders.has(name)),
  };
}

export function createMemoryKv(): Kv & { readonly data: Map<string, unknown> } {
  const data = new Map<string, unknown>();
  return {
    data,
    get: <T>(key: string) => Promise.resolve(structuredClone(data.get(key)) as T | undefined),
    set: (key, value) => {
      data.set(key, structuredClone(value));
      return Promise.resolve();
    },
    del: (key) => {
      data.delete(key);
      return Promise.resolve();
    },
  };
}

export interface FakeOnline extends Online {
  set(online: boolean): void;
}
export function createFakeOnline(): FakeOnline {
  let online = true;
  const handlers = new Set<(online: boolean) => void>();
  return {
    get online() {
      return online;
    },
    onChange(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    set(next) {
      online = next;
      for (const handler of handlers) handler(next);
    },
  };
}

export interface FakeSocket extends SocketLike {
  readonly url: string;
  readonly sent: unknown[];
  /** The code and reason with which the client closed the socket; null while it has not. */
  readonly closedWith: { code: number; reason: string } | null;
  accept(): void;
  receive(message: unknown): void;
  receiveText(data: unknown): void;
  /** Ends the socket as the server or the network does. */
  end(code?: number, reason?: string): void;
}
/** `all` holds the sockets in the order of their opening. */
export function createFakeSockets(): { open: (url: string) => SocketLike; all: FakeSocket[] } {
  const all: FakeSocket[] = [];
  return {
    all,
    open(url) {
      let readyState = 0;
      let closedWith: { code: number; reason: string } | null = null;
      const sent: unknown[] = [];
      const socket: FakeSocket = {
        url,
        sent,
        onopen: null,
        onmessage: null,
        onclose: null,
        onerror: null,
        get readyState() {
          return readyState;
        },
        get closedWith() {
          return closedWith;
        },
        send: (data) => void sent.push(typeof data === "string" ? JSON.parse(data) : data),
        close(code = 1000, reason = "") {
          readyState = 3;
          closedWith = { code, reason };
        },
        accept() {
          readyState = 1;
          socket.onopen?.();
        },
        receive: (message) => socket.onmessage?.({ data: JSON.stringify(message) }),
        receiveText: (data) => socket.onmessage?.({ data }),
        end(code = 1006, reason = "") {
          readyState = 3;
          socket.onclose?.({ code, reason });
        },
      };
      all.push(socket);
      return socket;
    },
  };
}

/** Runs the continuations of resolved promises. */
export async function settle(times = 20): Promise<void> {
  for (let i = 0; i < times; i += 1) await Promise.resolve();
}

export interface FakeEnv extends CoreEnv {
  readonly clock: FakeClock;
  readonly online: FakeOnline;
  readonly kv: ReturnType<typeof createMemoryKv>;
  readonly sockets: FakeSocket[];
  readonly reports: string[];
}
export function createFakeEnv(over: Partial<CoreEnv> = {}): FakeEnv {
  const sockets = createFakeSockets();
  const reports: string[] = [];
  let ids = 0;
  return {
    locks: createFakeLocks(),
    openSocket: sockets.open,
    device: {
      browser: "Chromium 140",
      os: "Linux 6.1",
      network: () => "4g",
      terminal: { browser: "chrome", browserVersion: 140, userAgent: "UA" },
    },
    random: () => 0.5,
    newId: () => `id-${(ids += 1)}`,
    build: "test",
    coreId: "core-1",
    home: "http://localhost:8080",
    config: {
      gatewayBaseUrl: "",
      clients: {
        "sec-web-company-admin": { id: "company", secret: "s" },
        "sec-web-property-admin": { id: "property", secret: "s" },
        "sec-web-oa": { id: "oa", secret: "s" },
        "sec-web-admin": { id: "admin", secret: "s" },
      },
      tokenCookie: "platform",
      uploadsInParts: false,
      reports: false,
      easemob: {
        appKey: "hyzh#console",
        url: "",
        apiUrl: "",
        isHttpDNS: false,
        resumableUploads: false,
      },
      rtcProvider: "easemob",
      engine: "native",
      callSignalling: "websocket",
      agora: null,
    },
    log: (area, _level, text) => void reports.push(`${area}: ${text}`),
    ...over,
    clock: createFakeClock(),
    online: createFakeOnline(),
    kv: createMemoryKv(),
    sockets: sockets.all,
    reports,
  };
}
