/** The quality of a tile by loss, round trip and traffic (docs/calls.md#quality-samples), and further properties of streams in the slice. */
import { describe, expect, it } from "vitest";
import { QUALITY_THRESHOLDS as LIMITS } from "../../../shared/domain/quality.ts";
import type { StreamSample } from "../../../shared/protocol/qoe.ts";
import { at, ENTRY, joined, own, type World } from "./conferences.harness.ts";

const STEP = 2000;

/** Subscribes to another member's stream. `polls` supplies the samples that the tab reports every 2 s. */
async function watching() {
  const { world, tab, conferences } = await joined();
  world.server.enter("b");
  world.server.publish("b", "sb");
  await world.run(200);
  const rtcIdOf = (): string =>
    [...tab.openConnections].findLast(([, kind]) => kind === "subscribe")?.[0] ?? "none";
  const counted = new Map<string, { bytes: number; packets: number; lost: number }>();
  const sample = (
    kind: "audio" | "video",
    { lossPercent = 0, rtt = 20, flows = true },
    rtcId = rtcIdOf(),
    direction: "local" | "remote" = "remote",
  ): StreamSample => {
    const id = `${rtcId}:${direction}:${kind}`;
    const now = counted.get(id) ?? { bytes: 0, packets: 0, lost: 0 };
    if (flows) {
      now.bytes += 10_000;
      now.packets += 100 - lossPercent;
      now.lost += lossPercent;
    }
    counted.set(id, now);
    return {
      id,
      rtcId,
      direction,
      kind,
      at: world.env.clock.now(),
      bytes: now.bytes,
      packets: now.packets,
      packetsLost: now.lost,
      rtt,
      jitter: 1,
      frames: null,
      framesDropped: null,
      fps: null,
      width: kind === "video" ? 640 : null,
      height: kind === "video" ? 360 : null,
      freezeCount: null,
      pliCount: null,
      qpSum: null,
      audioLevel: null,
      concealedSamples: null,
      totalSamples: null,
    };
  };
  /** @returns the quality that the tile shows after each poll */
  const polls = async (count: number, make: () => StreamSample[]): Promise<number[]> => {
    const shown: number[] = [];
    for (let i = 0; i < count; i += 1) {
      await world.run(STEP);
      tab.emit({ t: "samples", id: "q", samples: make() });
      shown.push(world.slice.streams["sb"]?.quality ?? -1);
    }
    return shown;
  };
  return { world, tab, conferences, rtcIdOf, sample, polls };
}

