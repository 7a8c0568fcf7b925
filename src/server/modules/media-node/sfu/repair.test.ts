/** Measures how soon a packet lost between publisher and node is repaired. */
import { expect, it } from "vitest";
import { parseRtp } from "../rtp/header.ts";
import { parseRtcp } from "../rtp/rtcp.ts";
import type { PublishPlan, TrackPlan } from "../sdp/plan.ts";
import { createPublisher, LOW } from "./publisher.ts";
import { rtp, vp8 } from "./sfu.harness.ts";

const FRAME_MS = 50;
const SECONDS = 300;

/** mulberry32 */
const seeded = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

const track = (mid: string, ssrc: number): TrackPlan => ({
  kind: "video",
  mid,
  payloadType: 96,
  clockRate: 90_000,
  codec: "VP8",
  fmtp: "",
  ssrc,
  transportCc: 0,
  audioLevel: 0,
  absSendTime: 0,
});

/** Simulates a browser that sends twenty one-packet pictures per second and answers NACKs. */
function simulate(options: { loss: number; rtt: number }) {
  const random = seeded(7);
  const high = track("1", 22);
  const low = track("2", 33);
  const plan: PublishPlan = {
    ice: { ufrag: "u", pwd: "p", fingerprint: "f", setup: "actpass" },
    candidates: [],
    sections: [],
    audio: null,
    high,
    low,
    vcodec: "VP8",
  };
  let now = 0;
  const due: { at: number; run: () => void }[] = [];
  /** Sends in one direction after half the round-trip time, or loses the packet. */
  const way = (run: () => void): void => {
    if (random() >= options.loss) due.push({ at: now + options.rtt / 2, run });
  };
  const packets = new Map<number, Buffer>();
  const sentAgain = new Map<number, number>();
  const counts = { asked: 0, again: 0, keyframes: 0 };
  const publisher = createPublisher(
    plan,
    {
      send(_mid, packet) {
        for (const item of parseRtcp(packet)) {
          if (item.t === "pli") counts.keyframes += 1;
          if (item.t !== "nack") continue;
          const { sequences } = item;
          counts.asked += sequences.length;
          way(() => sequences.forEach(again));
        }
        return true;
      },
    },
    1,
    { heard: () => true, leave: () => undefined },
  );
  const again = (sequence: number): void => {
    const packet = packets.get(sequence);
    // A browser does not retransmit a packet twice within one round-trip time.
    if (packet === undefined || now - (sentAgain.get(sequence) ?? -Infinity) < options.rtt) return;
    sentAgain.set(sequence, now);
    counts.again += 1;
    way(() => publisher.packet("2", packet, now));
  };
  const came = new Map<number, number>();
  const sent = new Map<number, number>();
  publisher.sinks.add({
    packet(index, packet) {
      if (index === LOW) came.set(parseRtp(packet)?.sequence ?? -1, now);
    },
    senderReport: () => undefined,
    strain: () => null,
    heldChanged: () => undefined,
  });
  const end = SECONDS * 1000;
  for (; now < end; now += 1) {
    for (let i = 0; i < due.length;) {
      const event = due[i];
      if (event === undefined || event.at > now) i += 1;
      else {
        due.splice(i, 1);
        event.run();
      }
    }
    if (now % FRAME_MS === 0) {
      const sequence = now / FRAME_MS;
      const packet = rtp({ ssrc: 33, sequence, payload: vp8(sequence, sequence === 0) });
      packets.set(sequence, packet);
      sent.set(sequence, now);
      if (sequence === 0) publisher.packet("2", packet, now);
      else way(() => publisher.packet("2", packet, now));
    }
    if (now % 25 === 0) publisher.tick(now);
  }
  // The last two seconds had no time to be repaired.
  const waits = [...sent]
    .filter(([, at]) => at < end - 2000)
    .map(([sequence, at]) => (came.get(sequence) ?? Infinity) - at - options.rtt / 2)
    .filter((wait) => wait > 0)
    .toSorted((x, y) => x - y);
  const at = (share: number): number => waits[Math.floor((waits.length - 1) * share)] ?? Infinity;
  return { ...counts, lost: waits.length, p50: at(0.5), p90: at(0.9), worst: at(1) };
}

it.each([
  { loss: 0.05, rtt: 4, p50: 60, p90: 80, worst: 200 },
  { loss: 0.15, rtt: 4, p50: 60, p90: 110, worst: 300 },
  { loss: 0.05, rtt: 100, p50: 160, p90: 210, worst: 500 },
])(
  "at $loss of loss and $rtt ms there and back, what is lost is there again in time",
  ({ loss, rtt, p50, p90, worst }) => {
    const found = simulate({ loss, rtt });
    expect(found.lost).toBeGreaterThan(SECONDS * 20 * loss * 0.8);
    expect(found.p50).toBeLessThanOrEqual(p50);
    expect(found.p90).toBeLessThanOrEqual(p90);
    expect(found.worst).toBeLessThanOrEqual(worst);
    // Nothing was given up, and the number of NACKs stays small.
    expect(found.keyframes).toBe(0);
    expect(found.asked / found.lost).toBeLessThan(3);
  },
);
