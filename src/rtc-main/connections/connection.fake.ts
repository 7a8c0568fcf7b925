/** A fake of RTCPeerConnection. The test finds candidates, delivers tracks and changes the states. */
import type { Kind } from "../engine.ts";
import { FakeTrack } from "../media/devices.fake.ts";
import { hasMedia } from "./first-media.ts";

interface FakeTransceiver {
  mid: string | null;
  direction: string;
  currentDirection: string | null;
  encodings: RTCRtpEncodingParameters[];
  codecs: RTCRtpCodec[];
  readonly sender: {
    track: unknown;
    parameters: Record<string, unknown>;
    replaceTrack(track: unknown): Promise<void>;
    getStats(): Promise<Map<string, unknown>>;
    getParameters(): Record<string, unknown>;
    setParameters(parameters: Record<string, unknown>): Promise<void>;
  };
  readonly receiver: {
    track: FakeTrack;
    /** Level that the packets of the received sound name, 0..1; null: none. */
    level: number | null;
    getStats(): Promise<Map<string, unknown>>;
    getSynchronizationSources(): { audioLevel?: number }[];
  };
  setCodecPreferences(codecs: RTCRtpCodec[]): void;
  stop(): void;
}

/** Follows the states of a real connection as far as the code under test reads them. */
export class FakeConnection extends EventTarget {
  config: RTCConfiguration;
  signalingState = "stable";
  iceConnectionState = "new";
  connectionState = "new";
  localDescription: { type: string; sdp: string } | null = null;
  remoteDescription: { type: string; sdp: string } | null = null;
  readonly added: RTCIceCandidateInit[] = [];
  readonly transceivers: FakeTransceiver[] = [];
  readonly log: string[] = [];
  stats = new Map<string, unknown>();
  closed = false;
  #offers = 0;

  constructor(config: RTCConfiguration) {
    super();
    this.config = config;
  }
  #transceiver(kind: Kind, track: unknown, mid: string | null): FakeTransceiver {
    const made: FakeTransceiver = {
      mid,
      direction: "recvonly",
      currentDirection: null,
      encodings: [],
      codecs: [],
      sender: {
        track,
        parameters: {},
        replaceTrack(next) {
          made.sender.track = next;
          return Promise.resolve();
        },
        getStats: () => Promise.resolve(this.stats),
        getParameters: () => ({ encodings: [{ active: true }], ...made.sender.parameters }),
        setParameters(parameters) {
          made.sender.parameters = parameters;
          return Promise.resolve();
        },
      },
      receiver: {
        track: new FakeTrack(kind),
        level: null,
        getStats: () => Promise.resolve(this.stats),
        getSynchronizationSources: () =>
          !hasMedia(this.stats, kind)
            ? []
            : [made.receiver.level === null ? {} : { audioLevel: made.receiver.level }],
      },
      setCodecPreferences(codecs) {
        made.codecs = codecs;
      },
      stop: () => {
        this.transceivers.splice(this.transceivers.indexOf(made), 1);
      },
    };
    this.transceivers.push(made);
    return made;
  }
  getReceivers(): FakeTransceiver["receiver"][] {
    return this.transceivers.map(({ receiver }) => receiver);
  }
  addTransceiver(
    what: FakeTrack | Kind,
    init: { direction: string; sendEncodings?: RTCRtpEncodingParameters[] },
  ): FakeTransceiver {
    const kind = typeof what === "string" ? what : what.kind;
    const made = this.#transceiver(kind, typeof what === "string" ? null : what, null);
    made.direction = init.direction;
    made.encodings = init.sendEncodings ?? [];
    return made;
  }
  getTransceivers(): FakeTransceiver[] {
    return [...this.transceivers];
  }
  createOffer(options: { iceRestart?: boolean } = {}): Promise<{ type: string; sdp: string }> {
    this.#offers += 1;
    const lines = this.transceivers.map((t) => `m=${t.receiver.track.kind} 9`).join("\r\n");
    const sdp = `offer ${this.#offers}${options.iceRestart ? " restart" : ""}\r\n${lines}\r\n`;
    return Promise.resolve({ type: "offer", sdp });
  }
  createAnswer(): Promise<{ type: string; sdp: string }> {
    return Promise.resolve({ type: "answer", sdp: "answer\r\n" });
  }
  setLocalDescription(description = { type: "offer", sdp: "offer" }): Promise<void> {
    this.log.push(`local ${description.type}`);
    this.localDescription = description;
    this.signalingState = description.type === "offer" ? "have-local-offer" : "stable";
    // A browser may find candidates before the description has been sent.
    this.find(`of ${description.type}`);
    return Promise.resolve();
  }
  setRemoteDescription(description: { type: string; sdp: string }): Promise<void> {
    this.log.push(`remote ${description.type}`);
    if (description.sdp === "bad") return Promise.reject(new Error("bad sdp"));
    this.remoteDescription = description;
    this.signalingState = description.type === "offer" ? "have-remote-offer" : "stable";
    const kinds = [...description.sdp.matchAll(/^m=(audio|video)/gm)].map((m) => m[1] as Kind);
    if (description.type === "answer") {
      for (const [index, each] of this.transceivers.entries()) each.mid = String(index);
    } else {
      for (const [index, kind] of kinds.entries()) {
        if (this.transceivers.some((t) => t.mid === String(index))) continue;
        this.#transceiver(kind, null, String(index));
      }
    }
    return Promise.resolve();
  }
  addIceCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    if (this.remoteDescription === null) return Promise.reject(new Error("no description"));
    if (candidate.candidate === "bad") return Promise.reject(new Error("bad candidate"));
    this.added.push(candidate);
    return Promise.resolve();
  }
  getStats(): Promise<Map<string, unknown>> {
    return Promise.resolve(this.stats);
  }
  createDataChannel(): void {
    // Nothing is sent over it.
  }
  setConfiguration(config: RTCConfiguration): void {
    this.config = config;
  }
  close(): void {
    this.closed = true;
  }
  find(candidate: string | null): void {
    const event = new Event("icecandidate");
    const found = candidate === null ? null : { candidate, sdpMid: "0", sdpMLineIndex: 0 };
    this.dispatchEvent(Object.assign(event, { candidate: found }));
  }
  receive(transceiver: FakeTransceiver): void {
    const { receiver } = transceiver;
    const event = Object.assign(new Event("track"), { receiver, transceiver });
    this.dispatchEvent(Object.assign(event, { track: receiver.track }));
  }
  ice(state: string): void {
    this.iceConnectionState = state;
    this.dispatchEvent(new Event("iceconnectionstatechange"));
  }
}