describe("the quality of a tile", () => {
  it("It is poor after 8 s with 18 % lost sound, 23 % lost picture or 500 ms round trip, and good again at once", async () => {
    for (const [kind, bad, fair] of [
      ["audio", { lossPercent: LIMITS.audioLossPercent }, { lossPercent: 17 }],
      ["video", { lossPercent: LIMITS.videoLossPercent }, { lossPercent: 22 }],
      ["audio", { rtt: LIMITS.rttMillis }, { rtt: 499 }],
    ] as const) {
      const { sample, polls } = await watching();
      await polls(1, () => [sample("audio", {}), sample("video", {})]);
      const make = (how: object) => () =>
        (["audio", "video"] as const).map((one) => sample(one, one === kind ? how : {}));
      expect(await polls(6, make(fair)), `${kind} beneath`).toEqual([2, 2, 2, 2, 2, 2]);
      expect(await polls(6, make(bad)), `${kind} beyond`).toEqual([2, 2, 2, 2, 1, 1]);
      expect(await polls(1, make({})), `${kind} again`).toEqual([2]);
    }
  });

  it("It is disconnected after 5 s without traffic, whether the samples stand still or are missing", async () => {
    for (const silence of ["counted", "absent"]) {
      const { sample, polls } = await watching();
      await polls(2, () => [sample("audio", {}), sample("video", {})]);
      const none = () =>
        silence === "absent"
          ? []
          : [sample("audio", { flows: false }), sample("video", { flows: false })];
      expect(await polls(5, none), silence).toEqual([2, 2, 2, 0, 0]);
      expect(await polls(1, () => [sample("audio", {}), sample("video", {})])).toEqual([2]);
    }
  });

  it("Muted and hidden streams do not count as disconnected", async () => {
    const { world, tab, sample, polls } = await watching();
    const quiet = () => [sample("audio", { flows: false }), sample("video", { flows: false })];
    await polls(1, quiet);
    world.server.sendFrame({ op: 400, streamId: "sb", memId: "b", voff: 1, aoff: 1 });
    expect(await polls(5, quiet)).toEqual([2, 2, 2, 2, 2]);
    world.server.sendFrame({ op: 400, streamId: "sb", memId: "b", voff: 0, aoff: 1 });
    tab.emitConferenceEvent({ t: "wish", streamId: "sb", layer: "none" });
    expect(await polls(5, quiet)).toEqual([2, 2, 2, 2, 2]);
  });

  it("It does not depend on the ICE state", async () => {
    const { world, tab, rtcIdOf, sample, polls } = await watching();
    await polls(1, () => [sample("audio", {}), sample("video", {})]);
    tab.ice(rtcIdOf(), "disconnected");
    await world.run(1100);
    expect(world.slice.streams["sb"]).toMatchObject({ connection: "weak", quality: 2 });
  });

  it("Without an upload the core asks for samples every 2 s, and stops after the exit", async () => {
    const { world, tab, conferences } = await joined();
    const asked = (): number => tab.samples;
    const before = asked();
    await world.run(6100);
    expect(asked() - before).toBe(3);
    await conferences.handlers.exit({ close: false }, at("t1"));
    await world.run(600);
    const after = asked();
    await world.run(6000);
    expect(asked()).toBe(after);
  });
});

describe("streams in the slice", () => {
  const args = (world: World) => [own(world)?.video, own(world)?.audio];

  it("An own stream shows what is sent", async () => {
    const { world, conferences } = await joined({}, { ...ENTRY, videoOff: true });
    expect(args(world)).toEqual([false, true]);
    await conferences.handlers.setLocal({ videoOff: false, audioMuted: true }, at("t1"));
    await world.run(200);
    expect(args(world)).toEqual([true, false]);
  });

  it("The own picture's size is shown and published, and an unstated size is taken from the samples", async () => {
    const { world, tab, sample, polls } = await watching();
    const [rtcId] = [...tab.openConnections].find(([, kind]) => kind === "publish") ?? ["none"];
    tab.emitConferenceEvent({ t: "resolution", rtcId, w: 1280, h: 720 });
    expect(own(world)?.resolution).toEqual({ w: 1280, h: 720 });
    expect(world.slice.streams["sb"]?.resolution).toBeNull();
    await polls(1, () => [sample("video", {})]);
    expect(world.slice.streams["sb"]?.resolution).toEqual({ w: 640, h: 360 });

    const fresh = await joined({}, { ...ENTRY, publish: false });
    fresh.tab.size = { w: 640, h: 480 };
    void fresh.conferences.handlers.publish({ type: 0, ext: "" }, at("t1"));
    await fresh.world.run(200);
    expect(fresh.world.server.requestsOfOp(102).at(-1)).toMatchObject({
      pubS: { resolution: { w: 640, h: 480 } },
    });
  });

  it("The enter names the codecs that the browser receives, and the publish those that it sends", async () => {
    const codecs = { receive: ["VP8"], send: ["VP8"] } as const;
    const { world } = await joined({}, { ...ENTRY, codecs } as never);
    expect(world.server.requestsOfOp(200).at(-1)).toMatchObject({ res: { vcodes: ["VP8"] } });
    expect(world.server.requestsOfOp(102).at(-1)).toMatchObject({ pubS: { vcodes: ["VP8"] } });
    const unknown = await joined();
    expect(unknown.world.server.requestsOfOp(200).at(-1)).toMatchObject({
      res: { vcodes: ["VP8", "H264"] },
    });
  });
});
