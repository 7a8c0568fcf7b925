import { beforeEach, describe, expect, it } from "vitest";
import { parseRtp } from "../rtp/header.ts";
import { parseVp8 } from "../rtp/payload.ts";
import {
  buildNack,
  buildPli,
  buildRemb,
  buildSenderReport,
  buildTimeAnswer,
  parseRtcp,
} from "../rtp/rtcp.ts";
import { createSfu, type Sfu, type SfuEvent } from "./index.ts";
import {
  browserAnswer,
  browserOffer,
  createFakeTransports,
  rtp,
  SSRC,
  vp8,
} from "./sfu.harness.ts";

let now: number;
let events: SfuEvent[];
let fakes: ReturnType<typeof createFakeTransports>;
let sfu: Sfu;

beforeEach(() => {
  now = 1000;
  events = [];
  fakes = createFakeTransports();
  sfu = createSfu({
    open: fakes.open,
    now: () => now,
    emit: (event) => events.push(event),
    capacity: 4,
  });
});

const publish = (id = "p", options: Parameters<typeof browserOffer>[0] = { videos: 2 }) =>
  sfu.publish({ id, confrId: "c", offer: browserOffer(options), vcodes: ["VP8"] });
const subscribe = (id: string, layer: "none" | "low" | "high" = "high", publisher = "p") =>
  sfu.subscribe({ id, confrId: "c", publisher, video: true, audio: true, layer });

/** Publishes when needed, subscribes, answers and connects. */
async function flowing(id = "s", layer: "none" | "low" | "high" = "high"): Promise<void> {
  if (fakes.all.length === 0) {
    await publish();
    fakes.get("p").events.state("connected");
  }
  const { offer } = await subscribe(id, layer);
  sfu.answer(id, browserAnswer(offer));
  fakes.get(id).events.state("connected");
}

const packet = (
  layer: "high" | "low",
  sequence: number,
  key = false,
  timestamp = sequence * 3000,
) =>
  fakes
    .get("p")
    .events.packet(
      layer === "high" ? "1" : "2",
      rtp({ ssrc: SSRC[layer], sequence, timestamp, payload: vp8(sequence & 0x7fff, key) }),
    );

const outgoing = (id: string) =>
  fakes.get(id).sent.flatMap(({ mid, packet: b }) => {
    const header = mid === "1" ? parseRtp(b) : null;
    if (header === null || header.payloadType !== 96) return [];
    const picture = parseVp8(b, header.payloadStart, header.payloadEnd)?.pictureId;
    return [{ ssrc: header.ssrc, sequence: header.sequence, timestamp: header.timestamp, picture }];
  });
/** The RTCP items that the node sent to the publisher. */
const upstream = () => fakes.get("p").sent.flatMap(({ packet: b }) => parseRtcp(b));
const run = (ms: number): void => {
  for (const end = now + ms; now < end;) {
    now += 25;
    sfu.tick();
  }
};

