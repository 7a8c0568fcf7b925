/** The one face of an engine that carries media. The host knows no more of native or agora than this. */
import type { AppError } from "../../shared/errors.ts";
import type { MediaEvent } from "../../shared/protocol/media-port.ts";
import type { StreamSample } from "../../shared/protocol/qoe.ts";
import type { Candidate } from "../../shared/protocol/signalling.ts";

export type Kind = "audio" | "video";
export type IceState = Extract<MediaEvent, { t: "ice" }>["state"];

export interface LocalTracks {
  readonly audio: MediaStreamTrack | null;
  readonly video: MediaStreamTrack | null;
}

export interface EngineEvents {
  description(rtcId: string, type: "offer" | "answer", sdp: string, iceRestart: boolean): void;
  candidates(rtcId: string, cands: Candidate[]): void;
  ice(rtcId: string, state: IceState): void;
  /** @param at ms since the epoch */
  firstMedia(rtcId: string, kind: Kind, at: number): void;
  failed(error: AppError, rtcId?: string): void;
  remoteTrack(rtcId: string, track: MediaStreamTrack): void;
  /** The remote side took this track back, or the connection is closed (no kind). */
  remoteGone(rtcId: string, kind?: Kind): void;
}

/** Every method may be called in any state; none throws, trouble goes to `failed`. */
export interface Engine {
  offer(rtcId: string, iceRestart: boolean): void;
  description(rtcId: string, type: "offer" | "answer", sdp: string): void;
  candidates(rtcId: string, cands: readonly Candidate[]): void;
  closeConnection(rtcId: string): void;
  /** What is sent from now on; null sends nothing. */
  setTracks(tracks: LocalTracks): void;
  /** ICE servers for new connections and for the next ICE restart of those that are (credentials run out). */
  configure(config: RTCConfiguration): void;
  /** One reduced sample a direction, kind and connection. */
  sample(): Promise<StreamSample[]>;
  rtcIds(): string[];
  /** Tells the state and first media of every connection again, to a core that is new. */
  replay(): void;
  /** Idempotent. */
  close(): Promise<void>;
}
