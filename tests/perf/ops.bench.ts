/**
 * The charts of the fleet over 30 days (720 steps, seven charts): how long they need to open, and how much script a frame runs while a
 * person pans, beside echarts with the same series in the same browser. And how long the list of 1,000 measured calls needs to open.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { type Browser, chromium, type Page } from "playwright";
import { build } from "vite";
import { bucketOf, emptyHistogram, toSparse } from "../../src/shared/domain/latency-histogram.ts";
import { fleetPartsCall, fleetSeriesCall } from "../../src/shared/protocol/rest/fleet.ts";
import { seededRandom } from "../../src/shared/mutate.harness.ts";
import { launchOptions } from "../support/chromium.ts";
import { addMeasuredCalls } from "../support/measured-calls.ts";
import { loggedIn, PASSWORD } from "../support/people.ts";
import { caller } from "../support/rest-caller.ts";
import { restLogin } from "../support/rest-login.ts";
import { startServer } from "../support/server.ts";
import { scriptOfFrames } from "./frames.ts";
import type { PeerCharts } from "./ops/contracts.ts";
import { type Figure, percentile, round } from "./report.ts";

const HOUR_MS = 3_600_000;
const STEPS = 720;
const FRAMES = 300;
const OPENINGS = 5;
/** ms until all charts are drawn, and ms of script in a frame of a pan. */
const [OPEN_LIMIT, FRAME_LIMIT] = [1_000, 8];
const CHARTS = 7;
const CALLS = 1_000;
const PEER = "http://peer.test/";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
};

/** A month of a company of 40 people, by the hour. */
async function fill(dataDir: string): Promise<void> {
  const random = seededRandom(29);
  const between = (low: number, high: number): number => low + random() * (high - low);
  const whole = (high: number): number => Math.floor(between(0, high));
  const durations = (middle: number): number[] => {
    const histogram = emptyHistogram();
    for (let i = 0; i < 200; i += 1) {
      const bucket = bucketOf(middle * Math.exp(between(-2, 2)));
      histogram[bucket] = (histogram[bucket] ?? 0) + 1;
    }
    return toSparse(histogram);
  };
  const db = await PGlite.create({ dataDir: join(dataDir, "db") });
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  for (let step = 1; step <= STEPS; step += 1) {
    const level = (value: number): number[] => [value * 360, value + 5, 360];
    const figures = {
      c: {
        restarts: whole(3),
        takeovers: whole(2),
        "socket.chat.opened": whole(40),
        "socket.signalling.opened": whole(20),
        "socket.quality.opened": whole(20),
        "socket.chat.lost.network": whole(9),
        "socket.signalling.lost.silent": whole(4),
        "socket.quality.lost.server": whole(4),
        "errors.core.deadline": whole(9),
        "errors.network.timeout": whole(9),
        "errors.server.internal": whole(5),
        "errors.uncaught": whole(3),
      },
      h: { commands: durations(8), "long-tasks": durations(90), "command.chat.send": durations(9) },
      l: { cores: level(whole(40)), tabs: level(whole(90)), visible: level(whole(30)) },
    };
    await db.query("INSERT INTO fleet_rollups VALUES (1, 3600, $1, 'bench', $2)", [
      new Date(now - step * HOUR_MS).toISOString(),
      JSON.stringify(figures),
    ]);
  }
  await addMeasuredCalls((text, parameters) => db.query(text, parameters), CALLS);
  await db.close();
}

/** Whether the list of calls shows rows. Runs in the page. */
const isListed = `[...document.querySelectorAll('[role="row"]')].filter((row) => row.textContent.includes("李娜")).length >= 10`;

/** ms from the click on 通话质量 until its rows are drawn, in a tab that has not shown it before. */
async function openingCalls(page: Page): Promise<number> {
  await page.goto("/monitor/fleet");
  await page.getByRole("heading", { name: "运行总览" }).waitFor();
  await page
    .getByRole("navigation", { name: "主菜单" })
    .getByRole("link", { name: "通话质量" })
    .waitFor();
  return page.evaluate<number>(`new Promise((resolve) => {
    const began = performance.now();
    const look = () => (${isListed} ? resolve(performance.now() - began) : requestAnimationFrame(look));
    [...document.querySelectorAll("nav a")].find((one) => one.textContent.trim() === "通话质量").click();
    requestAnimationFrame(look);
  })`);
}

/** Whether all charts show numbers. Runs in the page. */
const isDrawn = `(() => {
  const plots = document.querySelectorAll(".fleet-grid .u-over").length;
  const numbers = [...document.querySelectorAll(".fleet-grid [data-chart]")].every((chart) => {
    const all = [...chart.querySelectorAll("dd")];
    return all.length > 0 && all.some(({ textContent }) => /\\d/.test(textContent ?? ""));
  });
  return plots === ${CHARTS} && numbers;
})()`;

/** Resolves once the expression is true. The page's policy forbids `waitForFunction`, which evaluates a text inside the page. */
const until = (page: Page, expression: string): Promise<void> =>
  page.evaluate<void>(`new Promise((resolve) => {
    const look = () => (${expression} ? resolve() : requestAnimationFrame(look));
    look();
  })`);

/** ms from the click on 30 天 until the charts are drawn with its figures. */
async function opening(page: Page): Promise<number> {
  await page.getByRole("button", { name: "最近 15 分钟" }).click();
  await until(page, `!${isDrawn}`);
  return page.evaluate<number>(`new Promise((resolve) => {
    const began = performance.now();
    const look = () => (${isDrawn} ? resolve(performance.now() - began) : requestAnimationFrame(look));
    [...document.querySelectorAll(".fleet-choice button")].find((one) => one.textContent === "30 天").click();
    requestAnimationFrame(look);
  })`);
}

