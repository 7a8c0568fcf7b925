/**
 * Scrolls through 5,000 of 100,000 employees and measures the script time of each frame, beside Arco's own virtual table with the same
 * columns in the same browser. BENCH_EMPLOYEES (100000): number of employees.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright";
import { build } from "vite";
import { launchOptions } from "../support/chromium.ts";
import { startWithEmployees } from "../support/many-employees.ts";
import { loggedIn } from "../support/people.ts";
import { type Figure, percentile, round } from "./report.ts";

const EMPLOYEES = Number(process.env["BENCH_EMPLOYEES"] ?? 100_000);
const ROWS = 5_000;
const FRAMES = 500;
/** ms of script per frame, p95: half of a frame at 60 Hz. */
const LIMIT = 8;
const MARK = "bench-frame";
const METRICS = {
  script: "script",
  forcing: "script with forced layout",
  processor: "script in processor time",
} as const;
const PEER = "http://peer.test/";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
};

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** µs */
  readonly ts: number;
  readonly dur?: number;
  /** The same in time of the processor that the thread had. */
  readonly tts?: number;
  readonly tdur?: number;
}

/** Events in which script runs, with what it forces (style, layout, collection of garbage). */
const SCRIPT = new Set([
  "EvaluateScript",
  "EventDispatch",
  "FireAnimationFrame",
  "FireIdleCallback",
  "FunctionCall",
  "HandlePostMessage",
  "MajorGC",
  "MinorGC",
  "RunMicrotasks",
  "TimerFire",
]);

/** Style and layout that script forces. The step of this bench forces both in each frame, as a person's wheel does not. */
const FORCED = new Set(["Layout", "UpdateLayoutTree"]);

/** From and to, µs. */
type Span = readonly [from: number, to: number];

/** The time that events of these names cover. Events may contain each other. */
function covered(events: readonly TraceEvent[], names: ReadonlySet<string>): Span[] {
  const merged: [number, number][] = [];
  for (const { ts, dur = 0 } of events
    .filter(({ name }) => names.has(name))
    .toSorted((a, b) => a.ts - b.ts)) {
    const last = merged.at(-1);
    if (last !== undefined && ts <= last[1]) last[1] = Math.max(last[1], ts + dur);
    else merged.push([ts, ts + dur]);
  }
  return merged;
}
/** µs of the spans between two moments. */
const within = (spans: readonly Span[], from: number, to: number): number =>
  spans.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(b, to) - Math.max(a, from)), 0);

interface FrameTimes {
  /** ms of script in each frame, without the style and layout that it forces. */
  readonly script: readonly number[];
  /** The same with them. */
  readonly forcing: readonly number[];
  /** `script` in time of the processor: a machine that does other work as well lets a frame wait, but gives it no more work. */
  readonly processor: readonly number[];
}

/** Events as if the thread had the processor to itself. */
const onProcessor = (events: readonly TraceEvent[]): TraceEvent[] =>
  events.flatMap((event) =>
    event.tts === undefined ? [] : [{ ...event, ts: event.tts, dur: event.tdur ?? 0 }],
  );

function framesOf(events: readonly TraceEvent[]): FrameTimes {
  return { ...timesOf(events), processor: timesOf(onProcessor(events)).script };
}

function timesOf(events: readonly TraceEvent[]): Omit<FrameTimes, "processor"> {
  const marks = events.filter(({ name }) => name === MARK);
  const [first] = marks;
  if (first === undefined) throw new Error("the trace has no frames");
  const bounds = marks.map(({ ts }) => ts).toSorted((a, b) => a - b);
  const ours = events.filter(
    ({ pid, tid, ph }) => pid === first.pid && tid === first.tid && ph === "X",
  );
  const scripts = covered(ours, SCRIPT);
  const forced = covered(ours, FORCED);
  const inScript = scripts.flatMap(([from, to]) =>
    forced
      .filter(([a, b]) => a < to && b > from)
      .map(([a, b]): Span => [Math.max(a, from), Math.min(b, to)]),
  );
  const perFrame = (spans: readonly Span[]): number[] =>
    bounds.slice(1).map((to, frame) => within(spans, bounds[frame] ?? to, to) / 1000);
  const forcing = perFrame(scripts);
  const without = perFrame(inScript);
  return { forcing, script: forcing.map((ms, frame) => ms - (without[frame] ?? 0)) };
}

