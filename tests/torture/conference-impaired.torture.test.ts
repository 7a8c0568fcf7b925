/**
 * A conference of four on a bad network: every path of every member is impaired. The same pictures on a good network are the
 * control, so that freezes of a slow machine are not counted. The packets are lost on the wire: if the node dropped a packet
 * after decrypting it, it would take the browser's retransmission for a replay, and nothing would ever be repaired.
 */
import { chromium, type Page } from "playwright";
import pino from "pino";
import { Registry } from "prom-client";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/server/base/clock.ts";
import { readConfig } from "../../src/server/base/config.ts";
import { createMediaNodes } from "../../src/server/modules/media-node/index.ts";
import { launchOptions } from "../support/chromium.ts";
import { hostAddress } from "../media/janus-process.ts";
import { createRig, until } from "../media/rig.ts";
import { createUdpRelay } from "../media/udp-relay.ts";
import { tortureRandom } from "../support/seed.ts";

const FOUR = ["a", "b", "c", "d"] as const;
const WATCH_MS = 8000;

it.each([
  { what: "5 % loss", loss: 0.05, delay: 0, pictureMs: 3000, frozen: 0.05 },
  { what: "15 % loss", loss: 0.15, delay: 0, pictureMs: 8000, frozen: 0.3 },
  { what: "300 ms of delay each way", loss: 0, delay: 300, pictureMs: 6000, frozen: 0.05 },
])(
  "Four members at $what: a member who joins late gets all pictures in time, and they seldom freeze",
  async ({ what, loss, delay, pictureMs, frozen }) => {
    const config = readConfig({ APP_SECRET: "s".repeat(40) });
    const log = pino({ level: "silent" });
    const [node] = createMediaNodes({ config, clock: systemClock, log, metrics: new Registry() });
    if (node === undefined) throw new Error("no node");
    onTestFinished(() => node.close());
    await node.warm?.();
    const browser = await chromium.launch(
      launchOptions(["--autoplay-policy=no-user-gesture-required"]),
    );
    onTestFinished(() => browser.close());
    const rig = await createRig(node, browser);
    onTestFinished(() => rig.close());
    const relay = await createUdpRelay(hostAddress(), tortureRandom(`conference at ${what}`));
    onTestFinished(() => relay.close());
    const pages = new Map<string, Page>();
    for (const name of FOUR) pages.set(name, await rig.newPage());
    const pageOf = (name: string): { page?: Page } => {
      const page = pages.get(name);
      return page === undefined ? {} : { page };
    };
    const publish = (name: string) =>
      rig.publish(name, { simulcast: true, bitrate: 300_000, relay, ...pageOf(name) });
    const watch = (who: string, whom: string) =>
      rig.watch(`${who}<${whom}`, whom, { layer: "low", relay, ...pageOf(who) });
    const shown = (id: string) =>
      until(
        () => rig.watched(id),
        (w) => w.firstFrameAt > 0,
        `${id}'s first frame`,
        15_000,
      );
    const early = FOUR.slice(0, 3);
    for (const name of early) await publish(name);
    for (const who of early) for (const whom of early) if (who !== whom) await watch(who, whom);
    for (const who of early)
      for (const whom of early) if (who !== whom) await shown(`${who}<${whom}`);

    type Counted = "frames" | "freezes" | "freezeSeconds" | "audioPackets";
    /** The change of the counters of these subscriptions while they are watched, one number per subscription. */
    const observe = async (ids: readonly string[]) => {
      const before = await Promise.all(ids.map((id) => rig.watched(id)));
      await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
      const after = await Promise.all(ids.map((id) => rig.watched(id)));
      const more = (counted: Counted): number[] =>
        after.map((now, i) => now[counted] - (before[i]?.[counted] ?? 0));
      const sum = (counted: Counted): number => more(counted).reduce((x, y) => x + y, 0);
      return { more, sum, share: sum("freezeSeconds") / ((WATCH_MS / 1000) * ids.length) };
    };
    const pairsOf = (names: readonly string[]): string[] =>
      names.flatMap((who) => names.filter((whom) => whom !== who).map((whom) => `${who}<${whom}`));
    const control = await observe(pairsOf(early));

    Object.assign(relay.trouble, { loss, delay });
    // The fourth member joins when the network is already bad.
    const began = new Map<string, number>();
    await publish("d");
    for (const other of early) {
      began.set(`d<${other}`, await watch("d", other));
      began.set(`${other}<d`, await watch(other, "d"));
    }
    const waits: number[] = [];
    for (const [id, at] of began) waits.push((await shown(id)).firstFrameAt - at);

    const impaired = await observe(pairsOf(FOUR));
    const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
    console.log(
      `four at ${what}: pictures after ${Math.max(...waits)} ms at most; frozen ${percent(impaired.share)} of the time, ` +
        `${percent(control.share)} before; frames of each pair at least ${Math.min(...impaired.more("frames"))} in ${WATCH_MS / 1000} s`,
    );
    if (loss > 0) expect(relay.dropped).toBeGreaterThan(loss * 5000);
    expect(waits).toHaveLength(6);
    expect(Math.max(...waits)).toBeLessThan(pictureMs);
    expect(impaired.share - control.share).toBeLessThan(frozen);
    expect(Math.min(...impaired.more("frames"))).toBeGreaterThan(20);
    expect(Math.min(...impaired.more("audioPackets"))).toBeGreaterThan(100);
  },
  120_000,
);