describe("forwarding", () => {
  it("passes the same buffer unchanged until the first switch", async () => {
    await flowing();
    const b = rtp({ ssrc: SSRC.high, sequence: 9, payload: vp8(1, false) });
    fakes.get("p").events.packet("1", b);
    fakes.get("p").events.packet("0", rtp({ ssrc: SSRC.audio, sequence: 1, payloadType: 111 }));
    expect(fakes.get("s").sent.map((s) => s.mid)).toEqual(["1", "0"]);
    expect(fakes.get("s").sent[0]?.packet).toBe(b);
    expect(sfu.stats()).toMatchObject({ packetsIn: 2, packetsOut: 2, forwarded: 1 });
  });

  it("sends only the chosen stream, and only once the connection is up", async () => {
    await publish();
    const { offer } = await subscribe("s");
    packet("high", 1, true);
    sfu.answer("s", browserAnswer(offer));
    packet("high", 2);
    fakes.get("s").events.state("connected");
    fakes.get("p").events.packet("1", rtp({ ssrc: 999, sequence: 3 }));
    fakes.get("p").events.packet("1", Buffer.from([1, 2, 3]));
    // From the keyframe on, although it arrived before the connection was up.
    expect(outgoing("s").map((o) => o.sequence)).toEqual([1, 2]);
    packet("low", 4, true);
    packet("high", 3);
    expect(outgoing("s").map((o) => o.sequence)).toEqual([1, 2, 3]);
  });

  it("requests a keyframe for each new subscriber, at most once every 300 ms", async () => {
    await flowing("a");
    await flowing("b");
    await flowing("c");
    expect(upstream().filter((i) => i.t === "pli")).toHaveLength(1);
    run(350);
    expect(upstream().filter((i) => i.t === "pli")).toHaveLength(2);
    run(2000);
    expect(upstream().filter((i) => i.t === "pli")).toHaveLength(2);
    fakes.get("a").events.packet("1", buildPli(5, SSRC.high));
    expect(upstream().filter((i) => i.t === "pli")).toHaveLength(3);
  });

  it("switches layers at a keyframe and keeps the numbering of one continuous stream", async () => {
    await flowing();
    for (let i = 100; i < 104; i += 1) packet("high", i);
    sfu.select("s", { video: true, audio: true, layer: "low" });
    expect(upstream()).toContainEqual({ t: "pli", media: SSRC.low });
    packet("low", 7000, false, 50_000);
    packet("high", 104);
    now += 40;
    packet("low", 7001, true, 53_000);
    packet("high", 105);
    packet("low", 7002, false, 56_000);
    // A late packet from before the keyframe.
    packet("low", 6999, false, 47_000);
    const all = outgoing("s");
    expect(all.map((o) => o.sequence)).toEqual([100, 101, 102, 103, 104, 105, 106]);
    expect(new Set(all.map((o) => o.ssrc))).toEqual(new Set([SSRC.high]));
    expect(all.map((o) => o.picture)).toEqual([100, 101, 102, 103, 104, 105, 106]);
    expect(all[5]?.timestamp).toBe(104 * 3000 + 40 * 90);
    expect((all[6]?.timestamp ?? 0) - (all[5]?.timestamp ?? 0)).toBe(3000);
    expect(events.flatMap((e) => (e.t === "layer" ? [e.layer] : []))).toEqual(["high", "low"]);

    // Sender reports are mapped to the outgoing numbers.
    const report = { ntpHigh: 1, ntpLow: 2, packets: 0, octets: 0 };
    const sr = buildSenderReport({ ...report, ssrc: SSRC.low, rtpTimestamp: 56_000 });
    fakes.get("p").events.packet("2", sr);
    const told = fakes.get("s").sent.flatMap((s) => parseRtcp(s.packet));
    expect(told.find((i) => i.t === "sr")).toMatchObject({
      report: { ssrc: SSRC.high, rtpTimestamp: all[6]?.timestamp },
    });

    // Retransmissions too. A packet from before the keyframe is not needed.
    const before = outgoing("s").length;
    fakes.get("s").events.packet("1", buildNack(5, SSRC.high, [103, 106]));
    expect(outgoing("s").slice(before)).toEqual([all[6]]);
  });

  it("continues the numbering after more than one wrap", async () => {
    await flowing();
    packet("high", 1, true);
    sfu.select("s", { video: true, audio: true, layer: "low" });
    packet("low", 500, true);
    for (let i = 501; i < 80_000; i += 1) packet("low", i & 0xffff, false, i * 3000);
    expect(outgoing("s")).toHaveLength(79_501);
    expect(outgoing("s").at(-1)?.sequence).toBe((79_999 - 500 + 2) & 0xffff);
  });

  it("pauses at once and resumes at a keyframe without a gap in the numbers", async () => {
    await flowing();
    packet("high", 10, true);
    sfu.select("s", { video: false, audio: true, layer: "high" });
    for (let i = 11; i < 40; i += 1) packet("high", i);
    expect(outgoing("s")).toHaveLength(1);
    sfu.select("s", { video: true, audio: true, layer: "high" });
    packet("high", 40);
    packet("high", 41, true);
    expect(outgoing("s").map((o) => o.sequence)).toEqual([10, 11]);
    expect(events.flatMap((e) => (e.t === "layer" ? [e.layer] : []))).toEqual([
      "high",
      "none",
      "high",
    ]);
  });

  it("answers NACK from at least 1024 packets", async () => {
    await flowing();
    for (let i = 0; i < 1024; i += 1) packet("high", 65_000 + i);
    fakes.get("s").sent.length = 0;
    fakes.get("s").events.packet("1", buildNack(5, SSRC.high, [65_000, 487, 486]));
    expect(outgoing("s").map((o) => o.sequence)).toEqual([65_000, 487, 486]);
    expect(sfu.stats().resent).toBe(3);
    // Retransmissions are bounded.
    fakes.get("s").sent.length = 0;
    for (let i = 0; i < 2000; i += 1) {
      fakes.get("s").events.packet("1", buildNack(5, SSRC.high, [65_001]));
    }
    expect(outgoing("s").length).toBeLessThan(700);
  });

  it("requests a keyframe automatically after a cut of the publisher, until it arrives", async () => {
    await flowing();
    const asked = () => upstream().filter((i) => i.t === "pli").length;
    packet("high", 1, true);
    packet("high", 2);
    const before = asked();
    // Silence without a gap is a still picture, not a cut.
    run(1500);
    packet("high", 3);
    run(600);
    expect(asked()).toBe(before);
    packet("high", 40);
    expect(asked()).toBe(before + 1);
    for (let i = 41; i < 81; i += 1) {
      packet("high", i);
      run(25);
    }
    // The request is repeated after half a second, and when missing packets are given up.
    expect(asked()).toBe(before + 3);
    packet("high", 81, true);
    for (let i = 82; i < 122; i += 1) {
      packet("high", i);
      run(25);
    }
    expect(asked()).toBe(before + 3);
    // A gap with more packets than can be requested.
    packet("high", 122 + 300);
    expect(asked()).toBe(before + 4);
  });

  it("requests a keyframe for a subscriber whose RTCP returns after a long silence", async () => {
    await flowing();
    packet("high", 1, true);
    const report = buildRemb(5, [SSRC.high], 2_000_000);
    const asked = () => upstream().filter((i) => i.t === "pli").length;
    for (let i = 0; i < 4; i += 1) {
      fakes.get("s").events.packet("1", report);
      run(1000);
    }
    const before = asked();
    run(3000);
    fakes.get("s").events.packet("1", report);
    expect(asked()).toBe(before + 1);
  });

  it("sends each retransmission twice to a subscriber with high loss, and once after the loss has ended", async () => {
    await flowing();
    const second = (from: number, lost: number): void => {
      for (let i = from; i < from + 40; i += 1) packet("high", i);
      const sequences = Array.from({ length: lost }, (_, i) => from + i);
      fakes.get("s").events.packet("1", buildNack(5, SSRC.high, sequences));
      run(1100);
    };
    const resent = (): number => {
      const before = outgoing("s").length;
      fakes.get("s").events.packet("1", buildNack(5, SSRC.high, [101]));
      return outgoing("s").length - before;
    };
    second(100, 3);
    expect(resent()).toBe(2);
    // A small picture has few packets per second. Often none is lost although the link is still bad.
    second(140, 0);
    expect(resent()).toBe(2);
    for (let i = 180; i < 380; i += 40) second(i, 0);
    expect(resent()).toBe(1);
  });

  it("sends a publisher's retransmission twice to a subscriber with high loss, and does not count the publisher's loss as the subscriber's", async () => {
    await flowing();
    const lossy = (from: number, nacked: number): void => {
      for (let i = from; i < from + 40; i += 1) if (i % 8 !== 0) packet("high", i);
      fakes.get("s").events.packet("1", buildNack(5, SSRC.high, [nacked]));
      run(1100);
    };
    const late = (sequence: number): number => {
      const before = outgoing("s").length;
      packet("high", sequence);
      return outgoing("s").length - before;
    };
    // The node does not have the packet either.
    lossy(100, 104);
    expect(late(112)).toBe(1);
    lossy(140, 143);
    expect(late(152)).toBe(2);
  });

  it("answers the round-trip question of a receive-only subscriber", async () => {
    await flowing();
    const asked = "80cf00040000000904000002e1b2c3d4a5b6c7d8";
    fakes.get("s").events.packet("1", Buffer.from(asked, "hex"));
    const { mid, packet: told } = fakes.get("s").sent.at(-1) ?? {};
    expect(mid).toBe("1");
    expect(told).toEqual(buildTimeAnswer(SSRC.high, 9, 0xc3d4a5b6));
  });

  it("requests missing packets from the publisher repeatedly and finally gives up", async () => {
    await flowing();
    packet("high", 1);
    packet("high", 4);
    run(25);
    const nacks = () => upstream().flatMap((i) => (i.t === "nack" ? [i.sequences] : []));
    expect(nacks()).toEqual([[2, 3]]);
    packet("high", 3);
    run(100);
    expect(nacks()).toEqual([[2, 3], [2]]);
    run(900);
    const tries = nacks().length;
    expect(tries).toBeGreaterThanOrEqual(7);
    run(5000);
    expect(nacks()).toHaveLength(tries);
    expect(outgoing("s").map((o) => o.sequence)).toEqual([1, 4, 3]);
    // A duplicate is forwarded only once.
    packet("high", 3);
    expect(outgoing("s")).toHaveLength(3);
  });

  it("accepts a subscriber's answer without video", async () => {
    await publish();
    const { offer } = await subscribe("s");
    sfu.answer("s", browserAnswer(offer).replace(/a=recvonly(?![\s\S]*a=recvonly)/, "a=inactive"));
    fakes.get("s").events.state("connected");
    packet("high", 1, true);
    expect(outgoing("s")).toEqual([]);
  });
});

