/**
 * How long people wait in conferences: from the click that joins to the first frame of another member; from the end of a network
 * cut, or a change of address, to the next new frame. Also the memory that is left after JOINS joins and leaves.
 */
import { type Browser, chromium, type Page } from "playwright";
import { launchOptions } from "../support/chromium.ts";
import {
  CONFERENCE_PAGE,
  createConference,
  expectPictures,
  joinById,
  joined,
} from "../support/conference.ts";
import { noNamespaces, otherMachine } from "../support/netns.ts";
import { loggedIn } from "../support/people.ts";
import { inbound } from "../support/rtc.ts";
import { startServer } from "../support/server.ts";
import { type Figure, percentile, round } from "./report.ts";

const RUNS = Number(process.env["BENCH_RUNS"] ?? 20);
const JOINS = Number(process.env["BENCH_JOINS"] ?? 200);
const CUTS = [5, 30] as const;
/** ms from one join to the next. */
const PACE = 1050;

/**
 * The most that a figure may be, by case and metric. Before the server spoke the wire of the client SDK, a join took 337 ms at the
 * median, and recovery from the cuts 0.9 s and 3.4 s; the limits leave space for the noise of a quiet machine.
 */
const LIMITS: Readonly<Record<string, number>> = {
  "join to first frame p50": 400,
  "join to first frame p95": 600,
  "script memory growth": 3,
  "connections left count": 0,
  "after a cut of 5 s to a frame there": 2000,
  "after a cut of 5 s to a frame here": 2000,
  "after a cut of 30 s to a frame there": 5000,
  "after a cut of 30 s to a frame here": 5000,
  "after another address to a frame there": 2000,
  "after another address to a frame here": 2000,
};
/** @param name case of a figure, whose count of joins belongs to the run @returns the bound of the figure, if it has one */
function boundOf(name: string, metric: string): { limit?: number } {
  const limit = LIMITS[`${name.replace(/(?:,| after) .*joins and leaves$/, "")} ${metric}`];
  return limit === undefined ? {} : { limit };
}

const figure = (
  name: string,
  metric: string,
  unit: string,
  value: number,
  runs: number,
): Figure => ({
  bench: "conference",
  case: name,
  metric,
  unit,
  value: round(value, unit === "ms" ? 0 : 1),
  runs,
  ...boundOf(name, metric),
});

/** Waits within the page until more frames are decoded than now. @returns ms since the epoch */
const nextFrame = (page: Page, limit = 60_000): Promise<number> =>
  page.evaluate(async (ms) => {
    const until = Date.now() + ms;
    let before: number | null = null;
    for (;;) {
      let now = 0;
      for (const pc of globalThis.peerConnections ?? []) {
        if (pc.connectionState === "closed") continue;
        (await pc.getStats()).forEach((entry: Record<string, unknown>) => {
          if (entry["type"] === "inbound-rtp" && entry["kind"] === "video") {
            now += Number(entry["framesDecoded"] ?? 0);
          }
        });
      }
      before ??= now;
      // A rebuilt connection counts from zero.
      if (now > before || (now > 0 && now < before)) return Date.now();
      if (Date.now() > until) throw new Error(`no frame came in ${ms} ms`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }, limit);

const leave = async (page: Page): Promise<void> => {
  await page.evaluate(() => globalThis.consoleCore.commands.conference.exit({}));
  await page.waitForFunction(() => globalThis.consoleCore.state.conference.status === "idle");
};

/** MiB of JavaScript heap after a garbage collection. */
async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 1024 / 1024;
}

async function joins(browser: Browser, url: string): Promise<Figure[]> {
  const host = await loggedIn(browser, url, "zhangwei", { path: CONFERENCE_PAGE });
  const guest = await loggedIn(browser, url, "lina", { path: CONFERENCE_PAGE });
  const [h, g] = [host.pages[0], guest.pages[0]];
  if (h === undefined || g === undefined) throw new Error("no tab");
  const id = await createConference(h, "benchmark");
  const times: number[] = [];
  let early = 0;
  for (let run = 0; run < JOINS; run += 1) {
    const began = Date.now();
    const [at] = await Promise.all([
      nextFrame(g),
      g.evaluate((confrId) => globalThis.consoleCore.commands.conference.join({ confrId }), id),
    ]);
    if (run < RUNS) times.push(at - began);
    await leave(g);
    // Tickets are limited to one per second.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + PACE - Date.now())));
    if (run === Math.min(20, JOINS - 1)) early = await heap(g);
  }
  const late = await heap(g);
  const peers = (await inbound(g)).openPeers;
  await leave(h);
  await Promise.all([host.close(), guest.close()]);
  return [
    figure("join to first frame", "p50", "ms", percentile(times, 50), times.length),
    figure("join to first frame", "p95", "ms", percentile(times, 95), times.length),
    figure(`script memory, 20 to ${JOINS} joins and leaves`, "growth", "MiB", late - early, JOINS),
    figure(`connections left after ${JOINS} joins and leaves`, "count", "", peers, JOINS),
  ];
}

async function cuts(url: string, browser: Browser): Promise<Figure[]> {
  const why = noNamespaces();
  if (why !== null) {
    console.log(`(no cuts: ${why})`);
    return [];
  }
  const machine = otherMachine(2);
  const figures: Figure[] = [];
  try {
    const origin = `http://${machine.gateway}:${new URL(url).port}`;
    const far = await loggedIn(await machine.launch(origin), origin, "lina", {
      path: CONFERENCE_PAGE,
    });
    const near = await loggedIn(browser, url, "zhangwei", { path: CONFERENCE_PAGE });
    const [f, n] = [far.pages[0], near.pages[0]];
    if (f === undefined || n === undefined) throw new Error("no tab");
    await joinById(f, await createConference(n, "cuts"));
    await expectPictures(f, ["zhangwei"]);
    const measure = async (name: string): Promise<void> => {
      const began = Date.now();
      const [there, here] = await Promise.all([nextFrame(f), nextFrame(n)]);
      await joined(f);
      figures.push(figure(name, "to a frame there", "ms", there - began, 1));
      figures.push(figure(name, "to a frame here", "ms", here - began, 1));
      await expectPictures(f, ["zhangwei"]);
      await expectPictures(n, ["lina"]);
    };
    for (const seconds of CUTS) {
      machine.unplug();
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      machine.plug();
      await measure(`after a cut of ${seconds} s`);
    }
    machine.moveTo(9);
    await measure("after another address");
    await near.close();
  } finally {
    await machine.dispose();
  }
  return figures;
}

export async function benchConference(): Promise<Figure[]> {
  const server = await startServer();
  const browser = await chromium.launch(launchOptions());
  try {
    return [...(await joins(browser, server.url)), ...(await cuts(server.url, browser))];
  } finally {
    await browser.close();
    await server.dispose();
  }
}
