/**
 * How the core serves 1, 10 and 20 tabs: round trip of a command, time until all tabs acknowledge a state change, memory per
 * further tab. The comparison is the same console with one core per tab (each tab's worker has its own name).
 */
import { type Browser, chromium, type Page } from "playwright";
import { launchOptions } from "../support/chromium.ts";
import { treeMemory } from "../support/memory.ts";
import { loggedIn } from "../support/people.ts";
import { startServer } from "../support/server.ts";
import { type Figure, percentile, round } from "./report.ts";

const TAB_COUNTS = [1, 10, 20] as const;
const ECHOES = 300;
const FAN_OUTS = 100;

/** Runs before the page's scripts and makes every tab request its own worker. */
function coreOfItsOwn(): void {
  const Original = globalThis.SharedWorker;
  const own = crypto.randomUUID();
  globalThis.SharedWorker = class extends Original {
    constructor(url: string | URL, options?: string | WorkerOptions) {
      super(
        url,
        typeof options === "object" ? { ...options, name: `${options.name ?? ""}-${own}` } : own,
      );
    }
  };
}

/** Sequential round trips, ms. */
const echoes = (page: Page, count: number): Promise<number[]> =>
  page.evaluate(async (n) => {
    const times: number[] = [];
    for (let i = 0; i < n; i += 1) {
      const began = performance.now();
      await globalThis.consoleCore.commands.worker.echo({ payload: "x" });
      times.push(performance.now() - began);
    }
    return times;
  }, count);

/** Makes about 20 calls per second in every tab. @returns the round trips of all tabs, ms */
async function loadedEchoes(pages: readonly Page[]): Promise<number[]> {
  const all = await Promise.all(
    pages.map((page) =>
      page.evaluate(async () => {
        const times: number[] = [];
        const until = performance.now() + 5000;
        while (performance.now() < until) {
          const began = performance.now();
          await globalThis.consoleCore.commands.worker.echo({ payload: "x" });
          times.push(performance.now() - began);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return times;
      }),
    ),
  );
  return all.flat();
}

/** The core's own figure: from sending a change to each tab's acknowledgement. */
async function fanOut(page: Page): Promise<{ p50: number; p99: number; count: number }> {
  return page.evaluate(async (n) => {
    const { commands, state } = globalThis.consoleCore;
    const payload = 1024;
    const before = state.worker.fanOut.count;
    for (let i = 0; i < n; i += 1) {
      await commands.worker.fanOut({ bytes: payload });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const until = performance.now() + 5000;
    while (state.worker.fanOut.count < before + n && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // The slice is sent once per second.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return { ...state.worker.fanOut };
  }, FAN_OUTS);
}

async function measure(
  url: string,
  own: boolean,
): Promise<{ figures: Figure[]; memory: Map<number, number> }> {
  const figures: Figure[] = [];
  const memory = new Map<number, number>();
  const server = await chromium.launchServer(launchOptions());
  const browser: Browser = await chromium.connect(server.wsEndpoint());
  const pid = server.process().pid ?? 0;
  const who = await loggedIn(browser, url, "zhangwei", { path: "/dashboard" });
  if (own) await who.context.addInitScript(coreOfItsOwn);
  for (const count of TAB_COUNTS) {
    while (who.pages.length < count) await who.open("/dashboard");
    const first = who.pages[0];
    if (first === undefined) throw new Error("no tab");
    if (own) await first.reload();
    await Promise.all(
      who.pages.map((page) =>
        page.waitForFunction(
          () =>
            globalThis.consoleCore?.connection.state === "ready" &&
            globalThis.consoleCore.state.session.infoLoaded,
        ),
      ),
    );
    const name = `${count} tab${count > 1 ? "s" : ""}, ${own ? "a core each" : "one core"}`;
    const push = (metric: string, unit: string, value: number, runs: number): void => {
      figures.push({ bench: "tabs", case: name, metric, unit, value: round(value, 2), runs });
    };
    await echoes(first, 50);
    const idle = await echoes(first, ECHOES);
    push("command p50", "ms", percentile(idle, 50), idle.length);
    push("command p99", "ms", percentile(idle, 99), idle.length);
    const loaded = await loadedEchoes(who.pages);
    push("command under load p50", "ms", percentile(loaded, 50), loaded.length);
    push("command under load p99", "ms", percentile(loaded, 99), loaded.length);
    if (!own) {
      const fan = await fanOut(first);
      push("fan-out p50", "ms", fan.p50, fan.count);
      push("fan-out p99", "ms", fan.p99, fan.count);
    }
    memory.set(count, treeMemory(pid));
    push("browser memory", "MiB", memory.get(count) ?? 0, 1);
  }
  await browser.close();
  await server.close();
  const few = memory.get(1) ?? 0;
  const many = memory.get(20) ?? 0;
  figures.push({
    bench: "tabs",
    case: `a further tab, ${own ? "a core each" : "one core"}`,
    metric: "browser memory",
    unit: "MiB",
    value: round((many - few) / 19, 1),
    runs: 19,
  });
  return { figures, memory };
}

export async function benchTabs(): Promise<Figure[]> {
  const server = await startServer();
  try {
    const shared = await measure(server.url, false);
    const own = await measure(server.url, true);
    return [...shared.figures, ...own.figures];
  } finally {
    await server.dispose();
  }
}
