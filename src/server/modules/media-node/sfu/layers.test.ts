import { beforeEach, describe, expect, it } from "vitest";
import { parseRtp } from "../rtp/header.ts";
import { buildNack, buildRemb } from "../rtp/rtcp.ts";
import { browserOffer, rtp, SSRC, vp8 } from "./sfu.harness.ts";
import { createSfuWorld, type SfuWorld } from "./sfu-world.harness.ts";

let world: SfuWorld;
beforeEach(() => {
  world = createSfuWorld();
});

describe("what is held", () => {
  const sound = (sequence: number): void =>
    world.fakes
      .get("p")
      .events.packet(
        "0",
        rtp({ ssrc: SSRC.audio, sequence, payloadType: 111, timestamp: 960 * sequence }),
      );
  const heard = (id: string): number[] =>
    world.fakes.get(id).sent.flatMap(({ mid, packet: b }) => {
      const header = mid === "0" ? parseRtp(b) : null;
      return header === null || header.payloadType !== 111 ? [] : [header.sequence];
    });

  it("reaches no subscriber from the first packet on, and all subscribers after the release", async () => {
    await world.sfu.publish({
      id: "p",
      conferenceId: "c",
      offer: browserOffer({ videos: 2 }),
      vcodes: ["VP8"],
      held: { video: true, audio: true },
    });
    world.fakes.get("p").events.state("connected");
    await world.flowing("a");
    for (let i = 1; i <= 3; i += 1) {
      world.packet("high", i, i === 1);
      world.packet("low", i, i === 1);
      sound(i);
    }
    // A later subscriber gets no earlier keyframe, and a NACK gets no answer.
    await world.flowing("b");
    world.sfu.select("b", { video: true, audio: true, layer: "low" });
    world.fakes.get("b").events.packet("1", buildNack(5, SSRC.high, [1, 2, 3]) ?? Buffer.alloc(0));
    for (const id of ["a", "b"]) {
      expect(world.outgoing(id)).toEqual([]);
      expect(heard(id)).toEqual([]);
    }
    expect(world.sfu.stats()).toMatchObject({ packetsIn: 9, packetsOut: 0 });

    world.sfu.hold("p", { video: false, audio: false });
    world.packet("high", 4);
    world.packet("high", 5, true);
    sound(4);
    expect(world.outgoing("a").map((o) => o.sequence)).toEqual([5]);
    expect(heard("a")).toEqual([4]);
  });

  it("stops at once and resumes at a keyframe without a gap; held packets cannot be requested", async () => {
    await world.flowing();
    for (let i = 1; i <= 3; i += 1) {
      world.packet("high", i, i === 1);
      sound(i);
    }
    world.sfu.hold("p", { video: true, audio: true });
    for (let i = 4; i <= 6; i += 1) {
      world.packet("high", i, i === 5);
      sound(i);
    }
    expect(world.outgoing("s").map((o) => o.sequence)).toEqual([1, 2, 3]);
    expect(heard("s")).toEqual([1, 2, 3]);
    world.fakes
      .get("s")
      .events.packet("1", buildNack(5, SSRC.high, [3, 4, 5, 6]) ?? Buffer.alloc(0));
    expect(world.outgoing("s").map((o) => o.sequence)).toEqual([1, 2, 3, 3]);
    const before = world.upstream().filter((i) => i.t === "pli").length;
    world.run(400);
    world.sfu.hold("p", { video: false, audio: false });
    expect(world.upstream().filter((i) => i.t === "pli").length).toBeGreaterThan(before);
    world.packet("high", 7, true);
    sound(7);
    expect(world.outgoing("s").map((o) => [o.sequence, o.picture])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [3, 3],
      [4, 4],
    ]);
    expect(heard("s")).toEqual([1, 2, 3, 4]);
  });

  it("is only the kind that was named", async () => {
    await world.flowing();
    world.sfu.hold("p", { video: false, audio: true });
    world.packet("high", 1, true);
    sound(1);
    expect(world.outgoing("s").map((o) => o.sequence)).toEqual([1]);
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
        world.fakes.get("p").events.packet(layer === "high" ? "1" : "2", b);
      }
      world.run(25);
    }
  };
  const layer = () => world.events.findLast((e) => e.t === "layer")?.layer;
  const remb = (bitrate: number) =>
    world.fakes.get("s").events.packet("1", buildRemb(5, [SSRC.high], bitrate));

  it("ignores a small growing REMB, goes down on a falling one and goes up slowly", async () => {
    await world.flowing();
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
    await world.flowing();
    const lose = (count: number): void => {
      second();
      const lost = Array.from({ length: count }, (_, i) => (sequence - 39 + i * 2) & 0xffff);
      world.fakes.get("s").events.packet("1", buildNack(5, SSRC.high, lost));
    };
    for (let i = 0; i < 15; i += 1) lose(2);
    expect(layer()).toBe("high");
    for (let i = 0; i < 8; i += 1) lose(12);
    expect(layer()).toBe("low");
  });

  it("never exceeds the layer that the subscriber wants", async () => {
    await world.flowing("s", "low");
    for (let i = 0; i < 20; i += 1) second();
    expect(world.outgoing("s").every((o) => o.ssrc === SSRC.low)).toBe(true);
    expect(layer()).toBe("low");
  });

  it("limits a single-layer publisher by REMB while its subscriber gets too much", async () => {
    await world.publish("p", { videos: 1 });
    world.fakes.get("p").events.state("connected");
    await world.subscribe("s");
    world.fakes.get("s").events.state("connected");
    const rembs = () => world.upstream().flatMap((i) => (i.t === "remb" ? [i.bitrate] : []));
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
    await world.flowing();
    const b = Buffer.concat([rtp({ ssrc: SSRC.high, sequence: 1, payload: [] }), Buffer.alloc(11)]);
    b.writeUInt8(0x90, 0);
    b.writeUInt16BE(0xbede, 12);
    b.writeUInt16BE(1, 14);
    b.writeUInt8(0x31, 16);
    b.writeUInt16BE(777, 17);
    world.fakes.get("p").events.packet("1", b);
    world.run(200);
    const feedback = world.fakes
      .get("p")
      .sent.find((s) => s.packet[1] === 205 && s.packet[0] === 0x8f);
    expect(feedback?.packet.readUInt16BE(12)).toBe(777);
  });
});