describe("what is held", () => {
  const sound = (sequence: number): void =>
    fakes
      .get("p")
      .events.packet(
        "0",
        rtp({ ssrc: SSRC.audio, sequence, payloadType: 111, timestamp: 960 * sequence }),
      );
  const heard = (id: string): number[] =>
    fakes.get(id).sent.flatMap(({ mid, packet: b }) => {
      const header = mid === "0" ? parseRtp(b) : null;
      return header === null || header.payloadType !== 111 ? [] : [header.sequence];
    });

  it("reaches no subscriber from the first packet on, and all subscribers after the release", async () => {
    await sfu.publish({
      id: "p",
      confrId: "c",
      offer: browserOffer({ videos: 2 }),
      vcodes: ["VP8"],
      held: { video: true, audio: true },
    });
    fakes.get("p").events.state("connected");
    await flowing("a");
    for (let i = 1; i <= 3; i += 1) {
      packet("high", i, i === 1);
      packet("low", i, i === 1);
      sound(i);
    }
    // A later subscriber gets no earlier keyframe, and a NACK gets no answer.
    await flowing("b");
    sfu.select("b", { video: true, audio: true, layer: "low" });
    fakes.get("b").events.packet("1", buildNack(5, SSRC.high, [1, 2, 3]) ?? Buffer.alloc(0));
    for (const id of ["a", "b"]) {
      expect(outgoing(id)).toEqual([]);
      expect(heard(id)).toEqual([]);
    }
    expect(sfu.stats()).toMatchObject({ packetsIn: 9, packetsOut: 0 });

    sfu.hold("p", { video: false, audio: false });
    packet("high", 4);
    packet("high", 5, true);
    sound(4);
    expect(outgoing("a").map((o) => o.sequence)).toEqual([5]);
    expect(heard("a")).toEqual([4]);
  });

  it("stops at once and resumes at a keyframe without a gap; held packets cannot be requested", async () => {
    await flowing();
    for (let i = 1; i <= 3; i += 1) {
      packet("high", i, i === 1);
      sound(i);
    }
    sfu.hold("p", { video: true, audio: true });
    for (let i = 4; i <= 6; i += 1) {
      packet("high", i, i === 5);
      sound(i);
    }
    expect(outgoing("s").map((o) => o.sequence)).toEqual([1, 2, 3]);
    expect(heard("s")).toEqual([1, 2, 3]);
    fakes.get("s").events.packet("1", buildNack(5, SSRC.high, [3, 4, 5, 6]) ?? Buffer.alloc(0));
    expect(outgoing("s").map((o) => o.sequence)).toEqual([1, 2, 3, 3]);
    const before = upstream().filter((i) => i.t === "pli").length;
    run(400);
    sfu.hold("p", { video: false, audio: false });
    expect(upstream().filter((i) => i.t === "pli").length).toBeGreaterThan(before);
    packet("high", 7, true);
    sound(7);
    expect(outgoing("s").map((o) => [o.sequence, o.picture])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [3, 3],
      [4, 4],
    ]);
    expect(heard("s")).toEqual([1, 2, 3, 4]);
  });

  it("is only the kind that was named", async () => {
    await flowing();
    sfu.hold("p", { video: false, audio: true });
    packet("high", 1, true);
    sound(1);
    expect(outgoing("s").map((o) => o.sequence)).toEqual([1]);
    expect(heard("s")).toEqual([]);
  });
});

