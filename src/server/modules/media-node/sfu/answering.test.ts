import { beforeEach, describe, expect, it } from "vitest";
import { findExtension, parseRtp } from "../rtp/header.ts";
import { buildNack } from "../rtp/rtcp.ts";
import { browserOffer, receiverOffer, rtp, SSRC, vp8 } from "./sfu.harness.ts";
import { createSfuWorld, type SfuWorld } from "./sfu-world.harness.ts";

let world: SfuWorld;
beforeEach(() => {
  world = createSfuWorld();
});

/** A receiver's offer whose numbers differ from the publisher's, with its video first. */
const OTHER = receiverOffer()
  .replace(/(m=audio[\s\S]*?)(m=video[\s\S]*)$/, (_, audio: string, video: string) => video + audio)
  .replaceAll(/\b96\b/g, "120")
  .replaceAll(/\b97\b/g, "124")
  .replaceAll(/\b111\b/g, "109")
  .replace("a=extmap:2 http", "a=extmap:3 http")
  .replace("a=extmap:3 http://www.ietf", "a=extmap:7 http://www.ietf");

const wish = {
  conferenceId: "c",
  publisher: "p",
  video: true,
  audio: true,
  layer: "high",
} as const;

/** A packet of the high layer with abs-send-time (id 2) and a transport-wide number (id 3). */
function packet(sequence: number, key = false): Buffer {
  const bare = rtp({ ssrc: SSRC.high, sequence, timestamp: sequence, payload: vp8(1, key) });
  const extension = Buffer.from([0xbe, 0xde, 0, 2, 0x22, 9, 8, 7, 0x31, 5, 6, 0]);
  const b = Buffer.concat([bare.subarray(0, 12), extension, bare.subarray(12)]);
  b.writeUInt8(0x90, 0);
  return b;
}

async function answered(offer: string): Promise<string> {
  await world.publish();
  world.fakes.get("p").events.state("connected");
  const { type, sdp } = await world.sfu.subscribe({ id: "s", ...wish, offer });
  expect(type).toBe("answer");
  world.fakes.get("s").events.state("connected");
  return sdp;
}
const nack = (sequences: number[]): void =>
  world.fakes.get("s").events.packet("1", buildNack(5, SSRC.high, sequences));
const sent = () =>
  world.fakes.get("s").sent.flatMap(({ mid, packet: b }) => {
    const header = parseRtp(b);
    return header === null || b.readUInt8(1) === 200 ? [] : [{ mid, header, b }];
  });

describe("a subscriber that offers", () => {
  it("is answered at once with the node's candidates, and its own are added", async () => {
    const candidate = "candidate:1 1 udp 1 192.0.2.5 9 typ host";
    const sdp = await answered(`${OTHER}a=${candidate}\r\n`);
    expect(sdp).toMatch(/^m=video 9 UDP\/TLS\/RTP\/SAVPF 120 124\r\n/m);
    expect(sdp).toContain("a=candidate:1 1 UDP 1 192.0.2.9 7000 typ host");
    const fake = world.fakes.get("s");
    expect(fake.candidates).toEqual([candidate]);
    expect(fake.sending.map(({ mid, payloadType }) => [mid, payloadType])).toEqual([
      ["1", 120],
      ["0", 109],
    ]);
    // What comes later is added at once too.
    world.sfu.candidates("s", [{ candidate: candidate.replace("2.5", "2.6") }]);
    expect(fake.candidates).toHaveLength(2);
  });

  it("gets the packets by its payload types and extension ids", async () => {
    await answered(OTHER);
    world.fakes.get("p").events.packet("1", packet(7, true));
    const sound = rtp({ ssrc: SSRC.audio, sequence: 4, payloadType: 111 });
    world.fakes.get("p").events.packet("0", sound);
    const [picture, voice] = sent();
    expect(picture).toMatchObject({ mid: "1", header: { payloadType: 120, sequence: 7 } });
    expect(voice).toMatchObject({ mid: "0", header: { payloadType: 109, ssrc: SSRC.audio } });
    if (picture === undefined) throw new Error("no packet");
    const at = findExtension(picture.b, picture.header, 3, 3);
    expect([...picture.b.subarray(at, at + 3)]).toEqual([9, 8, 7]);
    // The publisher's transport-wide number had the id that is abs-send-time here.
    expect(picture.b.subarray(20, 24)).toEqual(Buffer.alloc(4));
    expect(picture.b.subarray(24)).toEqual(packet(7, true).subarray(24));
  });

  it("gets the packets unchanged where its numbers are the publisher's", async () => {
    await answered(receiverOffer());
    const original = packet(7, true);
    world.fakes.get("p").events.packet("1", original);
    expect(sent()[0]?.b).toBe(original);
  });

  it("gets what was lost as retransmissions of a stream of their own", async () => {
    const sdp = await answered(OTHER);
    for (const [i, sequence] of [7, 8, 9].entries()) {
      world.fakes.get("p").events.packet("1", packet(sequence, i === 0));
    }
    const before = sent().length;
    nack([8, 9]);
    const again = sent().slice(before);
    expect(again.map(({ header }) => header.payloadType)).toEqual([124, 124]);
    const rtx = Number(/a=ssrc-group:FID 22 (\d+)/.exec(sdp)?.[1]);
    expect(again.map(({ header }) => header.ssrc)).toEqual([rtx, rtx]);
    expect(again.map(({ header }) => header.sequence)).toEqual([1, 2]);
    const originals = again.map(({ b, header }) => b.readUInt16BE(header.payloadStart));
    expect(originals).toEqual([8, 9]);
    const payload = again[0]?.b.subarray((again[0]?.header.payloadStart ?? 0) + 2);
    expect(payload).toEqual(packet(8).subarray(24));
  });

  it("gets them in the same stream where it offers none", async () => {
    await answered(OTHER.replaceAll("rtx/90000", "none/90000"));
    world.fakes.get("p").events.packet("1", packet(7, true));
    nack([7]);
    expect(sent().map(({ header }) => [header.payloadType, header.sequence])).toEqual([
      [120, 7],
      [120, 7],
    ]);
  });

  it("cannot be answered twice", async () => {
    await answered(OTHER);
    const twice = world.sfu.subscribe({ id: "s", ...wish, offer: OTHER });
    await expect(twice).rejects.toMatchObject({ code: "conference.invalid" });
  });
});

