import { describe, expect, it } from "vitest";
import { rtp, vp8 } from "../sfu/sfu.harness.ts";
import { findExtension, isRtcp, parseRtp, rewriteRtp, seqDiff } from "./header.ts";
import { parseVp8, rewriteVp8, startsKeyframe } from "./payload.ts";
import {
  buildNack,
  buildPli,
  buildReceiverReport,
  buildRemb,
  buildSenderReport,
  buildTimeAnswer,
  parseRtcp,
} from "./rtcp.ts";
import { createArrivalLog } from "./transport-feedback.ts";

/** Repeatable random numbers. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

describe("RTP headers", () => {
  it("are read and rewritten", () => {
    const b = rtp({ ssrc: 0xfedcba98, sequence: 65_535, timestamp: 0xffffffff, payloadType: 96 });
    b.writeUInt8(0x80 | 96, 1);
    expect(parseRtp(b)).toMatchObject({
      marker: true,
      payloadType: 96,
      sequence: 65_535,
      timestamp: 0xffffffff,
      ssrc: 0xfedcba98,
      payloadStart: 12,
      payloadEnd: 15,
    });
    rewriteRtp(b, { payloadType: 100, sequence: 65_536 + 7, timestamp: -1, ssrc: 5 });
    expect(parseRtp(b)).toMatchObject({
      marker: true,
      payloadType: 100,
      sequence: 7,
      timestamp: 0xffffffff,
      ssrc: 5,
    });
  });

  it("have extensions in one-byte and two-byte form", () => {
    const with_ = (profile: number, elements: number[]): Buffer => {
      const b = Buffer.alloc(16 + elements.length + 2);
      b.writeUInt8(0x90, 0);
      b.writeUInt16BE(profile, 12);
      b.writeUInt16BE(elements.length / 4, 14);
      Buffer.from(elements).copy(b, 16);
      return b;
    };
    const look = (b: Buffer, id: number, length: number): number => {
      const header = parseRtp(b);
      return header === null ? -2 : findExtension(b, header, id, length);
    };
    const one = with_(0xbede, [0x20, 9, 0, 0x31, 0xab, 0xcd, 0, 0]);
    expect(one.readUInt16BE(look(one, 3, 2))).toBe(0xabcd);
    expect(look(one, 2, 1)).toBe(17);
    expect(look(one, 4, 2)).toBe(-1);
    expect(look(one, 3, 3)).toBe(-1);
    const two = with_(0x1000, [2, 1, 9, 0, 3, 2, 0xab, 0xcd]);
    expect(two.readUInt16BE(look(two, 3, 2))).toBe(0xabcd);
    expect(look(with_(0x4321, [0x31, 1, 2, 0]), 3, 2)).toBe(-1);
  });

  it("have sequence numbers whose difference is right across the wrap", () => {
    expect(seqDiff(1, 65_535)).toBe(2);
    expect(seqDiff(65_535, 1)).toBe(-2);
  });
});

describe("payloads", () => {
  const key = (codec: "VP8" | "H264", bytes: number[]) =>
    startsKeyframe(codec, Buffer.from(bytes), 0, bytes.length);

  it("show where a keyframe begins", () => {
    expect(key("VP8", vp8(5, true))).toBe(true);
    expect(key("VP8", vp8(5, false))).toBe(false);
    // The same bytes later in a frame, outside the first partition, are not a keyframe.
    expect(key("VP8", [0x00, 0x00])).toBe(false);
    expect(key("VP8", [0x10, 0x00])).toBe(true);
    expect(key("VP8", [])).toBe(false);
    expect(key("H264", [0x67, 1, 2])).toBe(true);
    expect(key("H264", [0x65, 1, 2])).toBe(true);
    expect(key("H264", [0x41, 1, 2])).toBe(false);
    expect(key("H264", [0x78, 0, 3, 0x67, 1, 2, 0, 2, 0x68, 1])).toBe(true);
    expect(key("H264", [0x78, 0, 2, 0x41, 1])).toBe(false);
    expect(key("H264", [0x7c, 0x87, 1])).toBe(true);
    expect(key("H264", [0x7c, 0x85, 1])).toBe(false);
  });

  it("have VP8 picture numbers that can be rewritten", () => {
    const b = Buffer.from([0x90, 0xe0, 0x81, 0x02, 7, 0, 1, 0]);
    const before = parseVp8(b, 0, b.length);
    expect(before).toMatchObject({ pictureId: 0x102, pictureIdBits: 15, tl0: 7, payloadAt: 6 });
    if (before !== null) rewriteVp8(b, before, 0x8003, 0x1ff);
    expect(parseVp8(b, 0, b.length)).toMatchObject({ pictureId: 3, tl0: 0xff });
  });
});

describe("RTCP", () => {
  it("is read as it was written, also in a compound packet", () => {
    const report = {
      ssrc: 9,
      ntpHigh: 1,
      ntpLow: 2,
      rtpTimestamp: 3,
      packets: 4,
      octets: 5,
    };
    const block = {
      ssrc: 7,
      fractionLost: 0.25,
      lost: 3,
      highest: 70_000,
      jitter: 1.4,
      lastSr: 0xffffffff,
      sinceSr: 1,
    };
    const whole = Buffer.concat([
      buildSenderReport(report),
      buildReceiverReport(1, [block]),
      buildNack(1, 7, [65_534, 65_535, 0, 14, 100]),
      buildPli(1, 7),
      buildRemb(1, [7, 8], 2_345_678),
    ]);
    expect(parseRtcp(whole)).toEqual([
      { t: "sr", report, blocks: [] },
      { t: "rr", blocks: [{ ssrc: 7, fractionLost: 0.25 }] },
      { t: "nack", media: 7, sequences: [65_534, 65_535, 0, 14, 100] },
      { t: "pli", media: 7 },
      { t: "remb", bitrate: expect.closeTo(2_345_678, -2) as number },
    ]);
    expect(isRtcp(whole)).toBe(true);
    expect(isRtcp(rtp({ ssrc: 1, sequence: 1 }))).toBe(false);
  });

  it("answers the round-trip question of a receiver", () => {
    const asked = Buffer.from("80cf00040000000104000002e1b2c3d4a5b6c7d8", "hex");
    expect(isRtcp(asked)).toBe(true);
    expect(parseRtcp(asked)).toEqual([{ t: "time", from: 1, time: 0xc3d4a5b6 }]);
    const answer = buildTimeAnswer(7, 1, 0xc3d4a5b6);
    expect(answer.toString("hex")).toBe("80cf0005000000070500000300000001c3d4a5b600000000");
    expect(parseRtcp(answer)).toEqual([]);
  });

  it("limits the sequence numbers that one NACK can request", () => {
    const b = Buffer.alloc(12 + 4 * 300, 0xff);
    b.writeUInt8(0x81, 0);
    b.writeUInt8(205, 1);
    b.writeUInt16BE(b.length / 4 - 1, 2);
    const [item] = parseRtcp(b);
    expect(item?.t === "nack" && item.sequences.length).toBe(512);
  });

  it("is parsed without throwing, whatever the bytes are", () => {
    const next = random(7);
    for (let i = 0; i < 20_000; i += 1) {
      const b = Buffer.from(Array.from({ length: Math.floor(next() * 80) }, () => next() * 256));
      if (b.length > 1 && next() < 0.8) {
        b[0] = 0x80 | Math.floor(next() * 0x40);
        b[1] = 200 + Math.floor(next() * 8);
        if (b.length > 3 && next() < 0.7) b.writeUInt16BE(Math.floor(next() * 20), 2);
      }
      parseRtcp(b);
      const header = parseRtp(b);
      if (header === null) continue;
      expect(header.payloadEnd).toBeLessThanOrEqual(b.length);
      findExtension(b, header, 3, 2);
      for (const codec of ["VP8", "H264"] as const) {
        startsKeyframe(codec, b, header.payloadStart, header.payloadEnd);
      }
    }
  });
});

describe("transport-wide feedback", () => {
  /** Parses feedback like a sender: sequence number to arrival time in ms; null: not received. */
  function read(b: Buffer): Map<number, number | null> {
    const first = b.readUInt16BE(12);
    const count = b.readUInt16BE(14);
    let at = 20 + Math.ceil(count / 7) * 2;
    let time = b.readUIntBE(16, 3) * 64;
    const all = new Map<number, number | null>();
    for (let i = 0; i < count; i += 1) {
      const word = b.readUInt16BE(20 + Math.floor(i / 7) * 2);
      const status = (word >> (12 - 2 * (i % 7))) & 3;
      if (status === 0) all.set((first + i) & 0xffff, null);
      else {
        const ticks = status === 1 ? b.readUInt8(at) : b.readInt16BE(at);
        at += status;
        time += ticks * 0.25;
        all.set((first + i) & 0xffff, time);
      }
    }
    expect(b.length).toBe(Math.ceil(at / 4) * 4);
    expect(b.length / 4 - 1).toBe(b.readUInt16BE(2));
    return all;
  }

  it("reports arrival times and losses across the wrap and out of order", () => {
    const log = createArrivalLog();
    expect(log.build(1, 2)).toBeNull();
    log.record(65_534, 1000);
    log.record(0, 1010.25);
    log.record(65_535, 1012);
    log.record(3, 1400);
    const b = log.build(1, 2) ?? Buffer.alloc(0);
    expect([...read(b)]).toEqual([
      [65_534, 1000],
      [65_535, 1012],
      [0, 1010.25],
      [1, null],
      [2, null],
      [3, 1400],
    ]);
    expect(log.build(1, 2)).toBeNull();
    log.record(5, 1500);
    expect([...read(log.build(1, 2) ?? Buffer.alloc(0))]).toEqual([
      [4, null],
      [5, 1500],
    ]);
  });

  it("continues in the next report when one report is full", () => {
    const log = createArrivalLog();
    log.record(1, 0);
    log.record(2, 20_000);
    expect([...read(log.build(1, 2) ?? Buffer.alloc(0))]).toEqual([[1, 0]]);
    expect([...read(log.build(1, 2) ?? Buffer.alloc(0))]).toEqual([[2, 20_000]]);
    for (let i = 3; i < 1003; i += 1) log.record(i, 20_000 + i);
    expect(read(log.build(1, 2) ?? Buffer.alloc(0)).size).toBe(512);
    expect(read(log.build(1, 2) ?? Buffer.alloc(0)).size).toBe(488);
  });
});
