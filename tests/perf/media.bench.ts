/**
 * What a forwarded stream costs: one publisher (a browser, 640x360, about 500 kbit/s, with sound) and 1 to 200 subscribers, on
 * the embedded node and on Janus in the same run, without loss and with 5 %. Up to 20 subscribers are browsers; more are
 * headless, in a separate process. CPU is that of the media process only, in % of one core.
 *
 * BENCH_MEDIA_SECONDS (8): duration of each measurement. BENCH_MEDIA_COUNTS (1,10,20,50,100,200).
 */
import { loadavg } from "node:os";
import { chromium, type Browser } from "playwright";
import pino from "pino";
import { createEmbeddedNode } from "../../src/server/modules/media-node/embedded/index.ts";
import { createJanusNode } from "../../src/server/modules/media-node/janus/index.ts";
import type { MediaNode } from "../../src/server/modules/media-node/index.ts";
import { systemClock } from "../../src/server/base/clock.ts";
import { hostAddress, janusPath, NO_JANUS, startJanus } from "../media/janus-process.ts";
import { createRig, until, type Rig } from "../media/rig.ts";
import { createUdpRelay, type UdpRelay } from "../media/udp-relay.ts";
import { launchOptions } from "../support/chromium.ts";
import { startCrowd } from "./media/crowd.ts";
import { cpuMs, memoryMb } from "./media/usage.ts";
import { type Figure, percentile, round } from "./report.ts";

const SECONDS = Number(process.env["BENCH_MEDIA_SECONDS"] ?? 8);
const COUNTS = (process.env["BENCH_MEDIA_COUNTS"] ?? "1,10,20,50,100,200").split(",").map(Number);
const BROWSERS_MAX = 20;
const LOSSES = [0, 0.05] as const;

interface Subject {
  readonly name: string;
  readonly node: MediaNode;
  readonly pid: number;
  close(): Promise<void>;
}

const common = {
  clock: systemClock,
  log: pino({ level: "error" }),
  capacity: 1000,
  onStats: () => undefined,
};

async function embedded(): Promise<Subject> {
  const options = { port: 0, capacity: 1000 };
  const node = createEmbeddedNode({ ...common, options, onRestart: () => undefined });
  await node.warm();
  return { name: "embedded", node, pid: node.pid ?? 0, close: () => node.close() };
}

