/** A subscriber's connection: forwards of its publisher what it wants and what its network can carry. */
import type { Layer } from "../../../../shared/protocol/confr-model.ts";
import { buildRtx, parseRtp, seqDiff, type RtpHeader } from "../rtp/header.ts";
import { buildSenderReport, buildTimeAnswer, parseRtcp } from "../rtp/rtcp.ts";
import type { Route, SubscribePlan } from "../sdp/subscribe-plan.ts";
import type { Sent } from "../sdp/write.ts";
import { createForwarder, type Forwarder } from "./forwarder.ts";
import { AUDIO, HIGH, LOW, type Publisher, type Sink } from "./publisher.ts";
import { createSelector } from "./selector.ts";
import type { Transport } from "./transport.ts";

export interface Wanted {
  readonly video: boolean;
  readonly audio: boolean;
  readonly layer: Layer;
}

export interface Subscriber extends Sink {
  /** The SSRCs that go out by a route. */
  sent(route: Pick<Route, "kind">): Pick<Sent, "ssrc" | "rtxSsrc">;
  /** Call when ICE and DTLS are connected, also after an ICE restart. Packets are sent from then on. */
  connected(now: number): void;
  rtcp(packet: Buffer, now: number): void;
  select(wanted: Wanted, now: number): void;
  /** Call about once a second. */
  decide(now: number): void;
  readonly live: boolean;
  readonly packets: number;
  readonly bytes: number;
  readonly resent: number;
}

/** Most retransmissions per second to one subscriber: more requests than this are not caused by loss. */
const RESEND_MAX = 600;
/** From this share of requested packets on, each retransmission is sent twice. */
const LOSING = 0.02;
/** How long retransmissions stay doubled: a small picture has about twenty packets per second, often none of them lost. */
const LOSING_MS = 5000;
/** A browser sends RTCP every second; a longer silence means that the connection was cut. */
const UNHEARD_MS = 2500;
/** A high layer without packets is left for the low one after this time. */
const SILENT_MS = 2500;

