import { describe, expect, it } from "vitest";
import { causesOf } from "../../shared/domain/call-causes.ts";
import { callRecords, CONFR } from "../../shared/domain/call-records.harness.ts";
import { timelineOf } from "../../shared/domain/call-timeline.ts";
import { callViewOf } from "../../shared/domain/call-view.ts";
import { writeCallFile } from "../../shared/protocol/call-file.ts";
import { createCallFileApi } from "./api.ts";
import { readCallFile } from "./read.ts";

describe("a file of a call", () => {
  it("is read as it was written, with the same causes", () => {
    const timeline = timelineOf(
      CONFR,
      callRecords(60, ({ at, from }) => (from === "ann" && at > 20_000 ? { loss: 0.3 } : {})),
    );
    const file = { timeline, names: { ann: "安" } };
    const read = readCallFile(writeCallFile(file));
    expect(read).toMatchObject(file);
    expect("timeline" in read && causesOf(read.timeline)).toEqual(causesOf(timeline));
  });
  it("of an older console, which knew nothing of late timers, is read too", () => {
    const timeline = timelineOf(
      CONFR,
      callRecords(4, () => ({})),
    );
    const text = writeCallFile({ timeline, names: {} }).replaceAll(/,"late":null/g, "");
    expect(text).not.toContain("late");
    expect(readCallFile(text)).toMatchObject({ timeline });
  });
  it("becomes in the worker what its page shows, or the fault", async () => {
    const timeline = timelineOf(
      CONFR,
      callRecords(20, () => ({})),
    );
    const api = createCallFileApi();
    const file = { timeline, names: { ann: "安" } };
    expect(await api.read(new Blob([writeCallFile(file)]))).toEqual({
      view: callViewOf(timeline),
      names: { ann: "安" },
    });
    expect(await api.read(new Blob(["[1]"]))).toEqual({ fault: "unknown", where: "" });
  });
  it.each([
    ["", "no-json", ""],
    ["[1]", "unknown", ""],
    ['{"format":"call-quality-9"}', "unknown", "format"],
    [
      '{"PeerConnections":{"1-1":{"stats":{"a-b":{"startTime":"x"}}}}}',
      "unknown",
      "PeerConnections.1-1.stats.a-b.startTime",
    ],
    ['{"PeerConnections":{}}', "empty", ""],
    [
      '{"PeerConnections":{"1-1":{"stats":{"a-b":{"startTime":0,"endTime":1,"statsType":"x","values":"["}}}}}',
      "unknown",
      "values",
    ],
    [writeCallFile({ timeline: { confrId: "c", sides: [] }, names: {} }), "empty", ""],
  ])("of another kind (%s) is refused: %s at %s", (text, fault, where) => {
    expect(readCallFile(text)).toEqual({ fault, where });
  });
});

describe("a dump of webrtc-internals", () => {
  const BEGIN = Date.UTC(2026, 0, 5, 8);
  const seconds = 60;
  const series = (statsType: string, value: (second: number) => unknown) => ({
    startTime: new Date(BEGIN).toISOString(),
    endTime: new Date(BEGIN + (seconds - 1) * 1000).toISOString(),
    statsType,
    values: JSON.stringify(Array.from({ length: seconds }, (_, n) => value(n))),
  });
  const dump = {
    UserAgent: "Mozilla/5.0 Chrome/140",
    getUserMedia: [],
    PeerConnections: {
      "12-1": {
        url: "https://example.org/",
        stats: {
          "IT01A1-kind": series("inbound-rtp", () => "audio"),
          "IT01A1-bytesReceived": series("inbound-rtp", (n) => n * 4000),
          // From the 30th second on, a third of the packets is lost.
          "IT01A1-packetsReceived": series("inbound-rtp", (n) => n * 50 - Math.max(0, n - 30) * 16),
          "IT01A1-packetsLost": series("inbound-rtp", (n) => Math.max(0, n - 30) * 16),
          "IT01A1-jitter": series("inbound-rtp", () => 0.004),
          "OT01V1-kind": series("outbound-rtp", () => "video"),
          "OT01V1-bytesSent": series("outbound-rtp", (n) => n * 100_000),
          "OT01V1-packetsSent": series("outbound-rtp", (n) => n * 100),
          "OT01V1-framesPerSecond": series("outbound-rtp", () => 25),
          "OT01V1-remoteId": series("outbound-rtp", () => "RIV1"),
          "RIV1-roundTripTime": series("remote-inbound-rtp", () => 0.08),
          "CP1-currentRoundTripTime": series("candidate-pair", () => 0.08),
        },
      },
    },
  };

  it("is shown by the same timeline, and its causes are found", () => {
    const read = readCallFile(JSON.stringify(dump));
    if (!("timeline" in read)) throw new Error(read.fault);
    const [side] = read.timeline.sides;
    expect(side?.machine).toEqual(["Mozilla/5.0 Chrome/140"]);
    const [sound, picture] = side?.streams ?? [];
    expect(sound).toMatchObject({ direction: "remote", kind: "audio" });
    expect(sound?.points).toHaveLength(seconds);
    expect(sound?.points[10]).toMatchObject({
      at: BEGIN + 10_000,
      kbps: 32,
      loss: 0,
      jitter: 4,
      mos: expect.closeTo(4.41, 1) as number,
    });
    expect(sound?.points[40]?.loss).toBe(32);
    expect(picture?.points[10]).toMatchObject({ kbps: 800, fps: 25, rtt: 80 });
    const causes = causesOf(read.timeline);
    expect(causes.map(({ cause }) => cause)).toEqual(["loss"]);
    expect(Math.abs((causes[0]?.begin ?? 0) - BEGIN - 31_000)).toBeLessThanOrEqual(2000);
  });
});
