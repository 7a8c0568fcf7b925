/**
 * The code of the test page: peers that publish fake devices and peers that watch. It is serialised into the page, so it uses
 * nothing from outside.
 */

export interface WatchFigures {
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  readonly freezes: number;
  readonly freezeSeconds: number;
  readonly packets: number;
  readonly lost: number;
  readonly nacks: number;
  readonly audioLevel: number;
  readonly audioEnergy: number;
  readonly audioPackets: number;
  /** Time of the first frame shown, ms since the epoch; 0: none yet. */
  readonly firstFrameAt: number;
  readonly connection: string;
}
export interface PublishFigures {
  readonly sent: readonly {
    mid: string;
    /** Bits sent so far: a total, not a rate. */
    bitrate: number;
    target: number;
    width: number;
    /** What limits the quality: none, cpu or bandwidth. */
    limited: string;
  }[];
  readonly available: number;
}
export interface PageCandidate {
  readonly candidate: string;
  readonly sdpMid: string | null;
  readonly sdpMLineIndex: number | null;
}
export interface PeerPage {
  publish(
    id: string,
    options: {
      simulcast: boolean;
      codec: string;
      bitrate: number;
      audio: boolean;
      /** Whether the picture needs all of the bitrate; the fake camera's needs about 200 kbit/s. */
      noise: boolean;
    },
  ): Promise<string>;
  accept(id: string, answer: string): Promise<void>;
  /** @returns the offer of a peer that receives */
  watch(id: string, videoFirst: boolean): Promise<string>;
  /** @returns an offer that restarts ICE */
  restart(id: string): Promise<string>;
  /** @returns the answer to an offer that the node made in place of an answer */
  counter(id: string, other: string): Promise<string>;
  candidate(id: string, candidate: PageCandidate): Promise<void>;
  watched(id: string): Promise<WatchFigures>;
  published(id: string): Promise<PublishFigures>;
  /** Number of sound packets sent. */
  soundSent(id: string): Promise<number>;
  close(id: string): void;
}
declare global {
  var peerPage: PeerPage;
  var toNode: (id: string, candidate: PageCandidate) => Promise<void>;
}

