/** Media nodes with a real browser: pictures, sound, layers, bad networks, and a node that is killed. */
import pino from "pino";
import { chromium, type Browser } from "@playwright/test";
import { Registry } from "prom-client";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from "vitest";
import { systemClock } from "../../src/server/base/clock.ts";
import { readConfig } from "../../src/server/base/config.ts";
import { createMediaNodes, type MediaNode } from "../../src/server/modules/media-node/index.ts";
import type { EmbeddedNode } from "../../src/server/modules/media-node/embedded/index.ts";
import { launchOptions } from "../support/chromium.ts";
import { hostAddress, janusPath, startJanus, type JanusProcess } from "./janus-process.ts";
import { createRig, until, type Rig } from "./rig.ts";
import { createUdpRelay, type UdpRelay } from "./udp-relay.ts";

interface Backend {
  readonly node: MediaNode;
  readonly metrics: Registry;
  kill(): Promise<void>;
  revive(): Promise<void>;
  close(): Promise<void>;
}

const log = pino({ level: "silent" });

function nodeOf(env: Record<string, string>): { node: MediaNode; metrics: Registry } {
  const config = readConfig({ APP_SECRET: "s".repeat(40), ...env });
  const metrics = new Registry();
  const [node] = createMediaNodes({ config, clock: systemClock, log, metrics });
  if (node === undefined) throw new Error("no node");
  return { node, metrics };
}

async function embedded(): Promise<Backend> {
  const { node, metrics } = nodeOf({});
  await node.warm?.();
  return {
    node,
    metrics,
    async kill() {
      process.kill((node as EmbeddedNode).pid ?? 0, "SIGKILL");
      await Promise.resolve();
    },
    // The node restarts automatically.
    revive: () => Promise.resolve(),
    close: () => node.close(),
  };
}

async function janus(): Promise<Backend> {
  const server: JanusProcess = await startJanus();
  const env = { MEDIA_EMBEDDED: "off", JANUS_URL: server.url, JANUS_SECRET: server.secret };
  const { node, metrics } = nodeOf(env);
  await until(() => node.up, Boolean, "the connection to Janus");
  return {
    node,
    metrics,
    kill: () => server.kill(),
    revive: () => server.start(),
    async close() {
      await node.close();
      await server.close();
    },
  };
}

/** The answer that a browser would give, for a subscriber that does not exist. */
const asAnswer = (offer: string): string =>
  offer
    .replaceAll("a=sendonly", "a=recvonly")
    .replaceAll("a=setup:actpass", "a=setup:active")
    .replaceAll(/a=(?:ssrc|msid).*\r\n/g, "");

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch(launchOptions(["--autoplay-policy=no-user-gesture-required"]));
});
afterAll(() => browser.close());

const backends = [
  { name: "embedded", start: embedded, skip: false },
  // Without the package the tests are skipped; the suite's name shows the reason.
  {
    name: janusPath === undefined ? "janus (is not installed)" : "janus",
    start: janus,
    skip: janusPath === undefined,
  },
];