export function createSubscriber(options: {
  readonly publisher: Publisher;
  readonly transport: Pick<Transport, "send">;
  /** Where the publisher's media go on this connection; null: the subscriber cannot take this kind. */
  readonly routes: Pick<SubscribePlan, "audio" | "video">;
  readonly wanted: Wanted;
  /** Called with the layer that the subscriber now receives. */
  readonly onLayer: (layer: Layer) => void;
}): Subscriber {
  const { publisher, transport, routes } = options;
  const { audio, high, low } = publisher.plan;
  let wanted = options.wanted;
  let live = false;
  let packets = 0;
  let bytes = 0;
  let resent = 0;
  let sentSince = 0;
  let nackedSince = 0;
  let resentSince = 0;
  let highestNacked = -1;
  let highestSent = -1;
  let reportedLoss = 0;
  /** Until then retransmissions are sent twice, because recent loss was high. */
  let losingUntil = -Infinity;
  let heardAt = Infinity;
  let lastReported: Layer = "none";
  let liveAt = 0;
  const selector = createSelector();

  const target = (): number | null => {
    if (publisher.held.video || !wanted.video || wanted.layer === "none" || high === null)
      return null;
    return low !== null && (wanted.layer === "low" || chosen === "low") ? LOW : HIGH;
  };
  let chosen: "low" | "high" = "high";
  const soundTarget = (): number | null => (publisher.held.audio || !wanted.audio ? null : AUDIO);

  const start = target();
  const first = start === LOW && low !== null ? low : high;
  const videoSsrc = first?.ssrc ?? 0;
  const video: Forwarder | null =
    high === null || routes.video === null
      ? null
      : createForwarder({ ...routes.video, ssrc: videoSsrc }, [high, high, low ?? high], start);
  const sound: Forwarder | null =
    audio === null || routes.audio === null
      ? null
      : createForwarder({ ...routes.audio, ssrc: audio.ssrc }, [audio], soundTarget());
  // Any number that is not another stream's.
  const rtxSsrc = [videoSsrc ^ 0x5a5a5a5a, videoSsrc ^ 0x3c3c3c3c]
    .map((ssrc) => ssrc >>> 0)
    .find((ssrc) => ssrc !== audio?.ssrc);
  let rtxSequence = 0;

  const send = (mid: string, packet: Buffer): void => {
    if (!transport.send(mid, packet)) return;
    packets += 1;
    bytes += packet.length;
  };

  const pass = (track: number, packet: Buffer, header: RtpHeader, now: number): void => {
    if (track === AUDIO) {
      const out = sound?.forward(AUDIO, packet, header, now) ?? null;
      if (out !== null && routes.audio !== null) send(routes.audio.mid, out);
      return;
    }
    if (video === null || routes.video === null) return;
    const out = video.forward(track, packet, header, now);
    if (out === null) return;
    sentSince += 1;
    send(routes.video.mid, out);
    const sequence = out.readUInt16BE(2);
    const late = highestSent !== -1 && seqDiff(sequence, highestSent) < 0;
    // A late packet was lost between publisher and node, so the picture has already waited for it.
    if (late && now < losingUntil) sendAgain(out);
    if (!late) highestSent = sequence;
    reportLayer();
  };

  /** Sends a packet of the picture once more, as a retransmission where the subscriber has a stream for those. */
  const sendAgain = (packet: Buffer): void => {
    if (routes.video === null) return;
    const { mid, rtx } = routes.video;
    const header = rtx === null ? null : parseRtp(packet);
    if (rtx === null || rtxSsrc === undefined || header === null) return send(mid, packet);
    rtxSequence = (rtxSequence + 1) & 0xffff;
    const to = { payloadType: rtx, ssrc: rtxSsrc, sequence: rtxSequence };
    send(mid, buildRtx(packet, header, to));
  };

  const reportLayer = (): void => {
    const current = video?.current ?? null;
    const now: Layer = current === null ? "none" : current === LOW ? "low" : "high";
    if (now === lastReported) return;
    lastReported = now;
    options.onLayer(now);
  };

  const aim = (now: number): void => {
    if (video === null) return;
    const to = target();
    video.want(to);
    if (live && video.waiting !== null) publisher.keyframe(video.waiting, now);
    if (live) reportLayer();
  };

  const resend = (sequences: readonly number[], now: number): void => {
    if (video === null) return;
    for (const sequence of sequences) {
      if (resentSince >= RESEND_MAX) return;
      const packet = video.resend(sequence, publisher.cached);
      // A packet that the node itself lacks was lost on the publisher's side and says nothing about this one.
      if (packet === null) continue;
      if (highestNacked === -1 || seqDiff(sequence, highestNacked) > 0) {
        highestNacked = sequence;
        nackedSince += 1;
      }
      resentSince += 1;
      resent += 1;
      sendAgain(packet);
      // A second NACK takes so long that the picture freezes.
      if (now < losingUntil) sendAgain(packet);
    }
  };

  return {
    sent: ({ kind }) => ({
      ssrc: kind === "video" ? videoSsrc : (audio?.ssrc ?? 0),
      rtxSsrc: rtxSsrc ?? 0,
    }),

    connected(now) {
      const to = video?.current ?? null;
      if (live) {
        // After an ICE restart: what was sent meanwhile is lost.
        if (to !== null) publisher.keyframe(to, now);
        return;
      }
      live = true;
      liveAt = now;
      if (to === null) return;
      const recent = publisher.recent(to, now);
      for (const packet of recent) {
        const header = parseRtp(packet);
        if (header !== null) pass(to, packet, header, now);
      }
      if (recent.length === 0) publisher.keyframe(to, now);
    },

    packet(track, packet, header, now) {
      if (live) pass(track, packet, header, now);
    },

    senderReport(track, report) {
      if (!live) return;
      const forwarder = track === AUDIO ? sound : video;
      const mid = (track === AUDIO ? routes.audio : routes.video)?.mid;
      const mapped = forwarder?.senderReport(track, report) ?? null;
      if (mapped !== null && mid !== undefined) transport.send(mid, buildSenderReport(mapped));
    },

    strain: () => (live && selector.strained ? selector.estimate() : null),

    rtcp(packet, now) {
      // After a cut, request a keyframe at once instead of waiting for the subscriber's PLI.
      const current = video?.current ?? null;
      if (live && current !== null && now - heardAt > UNHEARD_MS) publisher.keyframe(current, now);
      heardAt = now;
      for (const item of parseRtcp(packet)) {
        if (item.t === "nack") {
          if (item.media !== audio?.ssrc) resend(item.sequences, now);
        } else if (item.t === "pli") {
          if (live && current !== null) publisher.keyframe(current, now);
        } else if (item.t === "remb") selector.remb(item.bitrate, now);
        else if (item.t === "time") {
          if (routes.video !== null) {
            transport.send(routes.video.mid, buildTimeAnswer(videoSsrc, item.from, item.time));
          }
        } else {
          for (const block of item.blocks) {
            if (block.ssrc === videoSsrc) reportedLoss = block.fractionLost;
          }
        }
      }
    },

    select(next, now) {
      wanted = next;
      sound?.want(soundTarget());
      aim(now);
    },

    heldChanged(now) {
      sound?.want(soundTarget());
      aim(now);
    },

    decide(now) {
      if (!live || video === null) return;
      // A requested packet was lost at first, even though later receiver reports no longer count it.
      const asked = sentSince === 0 ? 0 : Math.min(1, nackedSince / sentSince);
      if (asked > LOSING) losingUntil = now + LOSING_MS;
      if (sentSince > 0) selector.loss(Math.max(asked, reportedLoss), now);
      sentSince = 0;
      nackedSince = 0;
      resentSince = 0;
      reportedLoss = 0;
      const rates = {
        high: publisher.bitrate(HIGH, now),
        low: low === null ? 0 : publisher.bitrate(LOW, now),
      };
      // The publisher may send nothing on the high layer; then the low one is the only choice.
      const silent = now - liveAt > SILENT_MS && rates.high === 0 && rates.low > 0;
      chosen = silent ? "low" : selector.decide(rates, now);
      aim(now);
    },

    get live() {
      return live;
    },
    get packets() {
      return packets;
    },
    get bytes() {
      return bytes;
    },
    get resent() {
      return resent;
    },
  };
}
