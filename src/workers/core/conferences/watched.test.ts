/** What the quality records of a conference say of its streams and connections (docs/calls.md#quality-upload). */
import { describe, expect, it } from "vitest";
import type { StreamSample } from "../../../shared/protocol/qoe.ts";
import { judgeStream } from "../../../shared/domain/quality.ts";
import type { Qoe, QoeCall } from "../qoe/contracts.ts";
import { periodicRecord } from "../qoe/periodic.ts";
import { joined, own } from "./conferences.harness.ts";

async function recorded() {
  const events: (readonly [number, string | undefined, string | undefined])[] = [];
  let watched: QoeCall | null = null;
  const qoe: Qoe = {
    start: (call) => void (watched = call),
    event: (code, { rtcId, detail } = {}) => void events.push([code, rtcId, detail]),
    mark: () => undefined,
    samples: () => undefined,
    stop: () => undefined,
    close: () => undefined,
  };
  const { world, tab } = await joined({ qoe });
  const rtcIdOf = (kind: "publish" | "subscribe"): string =>
    [...tab.openConnections].findLast(([, what]) => what === kind)?.[0] ?? "";
  const sample = (
    rtcId: string,
    direction: "local" | "remote",
    kind: "audio" | "video" = "audio",
    bytes = 0,
  ): StreamSample => ({
    id: `${rtcId}:${direction}:${kind}`,
    rtcId,
    direction,
    kind,
    at: world.env.clock.now(),
    bytes,
    packets: bytes,
    packetsLost: 0,
    rtt: 20,
    jitter: 1,
    frames: null,
    framesDropped: null,
    fps: null,
    width: null,
    height: null,
    freezeCount: null,
    pliCount: null,
    qpSum: null,
    audioLevel: null,
    concealedSamples: null,
    totalSamples: null,
  });
  const record = (rtcId: string, direction: "local" | "remote") => {
    if (watched === null) throw new Error("nothing is watched");
    return periodicRecord(watched, judgeStream(null, sample(rtcId, direction), true), 1, null);
  };
  return { world, tab, events, rtcIdOf, sample, record };
}

describe("periodic records", () => {
  it("They name the stream, its type, and the member whose stream it is", async () => {
    const { world, rtcIdOf, record } = await recorded();
    expect(record(rtcIdOf("publish"), "local")).toMatchObject({
      sId: own(world)?.id,
      streamType: 0,
      isPub: true,
      subMemName: "",
      subMemId: "",
    });
    world.server.enter("b~1");
    world.server.change("b~1", { memName: "b" });
    for (const type of [1, 2] as const) {
      world.server.publish("b~1", `s${type}`, type);
      await world.run(200);
      expect(record(rtcIdOf("subscribe"), "remote")).toMatchObject({
        sId: `s${type}`,
        streamType: type,
        isPub: false,
        subMemName: "b",
        subMemId: "b~1",
      });
    }
  });

  it("A sample of a stream that is gone keeps its own id", async () => {
    const { record } = await recorded();
    expect(record("gone", "remote")).toMatchObject({
      sId: "gone:remote:audio",
      streamType: 0,
      subMemName: "",
      subMemId: "",
    });
  });
});

describe("event records", () => {
  it("Each change of a connection's ICE is one (20)", async () => {
    const { tab, events, rtcIdOf } = await recorded();
    const rtcId = rtcIdOf("publish");
    events.length = 0;
    for (const state of ["disconnected", "connected"] as const) tab.ice(rtcId, state);
    tab.ice("unknown", "failed");
    expect(events.filter(([code]) => code === 20)).toEqual([
      [20, rtcId, "disconnected"],
      [20, rtcId, "connected"],
    ]);
  });

  it("A stream whose quality falls is one (4) per fall, not per sample", async () => {
    const { world, tab, events, rtcIdOf, sample } = await recorded();
    const rtcId = rtcIdOf("publish");
    let bytes = 0;
    const polls = async (count: number, make: () => StreamSample[]): Promise<void> => {
      for (let i = 0; i < count; i += 1) {
        await world.run(2_000);
        tab.emit({ t: "samples", id: "q", samples: make() });
      }
    };
    const flowing = (): StreamSample[] => {
      bytes += 10_000;
      return (["audio", "video"] as const).map((kind) => sample(rtcId, "local", kind, bytes));
    };
    const poor = (): readonly unknown[] => events.filter(([code]) => code === 4);
    await polls(2, flowing);
    await polls(6, () => flowing().map((one) => ({ ...one, rtt: 900 })));
    expect(poor()).toEqual([[4, rtcId, "weak"]]);
    await polls(5, () => []);
    expect(poor()).toEqual([
      [4, rtcId, "weak"],
      [4, rtcId, "disconnected"],
    ]);
    await polls(2, flowing);
    expect(poor()).toHaveLength(2);
    await polls(5, () => []);
    expect(poor()).toHaveLength(3);
  });
});
