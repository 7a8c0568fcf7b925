import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { streamSampleSchema } from "../../shared/protocol/qoe.ts";
import { reduceStats } from "./reduce.ts";

type Stat = Record<string, unknown> & { id: string; type: string; kind?: string };

/** A report recorded from Chromium 156, 2.6 s after the start of a video call. */
const chromium = JSON.parse(
  readFileSync(new URL("./fixtures/chromium.json", import.meta.url), "utf8"),
) as Stat[];
const mapOf = (stats: readonly Stat[]): Map<string, Stat> =>
  new Map(stats.map((stat) => [stat.id, stat]));
const find = (type: string, kind?: string): Stat => {
  const stat = chromium.find((each) => each.type === type && each.kind === kind);
  if (stat === undefined) throw new Error(`the fixture has no ${type} ${kind}`);
  return stat;
};
const NOW = 1_800_000_000_000;

describe("a report of Chromium", () => {
  const samples = reduceStats("r1", mapOf(chromium), NOW);
  const sample = (id: string) => {
    const found = samples.find((each) => each.id === id);
    if (found === undefined) throw new Error(`no sample ${id}`);
    return found;
  };

  it("becomes one valid sample per direction and kind, each under half a kilobyte", () => {
    expect(samples.map((each) => each.id)).toEqual([
      "r1:local:audio",
      "r1:remote:audio",
      "r1:local:video",
      "r1:remote:video",
    ]);
    for (const each of samples) {
      expect(streamSampleSchema.parse(each)).toEqual(each);
      expect(JSON.stringify(each).length).toBeLessThan(512);
    }
  });

  it("supplies sent values from the outbound stream and the other side's report, in ms", () => {
    const out = find("outbound-rtp", "video");
    expect(sample("r1:local:video")).toMatchObject({
      at: out["timestamp"],
      bytes: out["bytesSent"],
      packets: out["packetsSent"],
      packetsLost: 0,
      rtt: 1.099,
      jitter: expect.closeTo(3.122, 3) as number,
      frames: out["framesEncoded"],
      fps: 20,
      width: 640,
      height: 360,
      qpSum: out["qpSum"],
      freezeCount: null,
    });
    expect(sample("r1:local:audio")).toMatchObject({
      audioLevel: find("media-source", "audio")["audioLevel"],
      frames: null,
      width: null,
    });
  });

  it("supplies received values from the inbound stream, with the round-trip time of the selected pair", () => {
    const inbound = find("inbound-rtp", "audio");
    expect(sample("r1:remote:audio")).toMatchObject({
      bytes: inbound["bytesReceived"],
      packets: inbound["packetsReceived"],
      rtt: 1,
      jitter: 2,
      audioLevel: inbound["audioLevel"],
      concealedSamples: 0,
      totalSamples: inbound["totalSamplesReceived"],
    });
    expect(sample("r1:remote:video")).toMatchObject({
      frames: 48,
      framesDropped: 0,
      freezeCount: 0,
    });
  });
});

it("Chromium's report has what scores and causes are made of", () => {
  const [sound, heard, picture, seen] = reduceStats("r1", mapOf(chromium), NOW);
  expect(sound).toMatchObject({ energy: find("media-source", "audio")["totalAudioEnergy"] });
  expect(heard).toMatchObject({ bufferMillis: 3_120_000, bufferedUnits: 118_080 });
  expect(picture).toMatchObject({
    limited: "none",
    codingMillis: 111,
    sourceFps: 20,
    sourceWidth: 640,
    sourceHeight: 360,
    pair: "CPCF8FMWNo_boipXsA6",
  });
  expect(seen).toMatchObject({
    frozenMillis: 0,
    bufferedUnits: 48,
    codingMillis: expect.closeTo(36.5, 1) as number,
  });
});

