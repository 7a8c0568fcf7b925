/** Transports on node-datachannel. The library does ICE, DTLS and SRTP; it sets no media handler, so packets arrive raw. */
import { Audio, PeerConnection, type Track, Video } from "node-datachannel";
import { AppError } from "../../../../shared/errors.ts";
import { parseSdp } from "../sdp/parse.ts";
import type { TransportParams, WrittenSection } from "../sdp/write.ts";
import type {
  OpenTransport,
  Transport,
  TransportEvents,
  TransportState,
} from "../sfu/transport.ts";
import type { TurnPort } from "./turn-port.ts";

export interface NdcOptions {
  /** UDP port shared by all connections. */
  readonly port: number;
  /** Address to bind; undefined: all addresses. */
  readonly bind?: string | undefined;
  /** Address to announce instead of the machine's own. */
  readonly announce?: string | undefined;
  /** Announced beside the node's own port. */
  readonly turnPort?: Pick<TurnPort, "port" | "admit" | "forget"> | undefined;
}

/** ms to wait for local candidates. They are addresses of this machine, so no STUN server is involved. */
const GATHER_MS = 100;
/** By how much the priority of a candidate of the TURN port is lower: a way through the node's own port comes first. */
const LOWER = 2 ** 25;
const STATES: readonly string[] = ["connected", "disconnected", "failed", "closed"];

const unavailable = (reason: string): AppError =>
  new AppError("conference.media-unavailable", { details: { reason } });

export function createNdcTransports(options: NdcOptions): OpenTransport {
  return (name, events) => createTransport(name, events, options);
}

/** One PeerConnection of the library. It is used for one negotiation only: the library cannot restart ICE. */
function createPeer(name: string, events: TransportEvents, options: NdcOptions) {
  const pc: PeerConnection = new PeerConnection(name, {
    iceServers: [],
    ...(options.bind === undefined ? {} : { bindAddress: options.bind }),
    enableIceUdpMux: true,
    portRangeBegin: options.port,
    portRangeEnd: options.port,
    disableAutoNegotiation: true,
  });
  // The native side keeps no reference to the tracks, so they are kept here.
  const tracks = new Map<string, Track>();
  let closed = false;
  let described = false;
  let ufrag: string | null = null;
  let state = "new";
  const found: string[] = [];
  let gathered: (() => void) | null = null;
  const whenGathered = new Promise<void>((resolve) => {
    gathered = resolve;
  });

  const keepTrack = (track: Track): void => {
    const mid = track.mid();
    tracks.set(mid, track);
    track.onMessage((packet) => {
      if (!closed) events.packet(mid, packet);
    });
  };
  pc.onTrack(keepTrack);
  pc.onLocalCandidate((candidate) => {
    const announced = announce(candidate.replace(/^a=/, ""), options.announce);
    if (announced === null || found.includes(announced)) return;
    found.push(announced);
    if (described && !closed) events.candidates(withTurnPort([announced], options));
  });
  pc.onGatheringStateChange((gathering) => {
    if (gathering === "complete") gathered?.();
  });
  pc.onStateChange((next) => {
    if (closed || next === state) return;
    state = next;
    if (STATES.includes(next)) events.state(next as TransportState);
  });

  return {
    pc,
    send(sections: readonly WrittenSection[]): void {
      for (const section of sections) keepTrack(pc.addTrack(media(section)));
    },
    track: (mid: string): Track | undefined => tracks.get(mid),
    /** @throws AppError conference.media-unavailable without a local description */
    async own(): Promise<TransportParams> {
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        whenGathered,
        new Promise((resolve) => {
          timer = setTimeout(resolve, GATHER_MS);
        }),
      ]);
      clearTimeout(timer);
      const sdp = parseSdp(closed ? "" : (pc.localDescription()?.sdp ?? ""));
      const ice = typeof sdp === "string" ? null : (sdp.sections[0]?.ice ?? null);
      if (closed || ice === null) throw unavailable("no local description");
      described = true;
      ufrag = ice.ufrag;
      options.turnPort?.admit(ice.ufrag, ice.pwd);
      // A machine without a network can still connect to itself.
      const candidates =
        found.length > 0
          ? [...found]
          : [`candidate:1 1 UDP 2130706431 127.0.0.1 ${options.port} typ host`];
      return { ...ice, candidates: withTurnPort(candidates, options) };
    },
    close(): void {
      if (closed) return;
      closed = true;
      tracks.clear();
      if (ufrag !== null) options.turnPort?.forget(ufrag);
      pc.close();
    },
  };
}

function createTransport(name: string, events: TransportEvents, options: NdcOptions): Transport {
  let peer = createPeer(name, events, options);
  let used = false;
  let closed = false;

  return {
    async accept(offer, sending = []) {
      if (closed) throw unavailable("the connection is closed");
      if (used) {
        // An ICE restart. The new PeerConnection has another certificate, so the browser makes a new DTLS handshake.
        peer.close();
        peer = createPeer(name, events, options);
      }
      used = true;
      const { pc } = peer;
      // Tracks that are there before the offer keep the node's SSRCs in the answer.
      peer.send(sending);
      pc.setRemoteDescription(offer, "offer");
      pc.setLocalDescription("answer");
      return peer.own();
    },
    addCandidate(candidate, mid) {
      if (closed) return;
      try {
        peer.pc.addRemoteCandidate(candidate, mid);
      } catch {
        // The address family is missing here, or there are too many candidates: the others remain.
      }
    },
    send(mid, packet) {
      const track = peer.track(mid);
      if (closed || track === undefined) return false;
      try {
        return track.sendMessageBinary(packet);
      } catch {
        // The track is not open yet, or already closed.
        return false;
      }
    },
    close() {
      if (closed) return;
      closed = true;
      peer.close();
    },
  };
}

function media(section: WrittenSection): Audio | Video {
  const { payloadType, source } = section;
  const fmtp = section.fmtp === "" ? undefined : section.fmtp;
  let made: Audio | Video;
  if (section.kind === "audio") {
    const audio = new Audio(section.mid, "SendOnly");
    audio.addOpusCodec(payloadType, fmtp);
    made = audio;
  } else {
    const video = new Video(section.mid, "SendOnly");
    if (section.codec === "H264") video.addH264Codec(payloadType, fmtp);
    else video.addVP8Codec(payloadType);
    made = video;
  }
  if (source !== undefined) {
    made.addSSRC(source.ssrc, source.cname, source.stream, `${source.stream}-${section.mid}`);
  }
  return made;
}

/** @returns the candidate with the announced address; null when its address family differs from the announced one */
function announce(candidate: string, address: string | undefined): string | null {
  const parts = candidate.split(" ");
  if (address === undefined) return candidate;
  // The announced address replaces all of the machine's addresses, so the candidates become equal.
  if (parts[4]?.includes(":") !== address.includes(":")) return null;
  parts[4] = address;
  parts[0] = "candidate:1";
  return parts.join(" ");
}

/** @returns the candidates, and for each of IPv4 the one of the TURN port */
function withTurnPort(candidates: readonly string[], { turnPort }: NdcOptions): string[] {
  if (turnPort === undefined) return [...candidates];
  const beside = candidates.flatMap((candidate) => {
    const parts = candidate.split(" ");
    if (parts[4]?.includes(":") !== false) return [];
    parts[3] = String(Number(parts[3]) - LOWER);
    parts[5] = String(turnPort.port);
    return [parts.join(" ")];
  });
  return [...candidates, ...beside];
}