/** Scrolls a box down by the height of ROWS rows, a step per frame. */
async function scroll(
  browser: Browser,
  page: Page,
  box: string,
  rowHeight: number,
): Promise<FrameTimes> {
  await page.locator(box).first().waitFor();
  await browser.startTracing(page, {
    categories: ["devtools.timeline", "blink.user_timing", "v8"],
  });
  await page.evaluate(
    async ([selector, step, frames, mark]) => {
      const element = document.querySelector(selector);
      for (let frame = 0; frame <= frames; frame += 1) {
        await new Promise(requestAnimationFrame);
        performance.mark(mark);
        if (element !== null) element.scrollTop += step;
      }
      if (element === null || element.scrollTop < step * frames) throw new Error("not scrolled");
    },
    [box, (ROWS * rowHeight) / FRAMES, FRAMES, MARK] as const,
  );
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  return framesOf(trace.traceEvents);
}

async function ours(browser: Browser): Promise<FrameTimes> {
  const server = await startWithEmployees(EMPLOYEES);
  try {
    const who = await loggedIn(browser, server.url, "admin", { path: "/supplier/employees" });
    const [page] = who.pages;
    if (page === undefined) throw new Error("no tab");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.locator(".list-page-row[data-index='5'] .list-page-link").waitFor();
    await page.getByRole("button", { name: "连续滚动" }).click();
    await page.getByRole("navigation", { name: "分页" }).waitFor({ state: "detached" });
    const total = Number((await page.getByTestId("list-total").innerText()).replaceAll(/\D/g, ""));
    if (total < EMPLOYEES) throw new Error(`the list has ${total} rows`);
    return await scroll(browser, page, ".list-page-rows", 44);
  } finally {
    await server.dispose();
  }
}

async function peer(browser: Browser): Promise<FrameTimes> {
  const dir = mkdtempSync(join(tmpdir(), "table-bench-"));
  try {
    await build({
      configFile: false,
      root: join(import.meta.dirname, "table"),
      logLevel: "error",
      build: { outDir: dir, emptyOutDir: true, target: "chrome120", chunkSizeWarningLimit: 4000 },
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.route(`${PEER}**`, (route) => {
      const { pathname } = new URL(route.request().url());
      const file = join(dir, pathname === "/" ? "index.html" : pathname);
      if (!existsSync(file)) return route.fulfill({ status: 404 });
      const contentType = TYPES[extname(file)] ?? "application/octet-stream";
      return route.fulfill({ body: readFileSync(file), contentType });
    });
    await page.goto(PEER);
    const row = page.locator(".arco-table-body .arco-table-tr").first();
    await row.waitFor();
    const height = (await row.boundingBox())?.height ?? 0;
    return await scroll(browser, page, ".arco-table-body", height);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export async function benchTable(): Promise<Figure[]> {
  const browser = await chromium.launch(launchOptions());
  try {
    const measured = [
      { name: `employee list, ${EMPLOYEES} rows`, frames: await ours(browser), limit: LIMIT },
      { name: "Arco's virtual table, 100000 rows in memory", frames: await peer(browser) },
    ];
    return measured.flatMap(({ name, frames, limit }) =>
      (["script", "forcing", "processor"] as const).flatMap((what) =>
        ([50, 95, 99] as const).map((p) => ({
          bench: "table",
          case: name,
          metric: `${METRICS[what]} per frame p${p}`,
          unit: "ms",
          value: round(percentile([...frames[what]], p)),
          runs: frames[what].length,
          ...(what === "script" && p === 95 && limit !== undefined ? { limit } : {}),
        })),
      ),
    );
  } finally {
    await browser.close();
  }
}