describe("other reports", () => {
  const out = (id: string, more: object): Stat => ({
    id,
    type: "outbound-rtp",
    kind: "video",
    timestamp: 5000,
    bytesSent: 10,
    packetsSent: 1,
    ...more,
  });

  it("have their simulcast layers added up, with the size of the largest", () => {
    const [sample] = reduceStats(
      "r",
      mapOf([out("a", { frameWidth: 320 }), out("b", { frameWidth: 1280, bytesSent: 30 })]),
      NOW,
    );
    expect(sample).toMatchObject({ bytes: 40, packets: 2, width: 1280 });
  });

  it("get the clock's time when their timestamp is not wall-clock time, and null for unknown values", () => {
    expect(reduceStats("r", mapOf([out("a", {})]), NOW)[0]).toMatchObject({
      at: NOW,
      rtt: null,
      jitter: null,
      fps: null,
      width: null,
    });
  });

  it("supply the bandwidth that the browser expects, for what is sent", () => {
    const pair = { id: "p", type: "candidate-pair", selected: true };
    const [sample] = reduceStats(
      "r",
      mapOf([out("a", {}), { ...pair, availableOutgoingBitrate: 250_000 }]),
      NOW,
    );
    expect(sample?.availableKbps).toBe(250);
    expect(reduceStats("r", mapOf([out("a", {}), pair]), NOW)[0]).not.toHaveProperty(
      "availableKbps",
    );
  });

  it("supply the round-trip time of the pair that the transport names or Firefox marks, never of another pair", () => {
    const pair = (id: string, seconds: number, more: object): Stat => ({
      id,
      type: "candidate-pair",
      currentRoundTripTime: seconds,
      ...more,
    });
    const rtt = (...stats: Stat[]) =>
      reduceStats("r", mapOf([out("a", {}), ...stats]), NOW)[0]?.rtt;
    expect(rtt(pair("p", 0.5, {}))).toBeNull();
    expect(rtt(pair("p", 0.5, {}), pair("q", 0.02, { selected: true }))).toBe(20);
    expect(
      rtt(pair("p", 0.5, { nominated: true }), pair("q", 0.03, {}), {
        id: "t",
        type: "transport",
        selectedCandidatePairId: "q",
      }),
    ).toBe(30);
  });

  it("supply the other side's round-trip time rather than the pair's", () => {
    const echo: Stat = {
      id: "e",
      type: "remote-inbound-rtp",
      kind: "video",
      roundTripTime: 0.08,
      packetsLost: 3,
    };
    expect(reduceStats("r", mapOf([out("a", {}), echo]), NOW)[0]).toMatchObject({
      rtt: 80,
      packetsLost: 3,
    });
  });

  it("supply codec and route, the limitation of the largest layer that is sent, and nothing that is not said", () => {
    const [sample] = reduceStats(
      "r",
      mapOf([
        out("a", { frameWidth: 320, qualityLimitationReason: "none", codecId: "c" }),
        out("b", { frameWidth: 1280, qualityLimitationReason: "cpu" }),
        { id: "c", type: "codec", mimeType: "video/VP9" },
        {
          id: "p",
          type: "candidate-pair",
          selected: true,
          localCandidateId: "l",
          remoteCandidateId: "m",
        },
        { id: "l", type: "local-candidate", candidateType: "relay", protocol: "udp" },
        { id: "m", type: "remote-candidate", candidateType: "host", protocol: "udp" },
      ]),
      NOW,
    );
    expect(sample).toMatchObject({
      codec: "VP9",
      limited: "cpu",
      pair: "p",
      route: "relay/host/udp",
    });
    const bare = reduceStats("r", mapOf([out("a", { qualityLimitationReason: "else" })]), NOW)[0];
    for (const field of ["codec", "limited", "pair", "route", "energy", "sourceFps"])
      expect(bare).not.toHaveProperty(field);
  });

  it("without streams become no samples", () => {
    expect(reduceStats("r", new Map(), NOW)).toEqual([]);
  });
});
