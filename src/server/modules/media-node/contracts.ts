/**
 * The media node as the conferences see it: it accepts a publisher's offer and offers that stream to subscribers. It knows
 * neither members nor roles. There is one connection per stream, named by an id that is unique across all conferences. SDP and
 * candidates are text. Every method rejects with AppError; a node that is down rejects with conference.media-unavailable.
 */
import type { Candidate } from "../../../shared/protocol/signalling.ts";
import type { Layer, VideoCodec } from "../../../shared/protocol/confr-model.ts";

/** Kinds of a publisher's packets that the node receives but forwards to no subscriber. */
export interface Held {
  readonly video: boolean;
  readonly audio: boolean;
}
export const NOT_HELD: Held = { video: false, audio: false };

export interface PublishRequest {
  readonly id: string;
  readonly conferenceId: string;
  /** At most one audio section and at most two of video, the high layer before the low one, in any other order. */
  readonly offer: string;
  /** In order of preference, best first; the node uses the first codec that the offer contains. */
  readonly vcodes: readonly VideoCodec[];
  /** Upper bound for the high layer, bits per second. */
  readonly maxVideoBitrate?: number;
  /** What is held from the first packet on. Nothing when absent. */
  readonly held?: Held;
}
export interface Published {
  readonly answer: string;
  readonly hasAudio: boolean;
  readonly hasVideo: boolean;
  readonly vcodec: VideoCodec | null;
  /** ["high"] or ["low", "high"]; [] without video. */
  readonly layers: readonly Layer[];
}
export interface SubscribeRequest {
  readonly id: string;
  readonly conferenceId: string;
  /** Id of the publisher's connection. */
  readonly publisher: string;
  /** The subscriber's offer, with its sections in any order. */
  readonly offer: string;
  readonly video: boolean;
  readonly audio: boolean;
  readonly layer: Layer;
}

export interface Description {
  readonly type: "offer" | "answer";
  readonly sdp: string;
}

export type NodeEvent =
  | { readonly t: "candidates"; readonly id: string; readonly cands: readonly Candidate[] }
  /** State of ICE and DTLS of one connection. */
  | {
      readonly t: "state";
      readonly id: string;
      readonly state: "connected" | "disconnected" | "failed" | "closed";
    }
  /** The layer that a subscriber now receives. */
  | { readonly t: "layer"; readonly id: string; readonly layer: Layer }
  /** The node lost all its connections. `up` follows when it can be used again. */
  | { readonly t: "down" }
  | { readonly t: "up" };

export interface NodeStats {
  readonly publishers: number;
  readonly subscribers: number;
  /** Subscriptions that are connected. */
  readonly forwarded: number;
  readonly packetsIn: number;
  readonly packetsOut: number;
  /** Packets that were retransmitted on request. */
  readonly resent: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

export interface MediaNode {
  readonly name: string;
  /** `cloud` carries group calls alone (cloud.ts); the others carry everything else. */
  readonly kind: "embedded" | "janus" | "cloud";
  /** Whether the node can be used now. */
  readonly up: boolean;
  /** Current connections divided by the capacity. May exceed 1. Used to choose a node for a conference. */
  readonly load: number;
  /** Starts what the first publish would otherwise wait for. Call it when a conference is created. */
  warm?(): Promise<void>;
  publish(request: PublishRequest): Promise<Published>;
  /**
   * @returns the answer to the subscriber's offer; or an offer of the node, which cannot send by the payload types in it. Pass the
   *   subscriber's answer to that to `answer`.
   */
  subscribe(request: SubscribeRequest): Promise<Description>;
  answer(id: string, sdp: string): Promise<void>;
  candidates(id: string, cands: readonly Candidate[]): void;
  /** Changes what a subscriber receives, without a new offer. */
  select(id: string, wanted: { video: boolean; audio: boolean; layer: Layer }): void;
  /** Sets which kinds of a publisher's packets are forwarded to no subscriber, whatever it sends and subscribers want. */
  hold(id: string, held: Held): void;
  /**
   * ICE restart with a new offer of the same sections. The client's certificate must be the same as before.
   *
   * @returns as `subscribe`
   */
  restart(id: string, offer: string): Promise<Description>;
  /** Closing a publisher also closes its subscribers, with a `state` event "closed" for each. Idempotent. */
  closeConnection(id: string): void;
  closeConference(conferenceId: string): void;
  stats(): Promise<NodeStats>;
  /** @returns a function that removes the handler */
  onEvent(handler: (event: NodeEvent) => void): () => void;
  /** Idempotent. */
  close(): Promise<void>;
}

/** In-process impairment of what the node sends and receives, for tests and benchmarks without netem. */
export interface Impairment {
  /** Share of packets lost in each direction, 0..1. */
  readonly loss: number;
  /** Delay in each direction, ms. */
  readonly delay: number;
  /** Whether every packet is dropped. */
  readonly cut: boolean;
}