describe("the choice of a layer", () => {
  /** `second` sends one second of both layers, about 800 and 160 kbit/s. */
  let sequence = 0;
  const second = (): void => {
    for (let i = 0; i < 40; i += 1) {
      sequence += 1;
      for (const layer of ["high", "low"] as const) {
        const size = layer === "high" ? 2500 : 500;
        const payload = [...vp8(sequence & 0x7fff, true), ...Array.from({ length: size }, () => 0)];
        const b = rtp({ ssrc: SSRC[layer], sequence, timestamp: sequence * 2250, payload });
        fakes.get("p").events.packet(layer === "high" ? "1" : "2", b);
      }
      run(25);
    }
  };
  const layer = () => events.findLast((e) => e.t === "layer")?.layer;
  const remb = (bitrate: number) =>
    fakes.get("s").events.packet("1", buildRemb(5, [SSRC.high], bitrate));

  it("ignores a small growing REMB, goes down on a falling one and goes up slowly", async () => {
    await flowing();
    for (const bitrate of [150_000, 170_000, 190_000, 210_000]) {
      remb(bitrate);
      second();
    }
    expect(layer()).toBe("high");
    remb(180_000);
    second();
    second();
    expect(layer()).toBe("low");
    for (let i = 0; i < 6; i += 1) second();
    expect(layer()).toBe("low");
    for (let i = 0; i < 4; i += 1) second();
    expect(layer()).toBe("high");
    // The trial fails, so the next one comes later.
    remb(150_000);
    second();
    second();
    expect(layer()).toBe("low");
    for (let i = 0; i < 12; i += 1) second();
    expect(layer()).toBe("low");
    for (let i = 0; i < 8; i += 1) second();
    expect(layer()).toBe("high");
  });

  it("keeps the high layer at 5 % loss and goes down at 30 %", async () => {
    await flowing();
    const lose = (count: number): void => {
      second();
      const lost = Array.from({ length: count }, (_, i) => (sequence - 39 + i * 2) & 0xffff);
      fakes.get("s").events.packet("1", buildNack(5, SSRC.high, lost));
    };
    for (let i = 0; i < 15; i += 1) lose(2);
    expect(layer()).toBe("high");
    for (let i = 0; i < 8; i += 1) lose(12);
    expect(layer()).toBe("low");
  });

  it("never exceeds the layer that the subscriber wants", async () => {
    await flowing("s", "low");
    for (let i = 0; i < 20; i += 1) second();
    expect(outgoing("s").every((o) => o.ssrc === SSRC.low)).toBe(true);
    expect(layer()).toBe("low");
  });

  it("limits a single-layer publisher by REMB while its subscriber gets too much", async () => {
    await publish("p", { videos: 1 });
    fakes.get("p").events.state("connected");
    const { offer } = await subscribe("s");
    sfu.answer("s", browserAnswer(offer));
    fakes.get("s").events.state("connected");
    const rembs = () => upstream().flatMap((i) => (i.t === "remb" ? [i.bitrate] : []));
    second();
    second();
    expect(rembs()).toEqual([]);
    remb(400_000);
    for (let i = 0; i < 5; i += 1) {
      remb(300_000 - i * 20_000);
      second();
    }
    expect(Math.min(...rembs())).toBeLessThan(300_000);
    expect(rembs().length).toBeGreaterThan(1);
  });

  it("reports each packet's arrival time to the publisher", async () => {
    await flowing();
    const b = Buffer.concat([rtp({ ssrc: SSRC.high, sequence: 1, payload: [] }), Buffer.alloc(11)]);
    b.writeUInt8(0x90, 0);
    b.writeUInt16BE(0xbede, 12);
    b.writeUInt16BE(1, 14);
    b.writeUInt8(0x31, 16);
    b.writeUInt16BE(777, 17);
    fakes.get("p").events.packet("1", b);
    run(200);
    const feedback = fakes.get("p").sent.find((s) => s.packet[1] === 205 && s.packet[0] === 0x8f);
    expect(feedback?.packet.readUInt16BE(12)).toBe(777);
  });
});