export function installPeerPage(): void {
  const peers = new Map<string, RTCPeerConnection>();
  const first = new Map<string, number>();
  const elements = new Map<string, HTMLVideoElement>();
  let media: Promise<MediaStream> | null = null;

  const make = (id: string): RTCPeerConnection => {
    const pc = new RTCPeerConnection();
    peers.set(id, pc);
    pc.onicecandidate = ({ candidate }) => {
      if (candidate === null) return;
      const { sdpMid, sdpMLineIndex } = candidate;
      void globalThis.toNode(id, { candidate: candidate.candidate, sdpMid, sdpMLineIndex });
    };
    return pc;
  };
  const get = (id: string): RTCPeerConnection => {
    const pc = peers.get(id);
    if (pc === undefined) throw new Error(`no peer ${id}`);
    return pc;
  };

  const offer = async (pc: RTCPeerConnection, iceRestart: boolean): Promise<string> => {
    const { sdp = "" } = await pc.createOffer({ iceRestart });
    // Ask for round-trip reports as the library does (rtc-main/conference/round-trip.ts).
    const receives = pc.getTransceivers().every(({ direction }) => direction === "recvonly");
    const asking = receives
      ? sdp.replace(/^(a=rtcp-fb:(\d+) )nack\r\n/gm, "$1nack\r\n$1rrtr\r\n")
      : sdp;
    await pc.setLocalDescription({ type: "offer", sdp: asking });
    return pc.localDescription?.sdp ?? "";
  };

  const noise = (): MediaStream => {
    const canvas = document.createElement("canvas");
    canvas.width = 640;
    canvas.height = 360;
    const context = canvas.getContext("2d");
    const square = 24;
    setInterval(() => {
      if (context === null) return;
      for (let i = 0; i < 30; i += 1) {
        context.fillStyle = `hsl(${Math.random() * 360} 80% ${20 + Math.random() * 60}%)`;
        context.fillRect(Math.random() * 640, Math.random() * 360, square, square);
      }
    }, 33);
    return canvas.captureStream(30);
  };

  globalThis.peerPage = {
    async publish(id, options) {
      media ??= navigator.mediaDevices.getUserMedia({
        audio: true,
        video: { width: 640, height: 360, frameRate: 30 },
      });
      const stream = await media;
      const pc = make(id);
      const [audio] = stream.getAudioTracks();
      const [video] = options.noise ? noise().getVideoTracks() : stream.getVideoTracks();
      if (audio === undefined || video === undefined) throw new Error("no devices");
      if (options.audio) pc.addTransceiver(audio, { direction: "sendonly", streams: [stream] });
      const add = (track: MediaStreamTrack, maxBitrate: number, scale: number): void => {
        const t = pc.addTransceiver(track, {
          direction: "sendonly",
          streams: [stream],
          sendEncodings: [{ maxBitrate, scaleResolutionDownBy: scale }],
        });
        const all = RTCRtpReceiver.getCapabilities("video")?.codecs ?? [];
        const wanted = all.filter((c) => c.mimeType === `video/${options.codec}`);
        t.setCodecPreferences([...wanted, ...all.filter((c) => !wanted.includes(c))]);
      };
      add(video, options.bitrate, 1);
      if (options.simulcast) add(video.clone(), 120_000, 4);
      await pc.setLocalDescription();
      return pc.localDescription?.sdp ?? "";
    },

    async accept(id, answer) {
      await get(id).setRemoteDescription({ type: "answer", sdp: answer });
    },

    async watch(id, videoFirst) {
      const pc = make(id);
      const element = document.createElement("video");
      element.muted = false;
      element.autoplay = true;
      element.playsInline = true;
      element.width = 64;
      document.body.append(element);
      elements.set(id, element);
      element.requestVideoFrameCallback(() => first.set(id, Date.now()));
      pc.ontrack = ({ streams }) => {
        if (element.srcObject === null) element.srcObject = streams[0] ?? null;
      };
      for (const kind of videoFirst ? ["video", "audio"] : ["audio", "video"]) {
        pc.addTransceiver(kind, { direction: "recvonly" });
      }
      return offer(pc, false);
    },

    restart: (id) => offer(get(id), true),

    async counter(id, other) {
      const pc = get(id);
      await pc.setRemoteDescription({ type: "offer", sdp: other });
      await pc.setLocalDescription();
      return pc.localDescription?.sdp ?? "";
    },

    async candidate(id, candidate) {
      await peers.get(id)?.addIceCandidate(candidate);
    },

    async watched(id) {
      const pc = get(id);
      const report = await pc.getStats();
      let video: Record<string, number> = {};
      let audio: Record<string, number> = {};
      report.forEach((entry: Record<string, unknown>) => {
        if (entry["type"] !== "inbound-rtp") return;
        if (entry["kind"] === "video") video = entry as Record<string, number>;
        else audio = entry as Record<string, number>;
      });
      return {
        frames: video["framesDecoded"] ?? 0,
        width: video["frameWidth"] ?? 0,
        height: video["frameHeight"] ?? 0,
        freezes: video["freezeCount"] ?? 0,
        freezeSeconds: video["totalFreezesDuration"] ?? 0,
        packets: video["packetsReceived"] ?? 0,
        lost: video["packetsLost"] ?? 0,
        nacks: video["nackCount"] ?? 0,
        audioLevel: audio["audioLevel"] ?? 0,
        audioEnergy: audio["totalAudioEnergy"] ?? 0,
        audioPackets: audio["packetsReceived"] ?? 0,
        firstFrameAt: first.get(id) ?? 0,
        connection: pc.connectionState,
      };
    },

    async published(id) {
      const report = await get(id).getStats();
      const sent: PublishFigures["sent"][number][] = [];
      let available = 0;
      report.forEach((entry: Record<string, unknown>) => {
        if (entry["type"] === "candidate-pair" && entry["nominated"] === true) {
          available = Number(entry["availableOutgoingBitrate"] ?? 0);
        }
        if (entry["type"] !== "outbound-rtp" || entry["kind"] !== "video") return;
        sent.push({
          mid: String(entry["mid"]),
          bitrate: Number(entry["bytesSent"]) * 8,
          target: Number(entry["targetBitrate"] ?? 0),
          width: Number(entry["frameWidth"] ?? 0),
          limited: String(entry["qualityLimitationReason"] ?? ""),
        });
      });
      return { sent, available };
    },

    async soundSent(id) {
      let packets = 0;
      (await get(id).getStats()).forEach((entry: Record<string, unknown>) => {
        if (entry["type"] === "outbound-rtp" && entry["kind"] === "audio") {
          packets = Number(entry["packetsSent"]);
        }
      });
      return packets;
    },

    close(id) {
      peers.get(id)?.close();
      peers.delete(id);
      elements.get(id)?.remove();
      elements.delete(id);
    },
  };
}