for (const { name, start, skip } of backends) {
  describe.skipIf(skip)(name, () => {
    let backend: Backend;
    let rig: Rig;
    let relay: UdpRelay;
    beforeAll(async () => {
      backend = await start();
    });
    afterAll(() => backend.close());
    beforeEach(async () => {
      rig = await createRig(backend.node, browser);
      relay = await createUdpRelay(hostAddress());
    });
    afterEach(async () => {
      backend.node.closeConference("c");
      await rig.close();
      relay.close();
    });

    const shown = (id: string) =>
      until(
        () => rig.watched(id),
        (w) => w.firstFrameAt > 0,
        `${id}'s first frame`,
      );
    const states = (id: string): string[] =>
      rig.events.flatMap((e) => (e.t === "state" && e.id === id ? [e.state] : []));
    const layers = (id: string): string[] =>
      rig.events.flatMap((e) => (e.t === "layer" && e.id === id ? [e.layer] : []));

    it("Two subscribers receive picture and sound, by VP8 and by H264", async () => {
      for (const codec of ["VP8", "H264"] as const) {
        const published = await rig.publish(codec, { codec });
        expect(published).toMatchObject({
          hasAudio: true,
          hasVideo: true,
          vcodec: codec,
          layers: ["high"],
        });
        const ids = [`${codec}-1`, `${codec}-2`];
        for (const id of ids) await rig.watch(id, codec);
        for (const id of ids) {
          await shown(id);
          await until(
            () => rig.watched(id),
            (w) => w.audioEnergy > 0.01 && w.frames > 5,
            "sound",
          );
          expect(states(id)).toEqual(["connected"]);
          expect(layers(id)).toEqual(["high"]);
        }
      }
      const stats = await backend.node.stats();
      expect(stats).toMatchObject({ publishers: 2, subscribers: 4, forwarded: 4 });
      await until(
        () => backend.metrics.getSingleMetricAsString("media_forwarded_streams"),
        (text) => / 4$/m.test(text),
        "the gauge",
      );
    });

    it("Layers are switched and paused without a new offer", async () => {
      const published = await rig.publish("p", { simulcast: true });
      expect(published.layers).toEqual(["low", "high"]);
      await rig.watch("s", "p");
      await rig.watch("small", "p", { layer: "low" });
      await until(
        () => rig.watched("s"),
        (w) => w.width > 200,
        "the high layer",
      );
      await until(
        () => rig.watched("small"),
        (w) => w.width === 160,
        "the low layer",
      );
      const select = (layer: "low" | "high" | "none") =>
        backend.node.select("s", { video: true, audio: true, layer });
      select("low");
      await until(
        () => rig.watched("s"),
        (w) => w.width === 160,
        "low",
        5000,
      );
      select("high");
      await until(
        () => rig.watched("s"),
        (w) => w.width > 200,
        "high",
        5000,
      );
      select("none");
      const paused = await until(
        async () => {
          const before = (await rig.watched("s")).frames;
          await new Promise((resolve) => setTimeout(resolve, 300));
          return { before, after: (await rig.watched("s")).frames };
        },
        ({ before, after }) => before === after,
        "the pause",
      );
      select("high");
      const again = await until(
        () => rig.watched("s"),
        (w) => w.frames > paused.after + 5,
        "going on",
        5000,
      );
      expect(layers("s")).toEqual(["high", "low", "high", "none", "high"]);
      expect(again.lost).toBeLessThanOrEqual(0);
    });

    it("Sound and picture are held back from the first packet on and then released", async () => {
      const held = { video: true, audio: true };
      await rig.publish("p", { simulcast: true, held });
      await rig.watch("s", "p");
      const look = () => rig.watched("s");
      await until(look, (w) => w.connection === "connected", "the connection");
      const sent = await rig.soundSent("p");
      await until(
        () => rig.soundSent("p"),
        (n) => n > sent + 100,
        "100 packets more are sent",
      );
      expect(await look()).toMatchObject({ packets: 0, audioPackets: 0 });
      backend.node.hold("p", { video: false, audio: true });
      await until(look, (w) => w.frames > 5, "the picture");
      expect((await look()).audioPackets).toBe(0);
      backend.node.hold("p", { video: true, audio: false });
      await until(look, (w) => w.audioPackets > 20, "the sound");
      const { frames } = await until(
        async () => {
          const before = (await look()).frames;
          await new Promise((resolve) => setTimeout(resolve, 300));
          return { before, frames: (await look()).frames };
        },
        ({ before, frames: after }) => before === after,
        "the picture stands",
      );
      backend.node.hold("p", { video: false, audio: false });
      await until(look, (w) => w.frames > frames + 10, "the picture again");
    });

    /** Four subscribers behind relays that lose 5 %, one without a relay, for 12 s. */
    async function underLoss() {
      const ids = ["s1", "s2", "s3", "s4"];
      await rig.publish("p");
      const relays = new Map<string, UdpRelay>();
      for (const id of ids) {
        const own = await createUdpRelay(hostAddress());
        relays.set(id, own);
        onTestFinished(() => own.close());
        await rig.watch(id, "p", { relay: own });
      }
      const lose = (loss: number): void => {
        for (const own of relays.values()) own.trouble.loss = loss;
      };
      await rig.watch("control", "p");
      for (const id of [...ids, "control"]) await shown(id);
      lose(0.05);
      const look = () => Promise.all([...ids, "control"].map((id) => rig.watched(id)));
      await new Promise((resolve) => setTimeout(resolve, 3000));
      const before = await look();
      await new Promise((resolve) => setTimeout(resolve, 12_000));
      const after = await look();
      lose(0);
      const more = (of: "freezes" | "nacks" | "frames") =>
        after.map((w, i) => w[of] - (before[i]?.[of] ?? 0));
      const [control = 0] = more("freezes").slice(4);
      return {
        frames: more("frames").slice(0, 4),
        nacks: more("nacks").slice(0, 4),
        dropped: [...relays.values()].map((own) => own.dropped),
        /** Freezes in 48 s of watching, without those that the control has too: they come from a slow machine. */
        freezes: more("freezes")
          .slice(0, 4)
          .reduce((sum, n) => sum + Math.max(0, n - control), 0),
        look,
      };
    }

    it("Pictures go on at 5 % loss; with the embedded node no packet is lost for good and there are at most two freezes per minute", async () => {
      const { frames, nacks, dropped, freezes, look } = await underLoss();
      console.log(
        `${name}, 5 % loss: ${freezes} freezes in 48 s of watching, ${dropped.join(", ")} packets lost, ${nacks.join(", ")} NACKs sent`,
      );
      expect(Math.min(...frames)).toBeGreaterThan(100);
      // How often one subscriber asks is random: it may be five times in 12 s; the four together ask about seventy times.
      expect(Math.min(...dropped)).toBeGreaterThan(20);
      expect(Math.min(...nacks)).toBeGreaterThan(0);
      expect(nacks.reduce((sum, n) => sum + n, 0)).toBeGreaterThan(20);
      // Janus is not our code, so its freezes are not limited.
      if (name === "janus") return;
      expect(freezes).toBeLessThanOrEqual(2);
      await until(
        async () => (await look()).map((w) => w.lost),
        (lost) => lost.every((n) => n <= 0),
        "the last packets",
      );
    });

    it.skipIf(name !== "embedded").each([
      { what: "15 % loss", trouble: { loss: 0.15 }, within: 12_000, frames: 50 },
      { what: "300 ms of delay each way", trouble: { delay: 300 }, within: 12_000, frames: 100 },
    ])("The picture starts and goes on at $what", async ({ what, trouble, within, frames }) => {
      await rig.publish("p", { simulcast: true });
      await rig.watch("control", "p");
      await shown("control");
      Object.assign(relay.trouble, trouble);
      const began = Date.now();
      await rig.watch("s", "p", { relay });
      const first = await until(
        () => rig.watched("s"),
        (w) => w.firstFrameAt > 0,
        "the first frame",
        within,
      );
      await new Promise((resolve) => setTimeout(resolve, 8000));
      const then = await rig.watched("s");
      console.log(
        `${what}: first frame after ${first.firstFrameAt - began} ms, then ${then.frames - first.frames} frames and ${then.freezes} freezes in 8 s`,
      );
      expect(then.frames - first.frames).toBeGreaterThan(frames);
      expect(states("s")).toEqual(["connected"]);
    });

    it("The picture goes on automatically after a cut of 2 s", async () => {
      await rig.publish("p");
      await rig.watch("s", "p", { relay });
      await shown("s");
      relay.trouble.cut = true;
      await new Promise((resolve) => setTimeout(resolve, 2000));
      relay.trouble.cut = false;
      const cut = await rig.watched("s");
      await until(
        () => rig.watched("s"),
        (w) => w.frames > cut.frames + 10,
        "the picture after the cut",
        4000,
      );
      expect(states("s")).toEqual(["connected"]);
    });

    it.skipIf(name !== "embedded")(
      "A subscriber behind a narrow link gets the low layer, the other one the high layer",
      async () => {
        await rig.publish("p", { simulcast: true });
        await rig.watch("wide", "p");
        await rig.watch("narrow", "p", { relay });
        await shown("narrow");
        await until(
          () => rig.published("p"),
          (p) => p.sent.some((s) => s.width > 160 && s.target > 250_000),
          "the publisher's rate",
          15_000,
        );
        relay.trouble.rate = 130_000;
        await until(
          () => layers("narrow").at(-1),
          (layer) => layer === "low",
          "low",
          15_000,
        );
        await until(
          () => rig.watched("narrow"),
          (w) => w.width === 160,
          "the small picture",
        );
        relay.trouble.rate = 0;
        await until(
          () => layers("narrow").at(-1),
          (layer) => layer === "high",
          "high again",
          25_000,
        );
        expect(layers("wide")).toEqual(["high"]);
      },
    );

    it("When a publisher ends, its subscribers are closed and an event reports it", async () => {
      await rig.publish("p", { audio: false });
      await rig.watch("s", "p");
      await shown("s");
      backend.node.closeConnection("p");
      backend.node.closeConnection("p");
      await until(
        () => states("s"),
        (all) => all.at(-1) === "closed",
        "closed",
      );
      expect(states("p")).toEqual(["connected"]);
      expect(await backend.node.stats()).toMatchObject({ publishers: 0, subscribers: 0 });
    });

    it("An invalid offer is refused and leaves nothing behind", async () => {
      const request = { id: "bad", confrId: "c", vcodes: ["VP8"] } as const;
      for (const offer of ["", "v=0\r\nm=video x", "\0".repeat(5000), "v=0\r\n".repeat(20_000)]) {
        await expect(backend.node.publish({ ...request, offer })).rejects.toMatchObject({
          code: "conference.invalid",
        });
      }
      await expect(
        backend.node.subscribe({
          ...request,
          publisher: "nobody",
          video: true,
          audio: true,
          layer: "high",
        }),
      ).rejects.toMatchObject({ code: "conference.invalid" });
      await expect(backend.node.answer("nobody", "v=0")).rejects.toMatchObject({
        code: "conference.invalid",
      });
      expect(await backend.node.stats()).toMatchObject({ publishers: 0, subscribers: 0 });
    });

    it("The node reports down when it is killed and up when it is back, and then works again", async () => {
      await rig.publish("p");
      await backend.kill();
      await until(() => rig.events.some((e) => e.t === "down"), Boolean, "down");
      await expect(backend.node.answer("p", "v=0")).rejects.toMatchObject({
        code: "conference.media-unavailable",
      });
      await backend.revive();
      await until(() => rig.events.at(-1)?.t === "up", Boolean, "up", 5000);
      expect(await backend.node.stats()).toMatchObject({ publishers: 0, subscribers: 0 });
      await rig.publish("again");
      await rig.watch("s", "again");
      await shown("s");
    });
  });
}

