/**
 * Opens the login, the frame and the list of employees on a network of 4 Mbit/s and 100 ms with nothing in the cache, and measures what comes
 * over the network and how long the main thread is blocked. Then the frame once more, in a browser whose service worker has kept the shell
 * (docs/shell.md). BENCH_LOADS (5): number of visits.
 */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { launchOptions } from "../support/chromium.ts";
import { loggedIn } from "../support/people.ts";
import { startServer } from "../support/server.ts";
import { type SlowRelay, startSlowRelay } from "../support/slow-relay.ts";
import { type Figure, percentile, round } from "./report.ts";

const VISITS = Number(process.env["BENCH_LOADS"] ?? 5);
/** What the login of RuoYi-Vue3 weighs in its published build, kB of compressed script and styles. */
const RUOYI_LOGIN = 574;
/** ms until something is painted. */
const FIRST_PAINT = 1_000;

interface Visit {
  /** kB over the network */
  readonly weight: number;
  readonly requests: number;
  /** ms */
  readonly firstPaint: number;
  readonly ready: number;
  readonly blocked: number;
}
type Place = "login" | "frame" | "list";

/** Runs in the page before its scripts. What a task takes beyond 50 ms blocks the main thread. */
function watchTasks(): void {
  const seen = { blocked: 0 };
  Object.assign(globalThis, { benchTasks: seen });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.blocked += Math.max(0, duration - 50);
  }).observe({ type: "longtask", buffered: true });
}

const readyAt: Readonly<Record<Place, (page: Page) => Promise<void>>> = {
  login: (page) => page.getByRole("button", { name: "登录" }).waitFor(),
  frame: (page) => page.getByRole("navigation", { name: "主菜单" }).waitFor(),
  list: (page) => page.getByRole("row").nth(1).waitFor(),
};
const PATHS: Readonly<Record<Place, string>> = {
  login: "/login",
  frame: "/dashboard",
  list: "/supplier/employees",
};

async function visit(relay: SlowRelay, context: BrowserContext, place: Place): Promise<Visit> {
  const page = await context.newPage();
  let requests = 0;
  page.on("request", () => (requests += 1));
  const before = relay.received();
  const start = performance.now();
  await page.goto(relay.url + PATHS[place], { waitUntil: "commit" });
  await readyAt[place](page);
  const ready = performance.now() - start;
  const weight = (relay.received() - before) / 1000;
  const counted = requests;
  const { firstPaint, blocked } = await page.evaluate(() => ({
    firstPaint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
    blocked: (globalThis as typeof globalThis & { benchTasks: { blocked: number } }).benchTasks
      .blocked,
  }));
  await page.close();
  return { weight, requests: counted, firstPaint, ready, blocked };
}

/** A new context per visit, so that nothing is cached. */
async function visits(browser: Browser, relay: SlowRelay, place: Place): Promise<Visit[]> {
  const all: Visit[] = [];
  for (let at = 0; at < VISITS; at += 1) {
    const context =
      place === "login"
        ? await browser.newContext({ locale: "zh-CN" })
        : (await loggedIn(browser, relay.url, "admin", { tabs: 0 })).context;
    await context.addInitScript(watchTasks);
    all.push(await visit(relay, context, place));
    await context.close();
  }
  return all;
}

/** Runs in the page: waits until the service worker has kept the shell. */
async function whenKept(): Promise<void> {
  while ((await caches.match("/index.html")) === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Visits of the frame after a first one, whose shell the service worker has kept. */
async function secondVisits(browser: Browser, relay: SlowRelay): Promise<Visit[]> {
  const all: Visit[] = [];
  for (let at = 0; at < VISITS; at += 1) {
    const { context } = await loggedIn(browser, relay.url, "admin", {
      tabs: 0,
      serviceWorker: true,
    });
    await context.addInitScript(watchTasks);
    const page = await context.newPage();
    await page.goto(relay.url + PATHS.frame);
    await page.evaluate(whenKept);
    await page.close();
    all.push(await visit(relay, context, "frame"));
    await context.close();
  }
  return all;
}

export async function benchLoad(): Promise<Figure[]> {
  const server = await startServer();
  const relay = await startSlowRelay({
    port: Number(new URL(server.url).port),
    roundTrip: 100,
    kbitPerSecond: 4_000,
  });
  const browser = await chromium.launch(launchOptions());
  try {
    const figures: Figure[] = [];
    for (const place of ["login", "frame", "list", "frame, second visit"] as const) {
      const all =
        place === "frame, second visit"
          ? await secondVisits(browser, relay)
          : await visits(browser, relay, place);
      const add = (metric: string, unit: string, key: keyof Visit, limit?: number): void => {
        const value = round(
          percentile(
            all.map((each) => each[key]),
            50,
          ),
        );
        figures.push({
          bench: "load",
          case: place,
          metric,
          unit,
          value,
          runs: VISITS,
          ...(limit === undefined ? {} : { limit }),
        });
      };
      add("over the network", "kB", "weight", place === "login" ? RUOYI_LOGIN / 2 : undefined);
      add("requests", "count", "requests");
      add("first paint", "ms", "firstPaint", FIRST_PAINT);
      add("ready", "ms", "ready");
      add("main thread blocked", "ms", "blocked");
    }
    figures.push({
      bench: "load",
      case: "login of RuoYi-Vue3, as built",
      metric: "over the network",
      unit: "kB",
      value: RUOYI_LOGIN,
      runs: 1,
    });
    return figures;
  } finally {
    await browser.close();
    await relay.close();
    await server.dispose();
  }
}