interface Measured {
  readonly open: readonly number[];
  readonly frames: readonly number[];
}

/** The series that our page draws, for the peer. */
async function drawnSeries(url: string): Promise<Omit<PeerCharts, "width" | "height">> {
  const { grant } = await restLogin(url, "ops", PASSWORD);
  const ask = caller(url, grant.access_token);
  const to = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const from = to - STEPS * HOUR_MS;
  const times = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
  type Points = readonly { readonly time: string; readonly value: number }[];
  const line = (points: Points, read: "value" | "p50" | "p99" = "value") =>
    points.map((point) => [Date.parse(point.time), (point as never)[read]] as const);
  const series = async (metric: string) =>
    fleetSeriesCall.data.parse(
      (await ask("GET", `${fleetSeriesCall.path}?metric=${metric}&${times}`)).data,
    ).points;
  const parts = async (of: string) =>
    fleetPartsCall.data
      .parse((await ask("GET", `${fleetPartsCall.path}?of=${of}&${times}`)).data)
      .parts.map(({ points }) => line(points));
  const latency = async (metric: string) => {
    const points = await series(metric);
    return [line(points, "p50"), line(points, "p99")];
  };
  const values = (metrics: readonly string[]) =>
    Promise.all(metrics.map(async (metric) => line(await series(metric))));
  return {
    from,
    to,
    charts: [
      await values(["cores", "tabs", "visible"]),
      await latency("commands"),
      await latency("long-tasks"),
      await values(["restarts", "takeovers"]),
      await parts("opened"),
      await parts("lost"),
      await parts("errors"),
    ],
  };
}

async function ours(
  browser: Browser,
): Promise<Measured & { readonly drawn: PeerCharts; readonly calls: readonly number[] }> {
  const server = await startServer();
  try {
    await server.kill();
    await fill(server.dataDir);
    await server.start();
    const drawn = await drawnSeries(server.url);
    const who = await loggedIn(browser, server.url, "ops", { path: "/monitor/fleet" });
    const [page] = who.pages;
    if (page === undefined) throw new Error("no tab");
    await page.setViewportSize({ width: 1440, height: 2400 });
    await page.getByRole("button", { name: "30 天" }).click();
    await until(page, isDrawn);
    const open: number[] = [];
    for (let i = 0; i < OPENINGS; i += 1) open.push(await opening(page));
    const plot = page.locator(".chart-plot").first();
    const { width, height } = await plot.evaluate((box) => box.getBoundingClientRect());
    await plot.focus();
    const frames = await scriptOfFrames(browser, page, FRAMES, (frame) => {
      const key = frame % 4 < 2 ? "ArrowLeft" : "ArrowRight";
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    });
    const calls: number[] = [];
    for (let i = 0; i < OPENINGS; i += 1) calls.push(await openingCalls(page));
    await who.close();
    return { open, frames, drawn: { ...drawn, width, height }, calls };
  } finally {
    await server.dispose();
  }
}

async function peer(browser: Browser, drawn: PeerCharts): Promise<Measured> {
  const dir = mkdtempSync(join(tmpdir(), "ops-bench-"));
  try {
    await build({
      configFile: false,
      root: join(import.meta.dirname, "ops"),
      logLevel: "error",
      build: { outDir: dir, emptyOutDir: true, target: "chrome120", chunkSizeWarningLimit: 4000 },
    });
    const page = await browser.newPage({ viewport: { width: 1440, height: 2400 } });
    await page.route(`${PEER}**`, (route) => {
      const { pathname } = new URL(route.request().url());
      const file = join(dir, pathname === "/" ? "index.html" : pathname);
      if (!existsSync(file)) return route.fulfill({ status: 404 });
      const contentType = TYPES[extname(file)] ?? "application/octet-stream";
      return route.fulfill({ body: readFileSync(file), contentType });
    });
    await page.goto(PEER);
    await page.waitForFunction("globalThis.drawCharts !== undefined");
    const open = [await page.evaluate((charts) => globalThis.drawCharts(charts), drawn)];
    const frames = await scriptOfFrames(browser, page, FRAMES, (frame) => {
      const { shownSpan } = globalThis;
      globalThis.shownFrom += shownSpan * (frame % 4 < 2 ? -0.2 : 0.2);
      globalThis.panTo(globalThis.shownFrom, globalThis.shownFrom + shownSpan);
    });
    await page.close();
    return { open, frames };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export async function benchOps(): Promise<Figure[]> {
  const browser = await chromium.launch(launchOptions());
  try {
    const { drawn, calls, ...own } = await ours(browser);
    const measured = [
      { name: "charts of the fleet, 30 days", ...own, limited: true },
      {
        name: "echarts, the same series in memory",
        ...(await peer(browser, drawn)),
        limited: false,
      },
    ];
    const listed: Figure = {
      bench: "ops",
      case: "list of 1,000 calls",
      metric: "open, the slowest",
      unit: "ms",
      value: round(Math.max(...calls)),
      runs: calls.length,
      limit: OPEN_LIMIT,
    };
    const charts = measured.flatMap(({ name, open, frames, limited }): Figure[] => [
      {
        bench: "ops",
        case: name,
        metric: "open, the slowest",
        unit: "ms",
        value: round(Math.max(...open)),
        runs: open.length,
        ...(limited ? { limit: OPEN_LIMIT } : {}),
      },
      ...[50, 95, 99].map((p) => ({
        bench: "ops",
        case: name,
        metric: `script per frame p${p}`,
        unit: "ms",
        value: round(percentile(frames, p)),
        runs: frames.length,
        ...(limited && p === 95 ? { limit: FRAME_LIMIT } : {}),
      })),
    ]);
    return [...charts, listed];
  } finally {
    await browser.close();
  }
}
