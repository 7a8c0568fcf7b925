import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFakeClock, settle } from "./core.fake.ts";
import { createDevice, createIdbKv, createOnline, createWallClock } from "./env.ts";

/** ms after which a step counts as missing. */
const PATIENCE = 15_000;

beforeEach(
  () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] }),
);
afterEach(() => void vi.useRealTimers());

test("A timer runs once at its time, and not when cancelled", () => {
  const clock = createWallClock();
  let runs = 0;
  clock.after(20_000, () => {
    runs += 1;
  });
  const other = clock.after(10, () => {
    runs += 100;
  });
  other.cancel();
  vi.advanceTimersByTime(19_999);
  expect(runs).toBe(0);
  vi.advanceTimersByTime(1);
  expect(runs).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(runs).toBe(1);
});

test("After the machine slept, due timers run within 5 s", () => {
  const clock = createWallClock();
  let runs = 0;
  clock.after(3_600_000, () => {
    runs += 1;
  });
  vi.advanceTimersByTime(1_000);
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(5_000);
  expect(runs).toBe(1);
});

test("Setting the clock back does not delay a timer", () => {
  const clock = createWallClock();
  let runs = 0;
  clock.after(10_000, () => {
    runs += 1;
  });
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(10_000);
  expect(runs).toBe(1);
});

test("Values are stored in IndexedDB; a value that it refuses is kept in memory and reported", async () => {
  vi.useRealTimers();
  const reports: string[] = [];
  const clock = createFakeClock();
  const kv = createIdbKv((area, _level, text) => void reports.push(`${area}: ${text}`), clock);
  await kv.set("k", { a: [1] });
  expect(await createIdbKv(() => {}, clock).get("k")).toEqual({ a: [1] });
  await kv.del("k");
  expect(await kv.get("k")).toBeUndefined();
  expect(reports).toEqual([]);
  const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  await kv.set("k", 5);
  put.mockRestore();
  expect(await kv.get("k")).toBe(5);
  expect(reports).toEqual(["storage: set failed: QuotaExceededError"]);
});

test("A read that fails is tried again shortly, and rejects when the storage stays broken: nothing says that nothing is stored", async () => {
  vi.useRealTimers();
  const clock = createFakeClock();
  const kv = createIdbKv(() => {}, clock, "/reads");
  await kv.set("k", 1);
  let fails = 2;
  const { get } = IDBObjectStore.prototype;
  const spy = vi.spyOn(IDBObjectStore.prototype, "get").mockImplementation(function (
    this: IDBObjectStore,
    key,
  ) {
    fails -= 1;
    if (fails >= 0) throw new DOMException("broken", "UnknownError");
    return get.call(this, key);
  });
  /** The next attempt begins once the failed one has set its timer. */
  const passes = async (ms: number): Promise<void> => {
    await vi.waitFor(() => expect(clock.pending).toBe(1), PATIENCE);
    clock.advance(ms);
  };
  const read = kv.get("k");
  await passes(50);
  await passes(200);
  expect(await read).toBe(1);

  fails = 100;
  const broken = kv.get("k").catch((error: unknown) => (error as Error).name);
  for (const ms of [50, 200, 800]) await passes(ms);
  expect(await broken).toBe("UnknownError");
  // While the storage is broken down, a read does not wait.
  await expect(kv.get("k")).rejects.toThrow("broken");
  // What this core writes is known nevertheless.
  const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("broken", "UnknownError");
  });
  await kv.set("k", 2);
  put.mockRestore();
  expect(await kv.get("k")).toBe(2);
  spy.mockRestore();
});

test.each(["SecurityError", "InvalidStateError", "none"])(
  "A browser that refuses storage (%s) has a memory in its place, without waiting",
  async (how) => {
    vi.useRealTimers();
    const before = Object.getOwnPropertyDescriptor(globalThis, "indexedDB");
    const refusing = {
      open() {
        throw new DOMException("refused", how);
      },
    };
    Object.defineProperty(globalThis, "indexedDB", {
      value: how === "none" ? undefined : refusing,
      configurable: true,
      writable: true,
    });
    try {
      const kv = createIdbKv(() => {}, createFakeClock(), "/refused");
      expect(await kv.get("k")).toBeUndefined();
      await kv.set("k", { a: 1 });
      expect(await kv.get("k")).toEqual({ a: 1 });
      await kv.del("k");
      expect(await kv.get("k")).toBeUndefined();
    } finally {
      if (before !== undefined) Object.defineProperty(globalThis, "indexedDB", before);
    }
    await settle();
  },
);

