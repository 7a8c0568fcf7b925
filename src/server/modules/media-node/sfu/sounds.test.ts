/** Which sounds of a conference go to its subscribers, and what goes in the place of the others (docs/media-node.md#sounds). */
import { describe, expect, it } from "vitest";
import { findExtension, parseRtp } from "../rtp/header.ts";
import { createSfu } from "./index.ts";
import { createLoudest, LOUDEST } from "./loudest.ts";
import {
  browserOffer,
  createFakeTransports,
  LEVEL_ID,
  receiverOffer,
  rtp,
  SSRC,
} from "./sfu.harness.ts";
import { createSoundGate, OPUS_SILENCE, SILENCE_MS } from "./sound-gate.ts";

describe("places", () => {
  const conferenceOf = (most = 2) => {
    const placeFor = createLoudest(most);
    const places = ["a", "b", "c"].map((id) => placeFor("r", id));
    return { a: places[0]!, b: places[1]!, c: places[2]!, other: placeFor("q", "c") };
  };

  it("go to the loudest; one of the same loudness waits, and so does one that is a little louder", () => {
    const { a, b, c, other } = conferenceOf();
    expect([a.heard(30, 0), b.heard(40, 0), c.heard(40, 0), c.heard(38, 1)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(other.heard(90, 1), "a conference of its own").toBe(true);
    expect(c.heard(20, 2), "a first word passes from its first packet on").toBe(true);
    expect([a.heard(30, 3), b.heard(40, 3)]).toEqual([true, false]);
  });

  it("stay over the pause between two words, and go on when the speaker is silent for seconds", () => {
    const { a, b, c } = conferenceOf();
    a.heard(30, 0);
    b.heard(20, 0);
    expect([a.heard(127, 500), c.heard(60, 500)]).toEqual([true, false]);
    expect([c.heard(60, 3000), a.heard(127, 3000)]).toEqual([true, false]);
  });

  it("pass on when their sound is held or ends; a sound without a level always passes", () => {
    const { a, b, c } = conferenceOf();
    a.heard(30, 0);
    b.heard(30, 0);
    expect([c.heard(60, 1), c.heard(null, 2)]).toEqual([false, true]);
    a.leave();
    expect([c.heard(60, 3), a.heard(60, 4)]).toEqual([true, false]);
  });
});

describe("the gate", () => {
  const at = (sequence: number, more: object = {}) => {
    const packet = rtp({ ssrc: 1, sequence, timestamp: sequence * 960, level: 50, ...more });
    return { packet, header: parseRtp(packet)! };
  };
  const gate = () => {
    const made = createSoundGate(LEVEL_ID);
    return (sequence: number, forwarded: boolean, now: number) => {
      const { packet, header } = at(sequence);
      const out = made.pass(packet, header, forwarded, now);
      if (out === null) return null;
      const { payloadStart, payloadEnd } = out.header;
      const isSilence = OPUS_SILENCE.equals(out.packet.subarray(payloadStart, payloadEnd));
      return {
        sequence: out.header.sequence,
        timestamp: out.header.timestamp / 960,
        isSilence,
        level: out.packet.readUInt8(findExtension(out.packet, out.header, LEVEL_ID, 1)),
        same: out.packet === packet,
      };
    };
  };

  it("passes what has a place as it is", () => {
    expect(gate()(7, true, 0)).toMatchObject({ sequence: 7, same: true, level: 50 });
  });

  it("sends one silence each 400 ms in place of the others, without a gap in the numbers and with the true times", () => {
    const pass = gate();
    pass(65_534, true, 0);
    const outs = Array.from({ length: 60 }, (_, i) => pass((65_535 + i) & 0xffff, false, 20 * i));
    const sent = outs.flatMap((out) => (out === null ? [] : [out]));
    expect(sent.map(({ sequence, isSilence, level }) => [sequence, isSilence, level])).toEqual([
      [65_535, true, 127],
      [0, true, 127],
      [1, true, 127],
    ]);
    expect(outs.findIndex((out, i) => i > 0 && out !== null) * 20).toBe(SILENCE_MS);
    const back = pass(59, true, 1200);
    expect(back).toMatchObject({ sequence: 2, timestamp: 59, isSilence: false, level: 50 });
    expect(pass(60, true, 1220)).toMatchObject({ sequence: 3, isSilence: false });
    // A loss stays a loss, which the receiver conceals.
    expect(pass(62, true, 1260)).toMatchObject({ sequence: 5 });
    expect(pass(61, true, 1270), "late").toMatchObject({ sequence: 4 });
    expect(pass(58, true, 1280), "from before the change").toBeNull();
  });
});

describe("a conference of seven", () => {
  it("forwards five sounds and two silences to each, at a twentieth of their packets; who speaks up is heard at once", async () => {
    let now = 1000;
    const fakes = createFakeTransports();
    const sfu = createSfu({
      open: fakes.open,
      now: () => now,
      emit: () => undefined,
      capacity: 99,
    });
    const names = Array.from({ length: LOUDEST + 2 }, (_, i) => `p${i}`);
    for (const id of names) {
      const offer = browserOffer({ videos: 0 });
      const { answer } = await sfu.publish({ id, conferenceId: "c", offer, vcodes: ["VP8"] });
      expect(answer).toContain(`a=extmap:${LEVEL_ID} urn:ietf:params:rtp-hdrext:ssrc-audio-level`);
      const { sdp } = await sfu.subscribe({
        id: `s-${id}`,
        conferenceId: "c",
        publisher: id,
        offer: receiverOffer(),
        video: true,
        audio: true,
        layer: "none",
      });
      expect(sdp).toContain(`a=extmap:${LEVEL_ID} urn:ietf:params:rtp-hdrext:ssrc-audio-level`);
      fakes.get(`s-${id}`).events.state("connected");
    }
    const speak = (id: string, sequence: number, level: number): void =>
      fakes
        .get(id)
        .events.packet("0", rtp({ ssrc: SSRC.audio, sequence, payloadType: 111, level }));
    const received = (id: string): number => fakes.get(`s-${id}`).sent.length;
    for (let i = 0; i < 100; i += 1) {
      now += 20;
      for (const [n, id] of names.entries()) speak(id, i, 30 + n);
    }
    expect(names.map(received)).toEqual([100, 100, 100, 100, 100, 5, 5]);
    speak("p6", 100, 10);
    expect(received("p6")).toBe(6);
    now += 20;
    speak("p4", 100, 34);
    expect(received("p4"), "the silence that ends it").toBe(101);
    sfu.hold("p0", { audio: true, video: false });
    speak("p5", 100, 60);
    expect(received("p5"), "the place of the muted one").toBe(6);
    sfu.close();
  });
});