describe("The embedded node", () => {
  it("All connections use one port, which can be configured", async () => {
    const { node } = nodeOf({ MEDIA_PORT: "47113", MEDIA_PUBLIC_IP: "198.51.100.7" });
    const rig = await createRig(node, browser);
    try {
      const { answer } = await rig.publish("p");
      const wish = {
        confrId: "c",
        publisher: "p",
        video: true,
        audio: true,
        layer: "high",
      } as const;
      for (const id of ["a", "b", "c"]) {
        const { offer } = await node.subscribe({ id, ...wish });
        expect(offer).not.toContain("a=candidate");
        await node.answer(id, asAnswer(offer));
      }
      const told = await until(
        () => rig.events.flatMap((e) => (e.t === "candidates" ? [...e.cands] : [])),
        (all) => all.length === 3,
        "the candidates",
      );
      const addresses = [answer, ...told.map((c) => c.candidate)].flatMap((text) =>
        [...text.matchAll(/candidate:\S+ 1 \S+ \d+ (\S+ \d+) typ host/g)].map((m) => m[1]),
      );
      expect(addresses).toEqual(Array.from({ length: 4 }, () => "198.51.100.7 47113"));
    } finally {
      await rig.close();
      await node.close();
    }
  });

  it("The node can impair its own connections with loss, delay and cuts", async () => {
    const { node } = nodeOf({});
    const rig = await createRig(node, browser);
    try {
      await rig.publish("p");
      await rig.watch("s", "p");
      await until(
        () => rig.watched("s"),
        (w) => w.frames > 5,
        "frames",
      );
      (node as EmbeddedNode).impair({ loss: 0, delay: 0, cut: true });
      await new Promise((resolve) => setTimeout(resolve, 500));
      const before = await rig.watched("s");
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect((await rig.watched("s")).frames).toBe(before.frames);
      (node as EmbeddedNode).impair({ loss: 0.05, delay: 20, cut: false });
      await until(
        () => rig.watched("s"),
        (w) => w.frames > before.frames + 10 && w.nacks > before.nacks,
        "frames again",
        // A cut of both directions reduces the publisher to 30 kbit/s, which it raises slowly while there is loss.
        20_000,
      );
    } finally {
      await rig.close();
      await node.close();
    }
  });
});
