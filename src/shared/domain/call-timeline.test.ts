import { describe, expect, it } from "vitest";
import { measuredKey } from "../protocol/qoe.ts";
import { callRecords, CONFR } from "./call-records.harness.ts";
import { timelineOf } from "./call-timeline.ts";

describe("the streams of a timeline", () => {
  const records = callRecords(4, ({ at }) => ({ rtcId: at > 2000 ? "r2" : "r1" }));

  it("Sound and picture, both directions and each connection are apart, whatever names their stream", () => {
    for (const { memName, streams } of timelineOf(CONFR, records).sides) {
      expect(streams.map(({ id, points }) => [id, points.length])).toEqual(
        ["r1", "r2"].flatMap((rtcId) =>
          (memName === "ann" ? ["local", "remote"] : ["remote", "local"]).flatMap((direction) =>
            ["audio", "video"].map((kind) => [`${rtcId}:${direction}:${kind}`, 1]),
          ),
        ),
      );
    }
  });

  it("Records of older cores, which name the sample, give the same", () => {
    const older = records.map((one) => (one.kind === 1 ? { ...one, sId: measuredKey(one) } : one));
    expect(timelineOf(CONFR, older)).toEqual(timelineOf(CONFR, records));
  });
});