async function janus(): Promise<Subject> {
  const server = await startJanus();
  const node = createJanusNode({
    ...common,
    name: "janus",
    url: server.url,
    secret: server.secret,
  });
  await until(() => node.up, Boolean, "the connection to Janus");
  return {
    name: "Janus",
    node,
    pid: server.pid,
    async close() {
      await node.close();
      await server.close();
    },
  };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Case {
  readonly subject: Subject;
  readonly rig: Rig;
  readonly loss: number;
  readonly addFigure: (
    count: number,
    metric: string,
    unit: string,
    value: number,
    runs: number,
  ) => void;
}

/** CPU and memory of the media process during the measurement. */
async function cost(c: Case, count: number): Promise<void> {
  const [cpu, at] = [cpuMs(c.subject.pid), performance.now()];
  const before = (await c.rig.published("p")).sent[0]?.bitrate ?? 0;
  await sleep(SECONDS * 1000);
  const share = ((cpuMs(c.subject.pid) - cpu) / (performance.now() - at)) * 100;
  c.addFigure(count, "CPU", "% of a core", share, 1);
  c.addFigure(count, "CPU a stream", "% of a core", share / count, 1);
  const video = (await c.rig.published("p")).sent[0];
  // Reported next to the CPU: on a busy machine the browser can send less, and then there is less to forward.
  c.addFigure(count, "video in", "kbit/s", ((video?.bitrate ?? 0) - before) / SECONDS / 1000, 1);
  c.addFigure(count, "memory", "MB", memoryMb(c.subject.pid), 1);
  c.addFigure(count, "load average", "1 min", loadavg()[0] ?? 0, 1);
}

async function browsers(c: Case, counts: readonly number[]): Promise<void> {
  const page = await c.rig.newPage();
  const ids: string[] = [];
  const relays: UdpRelay[] = [];
  try {
    for (const count of counts) {
      const times: number[] = [];
      while (ids.length < count) {
        const id = `b${ids.length}`;
        ids.push(id);
        let relay: UdpRelay | undefined;
        if (c.loss > 0) {
          relay = await createUdpRelay(hostAddress());
          relay.trouble.loss = c.loss;
          relays.push(relay);
        }
        const began = await c.rig.watch(id, "p", {
          page,
          ...(relay === undefined ? {} : { relay }),
        });
        const seen = await until(
          () => c.rig.watched(id),
          (w) => w.firstFrameAt > 0,
          "the first frame",
          20_000,
        );
        times.push(seen.firstFrameAt - began);
        // A random pause, so that requests do not coincide with keyframes that other subscribers asked for.
        await sleep(200 + Math.random() * 600);
      }
      c.addFigure(count, "first frame p50", "ms", percentile(times, 50), times.length);
      c.addFigure(count, "first frame p95", "ms", percentile(times, 95), times.length);
      const look = () => Promise.all(ids.map((id) => c.rig.watched(id)));
      const before = await look();
      await cost(c, count);
      const after = await look();
      const sum = (valueOf: (w: (typeof after)[number]) => number): number =>
        after.reduce(
          (all, w, i) => all + valueOf(w) - (before[i] === undefined ? 0 : valueOf(before[i])),
          0,
        );
      c.addFigure(
        count,
        "freezes",
        "per minute",
        sum((w) => w.freezes) / ((count * SECONDS) / 60),
        count,
      );
      c.addFigure(count, "frames", "per second", sum((w) => w.frames) / count / SECONDS, count);
      if (c.loss === 0) continue;
      // Packets that are still requested arrive within this time or never.
      for (const relay of relays) relay.trouble.loss = 0;
      await sleep(2000);
      const lost = (await look()).reduce((all, w) => all + Math.max(0, w.lost), 0);
      for (const relay of relays) relay.trouble.loss = c.loss;
      c.addFigure(count, "video packets lost for good", "", lost, count);
    }
  } finally {
    for (const id of ids) {
      c.subject.node.closeConnection(id);
      await c.rig.closePeer(id);
    }
    for (const relay of relays) relay.close();
    await page.close();
  }
}

async function headless(c: Case, counts: readonly number[]): Promise<void> {
  if (counts.length === 0) return;
  const crowd = await startCrowd(c.loss > 0);
  let connected = 0;
  const stop = c.subject.node.onEvent((event) => {
    if (event.t !== "candidates" || !event.id.startsWith("h")) return;
    for (const { candidate } of event.cands) crowd.candidate(event.id, candidate);
  });
  try {
    crowd.loss(c.loss);
    let lostBefore = 0;
    for (const count of counts) {
      const began = new Map<string, number>();
      while (connected < count) {
        const id = `h${connected}`;
        connected += 1;
        began.set(id, Date.now());
        const wish = { conferenceId: "c", publisher: "p", video: true, audio: true } as const;
        const offer = await crowd.watch(id);
        const { sdp } = await c.subject.node.subscribe({ id, ...wish, offer, layer: "high" });
        await crowd.answer(id, sdp);
        await sleep(20);
      }
      const ready = await until(
        () => crowd.figures(),
        (f) => Object.keys(f.keyframes).length === count,
        `${count} headless subscribers of ${c.subject.name} at ${c.loss * 100} % loss`,
        // At 5 % loss a handshake sometimes needs several tries, each twice as long as the one before.
        90_000,
      );
      const times = [...began].map(([id, at]) => (ready.keyframes[id] ?? 0) - at);
      c.addFigure(count, "first keyframe p50", "ms", percentile(times, 50), times.length);
      await sleep(1000);
      const before = await crowd.figures();
      const at = performance.now();
      await cost(c, count);
      const after = await crowd.figures();
      const rate = ((after.packets - before.packets) * 1000) / (performance.now() - at);
      c.addFigure(count, "packets", "per second", rate, 1);
      if (c.loss === 0) continue;
      crowd.loss(0);
      await sleep(4000);
      const settled = await crowd.figures();
      crowd.loss(c.loss);
      c.addFigure(
        count,
        "video packets lost for good",
        "",
        settled.lostForGood - lostBefore,
        count,
      );
      lostBefore = settled.lostForGood;
    }
  } finally {
    stop();
    for (let i = 0; i < connected; i += 1) c.subject.node.closeConnection(`h${i}`);
    await crowd.close();
  }
}

async function measure(
  browser: Browser,
  start: () => Promise<Subject>,
  loss: number,
  figures: Figure[],
): Promise<void> {
  const subject = await start();
  const rig = await createRig(subject.node, browser);
  const addFigure: Case["addFigure"] = (count, metric, unit, value, runs) =>
    void figures.push({
      bench: "media",
      case: `${count} stream${count > 1 ? "s" : ""}, ${loss * 100} % loss, ${subject.name}`,
      metric,
      unit,
      value: round(value, 2),
      runs,
    });
  try {
    await rig.publish("p", { noise: true });
    const rate = async (): Promise<number> => {
      const bits = async () => (await rig.published("p")).sent[0]?.bitrate ?? 0;
      const before = await bits();
      await sleep(1000);
      return (await bits()) - before;
    };
    await until(rate, (bits) => bits > 400_000, "the publisher's full rate", 30_000);
    const c: Case = { subject, rig, loss, addFigure };
    await browsers(
      c,
      COUNTS.filter((n) => n <= BROWSERS_MAX),
    );
    await headless(
      c,
      COUNTS.filter((n) => n > BROWSERS_MAX),
    );
  } finally {
    subject.node.closeConference("c");
    await rig.close();
    await subject.close();
  }
}

/** From this number of streams on, the embedded node may cost no more than Janus. A single stream carries the whole cost of a process in Node. */
const COMPARED_FROM = 10;
/** Figures of the embedded node as multiples of what Janus had in the same run, with the most that they may be. */
const RATIOS: Readonly<Record<string, number>> = { "CPU a stream": 1, "first frame p50": 1.1 };

/** What both nodes have, in one figure each. Empty where only one was measured. */
function ratios(figures: readonly Figure[]): Figure[] {
  return figures.flatMap((ours) => {
    const limit = RATIOS[ours.metric];
    const peer = figures.find(
      ({ case: name, metric }) =>
        metric === ours.metric && name === ours.case.replace(/embedded$/, "Janus"),
    );
    const small = parseInt(ours.case, 10) < COMPARED_FROM;
    if (!ours.case.endsWith("embedded") || peer === undefined || limit === undefined || small) {
      return [];
    }
    const metric = `${ours.metric}, embedded`;
    return [{ ...ours, metric, unit: "x Janus", value: round(ours.value / peer.value, 2), limit }];
  });
}

export async function benchMedia(): Promise<Figure[]> {
  const figures: Figure[] = [];
  if (janusPath === undefined) console.log(`${NO_JANUS}; only the embedded node is measured.`);
  const browser = await chromium.launch(
    launchOptions(["--autoplay-policy=no-user-gesture-required"]),
  );
  try {
    for (const loss of LOSSES) {
      await measure(browser, embedded, loss, figures);
      if (janusPath !== undefined) await measure(browser, janus, loss, figures);
    }
  } finally {
    await browser.close();
  }
  return [...figures, ...ratios(figures)].sort(
    (a, b) => COUNTS.indexOf(parseInt(a.case, 10)) - COUNTS.indexOf(parseInt(b.case, 10)),
  );
}