describe("connections", () => {
  it("are offered with the publisher's payload types and SSRCs", async () => {
    expect(await publish()).toMatchObject({ vcodec: "VP8", layers: ["low", "high"] });
    const { offer } = await subscribe("s");
    expect(offer).toContain("m=audio 9 UDP/TLS/RTP/SAVPF 111");
    expect(offer).toContain("m=video 9 UDP/TLS/RTP/SAVPF 96");
    expect(offer).toContain(`a=ssrc:${SSRC.high} cname:p`);
    expect(offer).not.toContain("a=mid:2");
    const low = await subscribe("t", "low");
    expect(low.offer).toContain(`a=ssrc:${SSRC.low} cname:p`);
    expect(low.offer).toContain("a=mid:1");
    // The node's own candidates follow the answer, not the offer.
    expect(offer).not.toContain("a=candidate");
    expect(events).toEqual([]);
    sfu.answer("s", browserAnswer(offer));
    const candidate = "candidate:1 1 UDP 1 192.0.2.9 7000 typ host";
    const cands = [{ candidate, sdpMid: "0", sdpMLineIndex: 0 }];
    expect(events).toEqual([{ t: "candidates", id: "s", cands }]);
  });

  it("leave nothing open when they are refused", async () => {
    await expect(publish("p", { audio: false, videos: 0 })).rejects.toThrow();
    expect(fakes.all).toHaveLength(0);
    fakes.fail = true;
    await expect(publish()).rejects.toMatchObject({ code: "conference.invalid" });
    expect(fakes.all.map((t) => t.closed)).toEqual([true]);
    fakes.fail = false;
    await publish();
    await expect(publish()).rejects.toMatchObject({ code: "conference.invalid" });
    await expect(subscribe("s", "high", "nobody")).rejects.toMatchObject({
      code: "conference.invalid",
    });
    await expect(
      sfu.subscribe({
        id: "s",
        confrId: "other",
        publisher: "p",
        video: true,
        audio: true,
        layer: "high",
      }),
    ).rejects.toMatchObject({ code: "conference.invalid" });
    const { offer } = await subscribe("s");
    expect(() => sfu.answer("s", "v=0")).toThrow();
    sfu.answer("s", browserAnswer(offer));
    expect(() => sfu.answer("s", browserAnswer(offer))).toThrow();
    expect(sfu.stats()).toMatchObject({ publishers: 1, subscribers: 1, forwarded: 0 });
  });

  it("are bounded in number", async () => {
    await publish();
    await Promise.all(["a", "b", "c"].map((id) => subscribe(id)));
    await expect(subscribe("d")).rejects.toMatchObject({ code: "conference.media-unavailable" });
    sfu.closeConnection("a");
    await subscribe("d");
  });

  it("are cancelled when they are closed while opening", async () => {
    const opening = publish();
    sfu.closeConnection("p");
    await expect(opening).rejects.toMatchObject({ code: "conference.invalid" });
    const other = publish();
    sfu.closeConference("c");
    await expect(other).rejects.toMatchObject({ code: "conference.invalid" });
    expect(fakes.all.every((t) => t.closed)).toBe(true);
  });

  it("of subscribers end with their publisher, for whatever reason it ends", async () => {
    await flowing("a");
    await flowing("b");
    fakes.get("p").events.state("failed");
    expect(events.filter((e) => e.t === "state").slice(-3)).toEqual([
      { t: "state", id: "p", state: "failed" },
      { t: "state", id: "a", state: "closed" },
      { t: "state", id: "b", state: "closed" },
    ]);
    expect(fakes.all.every((t) => t.closed)).toBe(true);
    expect(sfu.stats()).toMatchObject({ publishers: 0, subscribers: 0 });
    fakes.get("a").events.state("closed");
    expect(events.at(-1)).toEqual({ t: "state", id: "b", state: "closed" });
  });

  it("that never connect fail after a minute", async () => {
    await publish();
    run(61_500);
    expect(events.at(-1)).toEqual({ t: "state", id: "p", state: "failed" });
    expect(fakes.get("p").closed).toBe(true);
  });

  it("keep candidates until the answer arrives and accept only literal addresses", async () => {
    await publish();
    const { offer } = await subscribe("s");
    const good = "candidate:1 1 udp 1 192.0.2.5 9 typ host";
    sfu.candidates("s", [
      { candidate: good },
      { candidate: "candidate:1 1 udp 1 a.local 9 typ host" },
    ]);
    expect(fakes.get("s").candidates).toEqual([]);
    sfu.answer("s", browserAnswer(offer).replaceAll(/a=candidate.*\r\n/g, ""));
    expect(fakes.get("s").candidates).toEqual([good]);
    sfu.candidates("nobody", [{ candidate: good }]);
  });

  it("are all closed by close(), which may be called twice", async () => {
    await flowing();
    sfu.close();
    sfu.close();
    expect(fakes.all.every((t) => t.closed)).toBe(true);
    await expect(publish("q")).rejects.toMatchObject({ code: "conference.media-unavailable" });
  });
});
