/**
 * How long a person waits for a picture: from accepting a call to the first remote frame, and from the end of the owner's tab
 * (closed, or its renderer killed) to the next new remote frame on the other side. And what the other side misses while a person moves
 * the call to another tab. One figure per case over RUNS calls or more.
 */
import { chromium, type Page } from "playwright";
import { answerButton, dial, hangUpButton, callStatus, ownerOf } from "../support/calls.ts";
import { launchOptions } from "../support/chromium.ts";
import { crash } from "../support/crash.ts";
import { loggedIn } from "../support/people.ts";
import { readGap, watchGap } from "../support/gap.ts";
import { inbound } from "../support/rtc.ts";
import { startServer } from "../support/server.ts";
import { type Figure, percentile, round } from "./report.ts";

const RUNS = Number(process.env["BENCH_RUNS"] ?? 30);
/** ms, on a machine that does nothing else. */
const LIMITS: Readonly<Record<string, number>> = {
  "accept to first remote frame p50": 250,
  "owner renderer killed to new remote frame p95": 250,
  "brought to another tab: longest silence p95": 60,
  "gone on on another device: longest silence p95": 60,
};
const TABS = 3;

/** Waits for the first frame of a connection after the first `known` ones. @returns when it was decoded, ms since the epoch */
const firstFrame = (page: Page, known: number): Promise<number> =>
  page.evaluate(async (skip) => {
    const until = Date.now() + 20_000;
    while (Date.now() < until) {
      for (const pc of (globalThis.peerConnections ?? []).slice(skip)) {
        const report = await pc.getStats();
        let frames = 0;
        report.forEach((entry: Record<string, unknown>) => {
          if (entry["type"] === "inbound-rtp" && entry["kind"] === "video") {
            frames += Number(entry["framesDecoded"] ?? 0);
          }
        });
        if (frames > 0) return Date.now();
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error("no frame came in 20 s");
  }, known);

const knownPeers = (page: Page): Promise<number> =>
  page.evaluate(() => globalThis.peerConnections?.length ?? 0);

async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`${what} did not happen in 20 s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function benchCall(): Promise<Figure[]> {
  const server = await startServer();
  const browser = await chromium.launch(launchOptions());
  const accept: number[] = [];
  const closed: number[] = [];
  const killed: number[] = [];
  const silence: number[] = [];
  const concealed: number[] = [];
  const still: number[] = [];
  const device = { silence: [] as number[], concealed: [] as number[], still: [] as number[] };
  try {
    const zhang = await loggedIn(browser, server.url, "zhangwei", { tabs: TABS });
    const li = await loggedIn(browser, server.url, "lina");
    const callee = li.pages[0];
    if (callee === undefined) throw new Error("no tab");
    let pages = [...zhang.pages];
    for (let run = 0; run < RUNS * 2; run += 1) {
      const kill = run % 2 === 1;
      // The last opened tab dials, so that the caller is not the tab that created the worker.
      const caller = pages.at(-1);
      if (caller === undefined) throw new Error("no tab");
      await dial(caller, "李娜");
      await answerButton(callee).waitFor();
      const known = await knownPeers(callee);
      const [began] = await Promise.all([
        callee.evaluate(
          () =>
            new Promise<number>((resolve) => {
              document.addEventListener("click", () => resolve(Date.now()), {
                once: true,
                capture: true,
              });
            }),
        ),
        answerButton(callee).click(),
      ]);
      accept.push((await firstFrame(callee, known)) - began);
      await until(async () => (await inbound(caller)).framesDecoded > 0, "the caller's picture");

      const target = pages[0];
      if (target === undefined) throw new Error("no tab");
      await target.getByRole("button", { name: "还原窗口" }).click();
      await callee.bringToFront();
      await watchGap(callee);
      await target.getByRole("button", { name: "在此标签页显示" }).click();
      await until(async () => (await ownerOf(pages)) === target, "the move");
      await until(async () => (await inbound(caller)).openPeers === 0, "the end of the former tab");
      const gap = await readGap(callee);
      silence.push(gap.sound);
      concealed.push(gap.concealed);
      still.push(gap.picture);
      if (process.env["BENCH_VERBOSE"] !== undefined) console.log(JSON.stringify(gap));

      const owner = await ownerOf(pages);
      if (owner === null) throw new Error("no tab owns the call");
      const before = await knownPeers(callee);
      const frame = firstFrame(callee, before);
      const ended = Date.now();
      if (kill) await crash(owner);
      else await owner.close();
      (kill ? killed : closed).push((await frame) - ended);
      pages = pages.filter((page) => page !== owner);
      if (kill) await owner.close();

      const left = pages[0];
      if (left === undefined) throw new Error("no tab");
      await hangUpButton(left).first().click();
      await until(async () => (await callStatus(callee)) === "idle", "the end of the call");
      await until(async () => (await callStatus(left)) === "idle", "the end of the call");
      pages.push(await zhang.open("/im/people"));
    }
    // Between two devices of the caller, to and fro in one call.
    const phone = await loggedIn(browser, server.url, "zhangwei");
    const [first, second] = [pages[0], phone.pages[0]];
    if (first === undefined || second === undefined) throw new Error("no tab");
    await dial(first, "李娜");
    await answerButton(callee).click();
    await until(async () => (await inbound(callee)).framesDecoded > 0, "the call");
    for (let run = 0; run < RUNS; run += 1) {
      const [former, next] = run % 2 === 0 ? [first, second] : [second, first];
      await callee.bringToFront();
      await watchGap(callee);
      await next.getByRole("button", { name: "在此设备继续" }).click();
      await until(async () => (await callStatus(next)) === "chat", "the move");
      await until(
        async () => (await inbound(former)).openPeers === 0,
        "the end of the former device",
      );
      const gap = await readGap(callee);
      device.silence.push(gap.sound);
      device.concealed.push(gap.concealed);
      device.still.push(gap.picture);
    }
  } finally {
    await browser.close();
    await server.dispose();
  }
  const rows: readonly [name: string, values: readonly number[]][] = [
    ["accept to first remote frame", accept],
    ["owner tab closed to new remote frame", closed],
    ["owner renderer killed to new remote frame", killed],
    ["brought to another tab: longest silence", silence],
    ["brought to another tab: sound made up by the browser", concealed],
    ["brought to another tab: longest time between two pictures", still],
    ["gone on on another device: longest silence", device.silence],
    ["gone on on another device: sound made up by the browser", device.concealed],
    ["gone on on another device: longest time between two pictures", device.still],
  ];
  return rows.flatMap(([name, values]) =>
    (["p50", "p95"] as const).map((metric) => {
      const limit = LIMITS[`${name} ${metric}`];
      return {
        bench: "call",
        case: name,
        metric,
        unit: "ms",
        value: round(percentile(values, metric === "p50" ? 50 : 95), 0),
        runs: values.length,
        ...(limit === undefined ? {} : { limit }),
      };
    }),
  );
}
