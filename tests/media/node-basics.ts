/** What every media node must do on a good network: pictures, sound, layers, a short cut, and a node that is killed. */
import { describe, expect, it } from "vitest";
import { type Backend, useNode } from "./node-backends.ts";
import { until } from "./rig.ts";

/** @param start starts the node that the tests run on */
export function describeNode(name: string, start: () => Promise<Backend>): void {
  describe(name, () => {
    const at = useNode(start);

    it("Two subscribers receive picture and sound, by VP8 and by H264", async () => {
      for (const codec of ["VP8", "H264"] as const) {
        const published = await at.rig.publish(codec, { codec });
        expect(published).toMatchObject({
          hasAudio: true,
          hasVideo: true,
          vcodec: codec,
          layers: ["high"],
        });
        const ids = [`${codec}-1`, `${codec}-2`];
        for (const id of ids) await at.rig.watch(id, codec);
        for (const id of ids) {
          await at.shown(id);
          await until(
            () => at.rig.watched(id),
            (w) => w.audioEnergy > 0.01 && w.frames > 5,
            "sound",
          );
          expect(at.states(id)).toEqual(["connected"]);
          expect(at.layers(id)).toEqual(["high"]);
        }
      }
      const stats = await at.backend.node.stats();
      expect(stats).toMatchObject({ publishers: 2, subscribers: 4, forwarded: 4 });
      await until(
        () => at.backend.metrics.getSingleMetricAsString("media_forwarded_streams"),
        (text) => / 4$/m.test(text),
        "the gauge",
      );
    });

    it("A subscriber may offer its video before its audio", async () => {
      await at.rig.publish("p");
      await at.rig.watch("s", "p", { videoFirst: true });
      await at.shown("s");
      await until(
        () => at.rig.watched("s"),
        (w) => w.audioEnergy > 0.01 && w.frames > 5,
        "sound",
      );
    });

    it("ICE is restarted on the same connection of the browser, of a subscriber and of a publisher", async () => {
      await at.rig.publish("p");
      await at.rig.watch("s", "p");
      await at.shown("s");
      for (const id of ["s", "p"]) {
        await at.rig.restart(id);
        const { frames, packets } = await at.rig.watched("s");
        await until(
          () => at.rig.watched("s"),
          (w) => w.frames > frames + 15 && w.packets > packets + 15,
          `pictures after the restart of ${id}`,
          5000,
        );
      }
      expect(at.states("s").at(-1)).toBe("connected");
    });

    it("Layers are switched and paused without a new offer", async () => {
      const published = await at.rig.publish("p", { simulcast: true });
      expect(published.layers).toEqual(["low", "high"]);
      await at.rig.watch("s", "p");
      await at.rig.watch("small", "p", { layer: "low" });
      await until(
        () => at.rig.watched("s"),
        (w) => w.width > 200,
        "the high layer",
      );
      await until(
        () => at.rig.watched("small"),
        (w) => w.width === 160,
        "the low layer",
      );
      const select = (layer: "low" | "high" | "none") =>
        at.backend.node.select("s", { video: true, audio: true, layer });
      select("low");
      await until(
        () => at.rig.watched("s"),
        (w) => w.width === 160,
        "low",
        5000,
      );
      select("high");
      await until(
        () => at.rig.watched("s"),
        (w) => w.width > 200,
        "high",
        5000,
      );
      select("none");
      const paused = await until(
        async () => {
          const before = (await at.rig.watched("s")).frames;
          await new Promise((resolve) => setTimeout(resolve, 300));
          return { before, after: (await at.rig.watched("s")).frames };
        },
        ({ before, after }) => before === after,
        "the pause",
      );
      select("high");
      const again = await until(
        () => at.rig.watched("s"),
        (w) => w.frames > paused.after + 5,
        "going on",
        5000,
      );
      expect(at.layers("s")).toEqual(["high", "low", "high", "none", "high"]);
      expect(again.lost).toBeLessThanOrEqual(0);
    });

    it("Sound and picture are held back from the first packet on and then released", async () => {
      const held = { video: true, audio: true };
      await at.rig.publish("p", { simulcast: true, held });
      await at.rig.watch("s", "p");
      const look = () => at.rig.watched("s");
      await until(look, (w) => w.connection === "connected", "the connection");
      const sent = await at.rig.soundSent("p");
      await until(
        () => at.rig.soundSent("p"),
        (n) => n > sent + 100,
        "100 packets more are sent",
      );
      expect(await look()).toMatchObject({ packets: 0, audioPackets: 0 });
      at.backend.node.hold("p", { video: false, audio: true });
      await until(look, (w) => w.frames > 5, "the picture");
      expect((await look()).audioPackets).toBe(0);
      at.backend.node.hold("p", { video: true, audio: false });
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
      at.backend.node.hold("p", { video: false, audio: false });
      await until(look, (w) => w.frames > frames + 10, "the picture again");
    });

    it("The picture goes on automatically after a cut of 2 s", async () => {
      await at.rig.publish("p");
      await at.rig.watch("s", "p", { relay: at.relay });
      await at.shown("s");
      at.relay.trouble.cut = true;
      await new Promise((resolve) => setTimeout(resolve, 2000));
      at.relay.trouble.cut = false;
      const cut = await at.rig.watched("s");
      await until(
        () => at.rig.watched("s"),
        (w) => w.frames > cut.frames + 10,
        "the picture after the cut",
        4000,
      );
      expect(at.states("s")).toEqual(["connected"]);
    });

    it("When a publisher ends, its subscribers are closed and an event reports it", async () => {
      await at.rig.publish("p", { audio: false });
      await at.rig.watch("s", "p");
      await at.shown("s");
      at.backend.node.closeConnection("p");
      at.backend.node.closeConnection("p");
      await until(
        () => at.states("s"),
        (all) => all.at(-1) === "closed",
        "closed",
      );
      expect(at.states("p")).toEqual(["connected"]);
      expect(await at.backend.node.stats()).toMatchObject({ publishers: 0, subscribers: 0 });
    });

    it("An invalid offer is refused and leaves nothing behind", async () => {
      const request = { id: "bad", conferenceId: "c", vcodes: ["VP8"] } as const;
      for (const offer of ["", "v=0\r\nm=video x", "\0".repeat(5000), "v=0\r\n".repeat(20_000)]) {
        await expect(at.backend.node.publish({ ...request, offer })).rejects.toMatchObject({
          code: "conference.invalid",
        });
      }
      await expect(
        at.backend.node.subscribe({
          ...request,
          offer: "v=0",
          publisher: "nobody",
          video: true,
          audio: true,
          layer: "high",
        }),
      ).rejects.toMatchObject({ code: "conference.invalid" });
      await expect(at.backend.node.answer("nobody", "v=0")).rejects.toMatchObject({
        code: "conference.invalid",
      });
      expect(await at.backend.node.stats()).toMatchObject({ publishers: 0, subscribers: 0 });
    });

    it("The node reports down when it is killed and up when it is back, and then works again", async () => {
      await at.rig.publish("p");
      await at.backend.kill();
      await until(() => at.rig.events.some((e) => e.t === "down"), Boolean, "down");
      await expect(at.backend.node.restart("p", "v=0")).rejects.toMatchObject({
        code: "conference.media-unavailable",
      });
      await at.backend.revive();
      await until(() => at.rig.events.at(-1)?.t === "up", Boolean, "up", 5000);
      expect(await at.backend.node.stats()).toMatchObject({ publishers: 0, subscribers: 0 });
      await at.rig.publish("again");
      await at.rig.watch("s", "again");
      await at.shown("s");
    });
  });
}
