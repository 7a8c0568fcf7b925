/** Sets up tests of the SFU: publishing, subscribing, sending packets and reading what was forwarded. */
import { parseRtp } from "../rtp/header.ts";
import { parseVp8 } from "../rtp/payload.ts";
import { parseRtcp } from "../rtp/rtcp.ts";
import { createSfu, type SfuEvent } from "./index.ts";
import {
  browserOffer,
  createFakeTransports,
  receiverOffer,
  rtp,
  SSRC,
  vp8,
} from "./sfu.harness.ts";

export type SfuWorld = ReturnType<typeof createSfuWorld>;

/** An SFU over fake transports with a clock of its own, a publisher `p` and any number of subscribers. */
export function createSfuWorld() {
  let now = 1000;
  const events: SfuEvent[] = [];
  const fakes = createFakeTransports();
  const sfu = createSfu({
    open: fakes.open,
    now: () => now,
    emit: (event) => events.push(event),
    capacity: 4,
  });

  const publish = (id = "p", options: Parameters<typeof browserOffer>[0] = { videos: 2 }) =>
    sfu.publish({ id, conferenceId: "c", offer: browserOffer(options), vcodes: ["VP8"] });
  const subscribe = (id: string, layer: "none" | "low" | "high" = "high", publisher = "p") =>
    sfu.subscribe({
      id,
      conferenceId: "c",
      publisher,
      // Without a format of their own, retransmissions are the packets themselves.
      offer: receiverOffer().replaceAll("rtx/90000", "none/90000"),
      video: true,
      audio: true,
      layer,
    });

  /** Publishes when needed, subscribes and connects. */
  async function flowing(id = "s", layer: "none" | "low" | "high" = "high"): Promise<void> {
    if (fakes.all.length === 0) {
      await publish();
      fakes.get("p").events.state("connected");
    }
    await subscribe(id, layer);
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
      return [
        { ssrc: header.ssrc, sequence: header.sequence, timestamp: header.timestamp, picture },
      ];
    });
  /** The RTCP items that the node sent to the publisher. */
  const upstream = () => fakes.get("p").sent.flatMap(({ packet: b }) => parseRtcp(b));
  const run = (ms: number): void => {
    for (const end = now + ms; now < end;) {
      now += 25;
      sfu.tick();
    }
  };

  /** Lets time pass without a tick. */
  const pass = (ms: number): void => {
    now += ms;
  };
  return { sfu, fakes, events, publish, subscribe, flowing, packet, outgoing, upstream, run, pass };
}
