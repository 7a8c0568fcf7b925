/** Media nodes on networks that lose, delay and limit packets, and everything that a node must do, with Janus. */
import type { Browser } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { EmbeddedNode } from "../../src/server/modules/media-node/embedded/index.ts";
import { hostAddress } from "../media/janus-process.ts";
import { embedded, janus, launchBrowser, nodeOf, useNode } from "../media/node-backends.ts";
import { describeNode } from "../media/node-basics.ts";
import { createRig, until } from "../media/rig.ts";
import { createUdpRelay, type UdpRelay } from "../media/udp-relay.ts";
import { tortureRandom } from "../support/seed.ts";

const random = tortureRandom("packets that relays lose");

describeNode("janus", janus);

for (const [name, start] of [
  ["embedded", embedded],
  ["janus", janus],
] as const) {
  describe(name, () => {
    const at = useNode(start, random);

    /** Four subscribers behind relays that lose 5 %, one without a relay, for 12 s. */
    async function underLoss() {
      const ids = ["s1", "s2", "s3", "s4"];
      await at.rig.publish("p");
      const relays = new Map<string, UdpRelay>();
      for (const id of ids) {
        const own = await createUdpRelay(hostAddress(), random);
        relays.set(id, own);
        onTestFinished(() => own.close());
        await at.rig.watch(id, "p", { relay: own });
      }
      const lose = (loss: number): void => {
        for (const own of relays.values()) own.trouble.loss = loss;
      };
      await at.rig.watch("control", "p");
      for (const id of [...ids, "control"]) await at.shown(id);
      lose(0.05);
      const look = () => Promise.all([...ids, "control"].map((id) => at.rig.watched(id)));
      await new Promise((resolve) => setTimeout(resolve, 3000));
      const before = await look();
      await new Promise((resolve) => setTimeout(resolve, 12_000));
      const after = await look();
      lose(0);
      const more = (counted: "freezes" | "nacks" | "frames") =>
        after.map((w, i) => w[counted] - (before[i]?.[counted] ?? 0));
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

    // Janus decides by itself what a subscriber gets; the figures are those of the embedded node.
    it.skipIf(name !== "embedded").each([
      { what: "15 % loss", trouble: { loss: 0.15 }, within: 12_000, frames: 50 },
      { what: "300 ms of delay each way", trouble: { delay: 300 }, within: 12_000, frames: 100 },
    ])("The picture starts and goes on at $what", async ({ what, trouble, within, frames }) => {
      await at.rig.publish("p", { simulcast: true });
      await at.rig.watch("control", "p");
      await at.shown("control");
      Object.assign(at.relay.trouble, trouble);
      const began = Date.now();
      await at.rig.watch("s", "p", { relay: at.relay });
      const first = await until(
        () => at.rig.watched("s"),
        (w) => w.firstFrameAt > 0,
        "the first frame",
        within,
      );
      await new Promise((resolve) => setTimeout(resolve, 8000));
      const then = await at.rig.watched("s");
      console.log(
        `${what}: first frame after ${first.firstFrameAt - began} ms, then ${then.frames - first.frames} frames and ${then.freezes} freezes in 8 s`,
      );
      expect(then.frames - first.frames).toBeGreaterThan(frames);
      expect(at.states("s")).toEqual(["connected"]);
    });

    // Janus decides by itself what a subscriber gets; the figures are those of the embedded node.
    it.skipIf(name !== "embedded")(
      "A subscriber behind a narrow network gets the low layer, the other one the high layer",
      async () => {
        await at.rig.publish("p", { simulcast: true });
        await at.rig.watch("wide", "p");
        await at.rig.watch("narrow", "p", { relay: at.relay });
        await at.shown("narrow");
        await until(
          () => at.rig.published("p"),
          (p) => p.sent.some((s) => s.width > 160 && s.target > 250_000),
          "the publisher's rate",
          15_000,
        );
        at.relay.trouble.rate = 130_000;
        await until(
          () => at.layers("narrow").at(-1),
          (layer) => layer === "low",
          "low",
          15_000,
        );
        await until(
          () => at.rig.watched("narrow"),
          (w) => w.width === 160,
          "the small picture",
        );
        at.relay.trouble.rate = 0;
        await until(
          () => at.layers("narrow").at(-1),
          (layer) => layer === "high",
          "high again",
          25_000,
        );
        expect(at.layers("wide")).toEqual(["high"]);
      },
    );
  });
}

describe("The embedded node", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

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
