import { expect, it } from "vitest";
import { transmissionOf } from "./transmission.ts";

const report = (...all: object[]): RTCStatsReport =>
  new Map(all.map((one, i) => [String(i), one])) as unknown as RTCStatsReport;

it("Counters stand by track, the layers of one picture together, with what the other side lost", () => {
  const out = { type: "outbound-rtp", kind: "video", remoteId: "r" };
  expect(
    transmissionOf(
      report(
        { ...out, id: "a", bytesSent: 100, packetsSent: 2 },
        { ...out, id: "b", bytesSent: 30, packetsSent: 1, remoteId: "none" },
        { type: "remote-inbound-rtp", id: "r", kind: "video", packetsLost: 4 },
        {
          type: "inbound-rtp",
          kind: "audio",
          id: "c",
          trackIdentifier: "t",
          bytesReceived: 7,
          packetsReceived: 1,
          packetsLost: 2,
        },
        { type: "candidate-pair", id: "d", bytesSent: 999 },
      ),
    ),
  ).toEqual([
    { trackId: "video", kind: "video", bytes: 130, packets: 3, packetsLost: 4 },
    { trackId: "t", kind: "audio", bytes: 7, packets: 1, packetsLost: 2 },
  ]);
});