describe("an ICE restart", () => {
  const renewed = (offer: string): string =>
    offer.replaceAll(/a=ice-ufrag:.*\r\n/g, "a=ice-ufrag:again\r\n");

  it("of a subscriber goes on with the same streams and asks for a keyframe", async () => {
    const before = await answered(OTHER);
    world.fakes.get("p").events.packet("1", packet(7, true));
    world.run(1000);
    const plis = world.upstream().filter(({ t }) => t === "pli").length;
    const { type, sdp } = await world.sfu.restart("s", renewed(OTHER));
    expect([type, sdp]).toEqual(["answer", before]);
    expect(world.fakes.get("s").accepted).toBe(2);
    world.fakes.get("s").events.state("connected");
    expect(world.upstream().filter(({ t }) => t === "pli")).toHaveLength(plis + 1);
    const states = world.events.flatMap((e) => (e.t === "state" && e.id === "s" ? [e.state] : []));
    expect(states).toEqual(["connected", "connected"]);
    world.fakes.get("p").events.packet("1", packet(8));
    expect(sent().at(-1)?.header.sequence).toBe(8);
  });

  it("of a publisher keeps its subscribers", async () => {
    await world.flowing();
    const { sdp } = await world.sfu.restart("p", renewed(browserOffer({ videos: 2 })));
    expect(sdp).toContain("a=recvonly");
    world.fakes.get("p").events.state("connected");
    world.packet("high", 5, true);
    expect(world.outgoing("s").at(-1)).toMatchObject({ sequence: 5 });
    expect(world.sfu.stats()).toMatchObject({ publishers: 1, subscribers: 1 });
  });

  it("is refused with other streams, and a refusal by the library ends the connection", async () => {
    await answered(OTHER);
    for (const [id, offer] of [
      ["s", receiverOffer()],
      ["p", browserOffer({ videos: 1 })],
      ["nobody", OTHER],
    ] as const) {
      await expect(world.sfu.restart(id, offer)).rejects.toMatchObject({
        code: "conference.invalid",
      });
    }
    expect(world.sfu.stats()).toMatchObject({ publishers: 1, subscribers: 1 });
    world.fakes.fail = true;
    await expect(world.sfu.restart("s", renewed(OTHER))).rejects.toThrow();
    expect(world.events.at(-1)).toEqual({ t: "state", id: "s", state: "failed" });
    expect(world.sfu.stats()).toMatchObject({ publishers: 1, subscribers: 0 });
  });

  it("that never connects fails after a minute", async () => {
    await answered(OTHER);
    world.run(61_500);
    expect(world.sfu.stats()).toMatchObject({ subscribers: 1 });
    await world.sfu.restart("s", renewed(OTHER));
    world.run(61_500);
    expect(world.events.at(-1)).toEqual({ t: "state", id: "s", state: "failed" });
  });
});
