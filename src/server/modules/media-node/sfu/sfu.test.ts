import { beforeEach, describe, expect, it } from "vitest";
import {
  buildNack,
  buildPli,
  buildRemb,
  buildSenderReport,
  buildTimeAnswer,
  parseRtcp,
} from "../rtp/rtcp.ts";
import { receiverOffer, rtp, SSRC, vp8 } from "./sfu.harness.ts";
import { createSfuWorld, type SfuWorld } from "./sfu-world.harness.ts";

let world: SfuWorld;
beforeEach(() => {
  world = createSfuWorld();
});

describe("forwarding", () => {
  it("passes the same buffer unchanged until the first switch", async () => {
    await world.flowing();
    const b = rtp({ ssrc: SSRC.high, sequence: 9, payload: vp8(1, false) });
    world.fakes.get("p").events.packet("1", b);
    world.fakes
      .get("p")
      .events.packet("0", rtp({ ssrc: SSRC.audio, sequence: 1, payloadType: 111 }));
    expect(world.fakes.get("s").sent.map((s) => s.mid)).toEqual(["1", "0"]);
    expect(world.fakes.get("s").sent[0]?.packet).toBe(b);
    expect(world.sfu.stats()).toMatchObject({ packetsIn: 2, packetsOut: 2, forwarded: 1 });
  });

  it("sends only the chosen stream, and only once the connection is up", async () => {
    await world.publish();
    await world.subscribe("s");
    world.packet("high", 1, true);
    world.packet("high", 2);
    world.fakes.get("s").events.state("connected");
    world.fakes.get("p").events.packet("1", rtp({ ssrc: 999, sequence: 3 }));
    world.fakes.get("p").events.packet("1", Buffer.from([1, 2, 3]));
    // From the keyframe on, although it arrived before the connection was up.
    expect(world.outgoing("s").map((o) => o.sequence)).toEqual([1, 2]);
    world.packet("low", 4, true);
    world.packet("high", 3);
    expect(world.outgoing("s").map((o) => o.sequence)).toEqual([1, 2, 3]);
  });

  it("requests a keyframe for each new subscriber, at most once every 300 ms", async () => {
    await world.flowing("a");
    await world.flowing("b");
    await world.flowing("c");
    expect(world.upstream().filter((i) => i.t === "pli")).toHaveLength(1);
    world.run(350);
    expect(world.upstream().filter((i) => i.t === "pli")).toHaveLength(2);
    world.run(2000);
    expect(world.upstream().filter((i) => i.t === "pli")).toHaveLength(2);
    world.fakes.get("a").events.packet("1", buildPli(5, SSRC.high));
    expect(world.upstream().filter((i) => i.t === "pli")).toHaveLength(3);
  });

  it("switches layers at a keyframe and keeps the numbering of one continuous stream", async () => {
    await world.flowing();
    for (let i = 100; i < 104; i += 1) world.packet("high", i);
    world.sfu.select("s", { video: true, audio: true, layer: "low" });
    expect(world.upstream()).toContainEqual({ t: "pli", media: SSRC.low });
    world.packet("low", 7000, false, 50_000);
    world.packet("high", 104);
    world.pass(40);
    world.packet("low", 7001, true, 53_000);
    world.packet("high", 105);
    world.packet("low", 7002, false, 56_000);
    // A late packet from before the keyframe.
    world.packet("low", 6999, false, 47_000);
    const all = world.outgoing("s");
    expect(all.map((o) => o.sequence)).toEqual([100, 101, 102, 103, 104, 105, 106]);
    expect(new Set(all.map((o) => o.ssrc))).toEqual(new Set([SSRC.high]));
    expect(all.map((o) => o.picture)).toEqual([100, 101, 102, 103, 104, 105, 106]);
    expect(all[5]?.timestamp).toBe(104 * 3000 + 40 * 90);
    expect((all[6]?.timestamp ?? 0) - (all[5]?.timestamp ?? 0)).toBe(3000);
    expect(world.events.flatMap((e) => (e.t === "layer" ? [e.layer] : []))).toEqual([
      "high",
      "low",
    ]);

    // Sender reports are mapped to the outgoing numbers.
    const report = { ntpHigh: 1, ntpLow: 2, packets: 0, octets: 0 };
    const sr = buildSenderReport({ ...report, ssrc: SSRC.low, rtpTimestamp: 56_000 });
    world.fakes.get("p").events.packet("2", sr);
    const reports = world.fakes.get("s").sent.flatMap((s) => parseRtcp(s.packet));
    expect(reports.find((i) => i.t === "sr")).toMatchObject({
      report: { ssrc: SSRC.high, rtpTimestamp: all[6]?.timestamp },
    });

    // Retransmissions too. A packet from before the keyframe is not needed.
    const before = world.outgoing("s").length;
    world.fakes.get("s").events.packet("1", buildNack(5, SSRC.high, [103, 106]));
    expect(world.outgoing("s").slice(before)).toEqual([all[6]]);
  });

  it("continues the numbering after more than one wrap", async () => {
    await world.flowing();
    world.packet("high", 1, true);
    world.sfu.select("s", { video: true, audio: true, layer: "low" });
    world.packet("low", 500, true);
    for (let i = 501; i < 80_000; i += 1) world.packet("low", i & 0xffff, false, i * 3000);
    expect(world.outgoing("s")).toHaveLength(79_501);
    expect(world.outgoing("s").at(-1)?.sequence).toBe((79_999 - 500 + 2) & 0xffff);
  });

  it("pauses at once and resumes at a keyframe without a gap in the numbers", async () => {
    await world.flowing();
    world.packet("high", 10, true);
    world.sfu.select("s", { video: false, audio: true, layer: "high" });
    for (let i = 11; i < 40; i += 1) world.packet("high", i);
    expect(world.outgoing("s")).toHaveLength(1);
    world.sfu.select("s", { video: true, audio: true, layer: "high" });
    world.packet("high", 40);
    world.packet("high", 41, true);
    expect(world.outgoing("s").map((o) => o.sequence)).toEqual([10, 11]);
    expect(world.events.flatMap((e) => (e.t === "layer" ? [e.layer] : []))).toEqual([
      "high",
      "none",
      "high",
    ]);
  });

  it("answers NACK from at least 1024 packets", async () => {
    await world.flowing();
    for (let i = 0; i < 1024; i += 1) world.packet("high", 65_000 + i);
    world.fakes.get("s").sent.length = 0;
    world.fakes.get("s").events.packet("1", buildNack(5, SSRC.high, [65_000, 487, 486]));
    expect(world.outgoing("s").map((o) => o.sequence)).toEqual([65_000, 487, 486]);
    expect(world.sfu.stats().resent).toBe(3);
    // Retransmissions are bounded.
    world.fakes.get("s").sent.length = 0;
    for (let i = 0; i < 2000; i += 1) {
      world.fakes.get("s").events.packet("1", buildNack(5, SSRC.high, [65_001]));
    }
    expect(world.outgoing("s").length).toBeLessThan(700);
  });

  it("requests a keyframe automatically after a cut of the publisher, until it arrives", async () => {
    await world.flowing();
    const asked = () => world.upstream().filter((i) => i.t === "pli").length;
    world.packet("high", 1, true);
    world.packet("high", 2);
    const before = asked();
    // Silence without a gap is a still picture, not a cut.
    world.run(1500);
    world.packet("high", 3);
    world.run(600);
    expect(asked()).toBe(before);
    world.packet("high", 40);
    expect(asked()).toBe(before + 1);
    for (let i = 41; i < 81; i += 1) {
      world.packet("high", i);
      world.run(25);
    }
    // The request is repeated after half a second, and when missing packets are given up.
    expect(asked()).toBe(before + 3);
    world.packet("high", 81, true);
    for (let i = 82; i < 122; i += 1) {
      world.packet("high", i);
      world.run(25);
    }
    expect(asked()).toBe(before + 3);
    // A gap with more packets than can be requested.
    world.packet("high", 122 + 300);
    expect(asked()).toBe(before + 4);
  });

  it("requests a keyframe for a subscriber whose RTCP returns after a long silence", async () => {
    await world.flowing();
    world.packet("high", 1, true);
    const report = buildRemb(5, [SSRC.high], 2_000_000);
    const asked = () => world.upstream().filter((i) => i.t === "pli").length;
    for (let i = 0; i < 4; i += 1) {
      world.fakes.get("s").events.packet("1", report);
      world.run(1000);
    }
    const before = asked();
    world.run(3000);
    world.fakes.get("s").events.packet("1", report);
    expect(asked()).toBe(before + 1);
  });

  it("sends each retransmission twice to a subscriber with high loss, and once after the loss has ended", async () => {
    await world.flowing();
    const second = (from: number, lost: number): void => {
      for (let i = from; i < from + 40; i += 1) world.packet("high", i);
      const sequences = Array.from({ length: lost }, (_, i) => from + i);
      world.fakes.get("s").events.packet("1", buildNack(5, SSRC.high, sequences));
      world.run(1100);
    };
    const resent = (): number => {
      const before = world.outgoing("s").length;
      world.fakes.get("s").events.packet("1", buildNack(5, SSRC.high, [101]));
      return world.outgoing("s").length - before;
    };
    second(100, 3);
    expect(resent()).toBe(2);
    // A small picture has few packets per second. Often none is lost although the network is still bad.
    second(140, 0);
    expect(resent()).toBe(2);
    for (let i = 180; i < 380; i += 40) second(i, 0);
    expect(resent()).toBe(1);
  });

  it("sends a publisher's retransmission twice to a subscriber with high loss, and does not count the publisher's loss as the subscriber's", async () => {
    await world.flowing();
    const lossy = (from: number, nacked: number): void => {
      for (let i = from; i < from + 40; i += 1) if (i % 8 !== 0) world.packet("high", i);
      world.fakes.get("s").events.packet("1", buildNack(5, SSRC.high, [nacked]));
      world.run(1100);
    };
    const late = (sequence: number): number => {
      const before = world.outgoing("s").length;
      world.packet("high", sequence);
      return world.outgoing("s").length - before;
    };
    // The node does not have the packet either.
    lossy(100, 104);
    expect(late(112)).toBe(1);
    lossy(140, 143);
    expect(late(152)).toBe(2);
  });

  it("answers the round-trip question of a receive-only subscriber", async () => {
    await world.flowing();
    const asked = "80cf00040000000904000002e1b2c3d4a5b6c7d8";
    world.fakes.get("s").events.packet("1", Buffer.from(asked, "hex"));
    const { mid, packet: answered } = world.fakes.get("s").sent.at(-1) ?? {};
    expect(mid).toBe("1");
    expect(answered).toEqual(buildTimeAnswer(SSRC.high, 9, 0xc3d4a5b6));
  });

  it("requests missing packets from the publisher repeatedly and finally gives up", async () => {
    await world.flowing();
    world.packet("high", 1);
    world.packet("high", 4);
    world.run(25);
    const nacks = () => world.upstream().flatMap((i) => (i.t === "nack" ? [i.sequences] : []));
    expect(nacks()).toEqual([[2, 3]]);
    world.packet("high", 3);
    world.run(100);
    expect(nacks()).toEqual([[2, 3], [2]]);
    world.run(900);
    const tries = nacks().length;
    expect(tries).toBeGreaterThanOrEqual(7);
    world.run(5000);
    expect(nacks()).toHaveLength(tries);
    expect(world.outgoing("s").map((o) => o.sequence)).toEqual([1, 4, 3]);
    // A duplicate is forwarded only once.
    world.packet("high", 3);
    expect(world.outgoing("s")).toHaveLength(3);
  });

  it("sends no video to a subscriber that receives none", async () => {
    await world.publish();
    const offer = receiverOffer({ videos: 0 });
    const wish = {
      conferenceId: "c",
      publisher: "p",
      video: true,
      audio: true,
      layer: "high",
    } as const;
    await world.sfu.subscribe({ id: "s", ...wish, offer });
    world.fakes.get("s").events.state("connected");
    world.packet("high", 1, true);
    expect(world.fakes.get("s").sent).toEqual([]);
  });
});