test("The client hints describe the machine, with the system's version once it is known", async () => {
  let effectiveType = "4g";
  const device = createDevice({
    userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36",
    userAgentData: {
      brands: [
        { brand: "Google Chrome", version: "140" },
        { brand: "Chromium", version: "140" },
        { brand: "Not=A?Brand", version: "24" },
      ],
      platform: "Windows",
      getHighEntropyValues: () => Promise.resolve({ platformVersion: "15.0.0" }),
    },
    connection: {
      get effectiveType() {
        return effectiveType;
      },
    },
  });
  expect([device.browser, device.os, device.network()]).toEqual([
    "Google Chrome 140",
    "Windows",
    "4g",
  ]);
  await Promise.resolve();
  effectiveType = "3g";
  expect([device.os, device.network()]).toEqual(["Windows 15.0.0", "3g"]);
});

test("Without client hints the user agent describes the machine", () => {
  const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  const device = createDevice({ userAgent });
  expect([device.browser, device.os, device.network()]).toEqual([
    userAgent,
    "X11; Linux x86_64; rv:140.0",
    "",
  ]);
});

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "firefox", 140],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
    "chrome",
    141,
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Safari/605.1.15",
    "safari",
    18,
  ],
  [`other ${"x".repeat(2000)}`, "", undefined],
])("The terminal of %s is %s with version %s", (userAgent, browser, browserVersion) => {
  const { terminal } = createDevice({ userAgent });
  expect(terminal).toEqual({ browser, browserVersion, userAgent: userAgent.slice(0, 1000) });
});

function network() {
  const listeners = new Map<string, Set<() => void>>([
    ["online", new Set()],
    ["offline", new Set()],
  ]);
  const navigator = { onLine: true };
  const scope = {
    navigator,
    addEventListener: (type: string, handler: () => void) => void listeners.get(type)?.add(handler),
    removeEventListener: (type: string, handler: () => void) =>
      void listeners.get(type)?.delete(handler),
  };
  return {
    online: createOnline(scope, createWallClock()),
    navigator,
    fire(type: "online" | "offline"): void {
      navigator.onLine = type === "online";
      for (const handler of listeners.get(type) ?? []) handler();
    },
    listeners: () => [...listeners.values()].reduce((sum, set) => sum + set.size, 0),
  };
}

test("The network's events are passed on", () => {
  const { online, fire, listeners } = network();
  const reported: boolean[] = [];
  const handler = (is: boolean): void => void reported.push(is);
  const stops = [online.onChange(handler), online.onChange(handler)];
  fire("offline");
  expect(online.online).toBe(false);
  fire("online");
  expect(reported).toEqual([false, false, true, true]);
  vi.advanceTimersByTime(10_000);
  expect(reported).toHaveLength(4);
  for (const stop of [...stops, ...stops]) stop();
  expect(listeners()).toBe(0);
  fire("offline");
  expect(reported).toHaveLength(4);
  expect(vi.getTimerCount()).toBe(0);
});

test("The return of the network is detected without an event", () => {
  const { online, navigator, fire } = network();
  const reported: boolean[] = [];
  const stop = online.onChange((is) => reported.push(is));
  fire("offline");
  vi.advanceTimersByTime(5_000);
  navigator.onLine = true;
  vi.advanceTimersByTime(1_000);
  expect(reported).toEqual([false, true]);
  // The network flaps without any event, and only one query sees it as offline.
  navigator.onLine = false;
  expect(online.online).toBe(false);
  navigator.onLine = true;
  vi.advanceTimersByTime(1_000);
  expect(reported).toEqual([false, true, true]);
  vi.advanceTimersByTime(10_000);
  expect(reported).toHaveLength(3);
  navigator.onLine = false;
  expect(online.online).toBe(false);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});
