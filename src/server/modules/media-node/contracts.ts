/**
 * What a media node is to the conferences: something that takes a publisher's offer, and offers that stream to others. It knows
 * no member and no role. One connection a stream, named by an id that is unique over all conferences. SDP and candidates are
 * text. Every method rejects with AppError; a node that is down rejects with conference.media-unavailable.
 */
import type { Candidate } from "../../../shared/protocol/signalling.ts";
import type { Layer, VideoCodec } from "../../../shared/protocol/confr-signalling.ts";

/** Kinds of a publisher's packets that the node takes and passes on to nobody. */
export interface Held {
  readonly video: boolean;
  readonly audio: boolean;
}
export const NOT_HELD: Held = { video: false, audio: false };

export interface PublishRequest {
  readonly id: string;
  readonly confrId: string;
  /** At most one audio section, then at most two of video: high, low. */
  readonly offer: string;
  /** Preference, best first; the node takes the first that the offer has. */
  readonly vcodes: readonly VideoCodec[];
  /** Of the streams that it takes: bits a second of the high layer. */
  readonly maxVideoBitrate?: number;
  /** From the first packet on; left out: nothing. */
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
  readonly confrId: string;
  /** id of the publisher's connection. */
  readonly publisher: string;
  readonly video: boolean;
  readonly audio: boolean;
  readonly layer: Layer;
}

export type NodeEvent =
  | { readonly t: "candidates"; readonly id: string; readonly cands: readonly Candidate[] }
  /** ICE and DTLS of one connection. */
  | {
      readonly t: "state";
      readonly id: string;
      readonly state: "connected" | "disconnected" | "failed" | "closed";
    }
  /** The layer that a subscriber now gets, chosen by what it can take. */
  | { readonly t: "layer"; readonly id: string; readonly layer: Layer }
  /** The node lost everything it had. `up` follows when it can be used again. */
  | { readonly t: "down" }
  | { readonly t: "up" };

export interface NodeStats {
  readonly publishers: number;
  readonly subscribers: number;
  /** Streams forwarded to somebody now: subscriptions that are connected. */
  readonly forwarded: number;
  readonly packetsIn: number;
  readonly packetsOut: number;
  /** Retransmitted on request. */
  readonly resent: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

export interface MediaNode {
  readonly name: string;
  readonly kind: "embedded" | "janus";
  /** Can be used now. */
  readonly up: boolean;
  /** For placing conferences: connections now, over what it can take (0..1 and beyond). */
  readonly load: number;
  /** Brings up what the first publish would have to wait for; worth calling when a conference is made. */
  warm?(): Promise<void>;
  publish(request: PublishRequest): Promise<Published>;
  /** @returns the node's offer; answered by `answer` */
  subscribe(request: SubscribeRequest): Promise<{ offer: string }>;
  answer(id: string, sdp: string): Promise<void>;
  candidates(id: string, cands: readonly Candidate[]): void;
  /** What a subscriber is sent from now on, without a new offer. */
  select(id: string, wanted: { video: boolean; audio: boolean; layer: Layer }): void;
  /** What of a publisher is passed on to nobody from now on, whatever it sends and whatever subscribers want. */
  hold(id: string, held: Held): void;
  /** ICE restart: a publisher's new offer gives an answer, a subscriber gets a new offer. null: this node cannot, build it anew. */
  restart(id: string, offer?: string): Promise<{ sdp: string } | null>;
  /** Idempotent. A publisher's end closes its subscribers, each told by state closed. */
  closeConnection(id: string): void;
  closeConference(confrId: string): void;
  stats(): Promise<NodeStats>;
  /** @returns stops listening */
  onEvent(handler: (event: NodeEvent) => void): () => void;
  /** Idempotent. */
  close(): Promise<void>;
}

/** In-process impairment of what the node sends and takes, for tests and benchmarks where there is no netem. */
export interface Impairment {
  /** 0..1 of the packets, each way. */
  readonly loss: number;
  /** ms, each way. */
  readonly delay: number;
  /** Nothing passes. */
  readonly cut: boolean;
}
