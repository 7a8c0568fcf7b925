/** The common interface of the engines `native` and `agora`. */
import type { IceState } from "../shared/domain/ice-states.ts";
import type { PictureLevel } from "../shared/domain/picture-levels.ts";
import type { AppError } from "../shared/errors.ts";
import type { StreamSample } from "../shared/protocol/qoe.ts";
import type { Candidate } from "../shared/protocol/signalling.ts";

export type { IceState };
export type Kind = "audio" | "video";

export interface LocalTracks {
  readonly audio: MediaStreamTrack | null;
  readonly video: MediaStreamTrack | null;
}

export interface EngineEvents {
  description(rtcId: string, type: "offer" | "answer", sdp: string, iceRestart: boolean): void;
  candidates(rtcId: string, cands: Candidate[]): void;
  ice(rtcId: string, state: IceState): void;
  /** The path leads nowhere, or somewhere again; `moved`: the machine has other addresses now. */
  path(rtcId: string, event: "silent" | "heard" | "moved"): void;
  /** @param at ms since the epoch */
  firstMedia(rtcId: string, kind: Kind, at: number): void;
  failed(error: AppError, rtcId?: string): void;
  remoteTrack(rtcId: string, track: MediaStreamTrack): void;
  /** The remote side removed its track of this kind; without `kind` the whole connection is closed. */
  remoteGone(rtcId: string, kind?: Kind): void;
  /** The token of the cloud ends soon, or has ended. */
  tokenExpiring(): void;
}

/** Every method may be called in any state. None throws; errors go to `failed`. */
export interface Engine {
  offer(rtcId: string, iceRestart: boolean): void;
  description(rtcId: string, type: "offer" | "answer", sdp: string): void;
  candidates(rtcId: string, cands: readonly Candidate[]): void;
  closeConnection(rtcId: string): void;
  /** Sets the tracks to send; null sends nothing. */
  setTracks(tracks: LocalTracks): void;
  /** What a weak network leaves of the own picture, by each connection; without effect on an engine that sees to it itself. */
  setPicture(level: PictureLevel): void;
  /** Sets the ICE servers for new connections and for the next ICE restart of existing ones (credentials expire). */
  configure(config: RTCConfiguration): void;
  /** Continues with this token of the cloud; without effect on an engine that needs none. */
  renew(token: string): void;
  /** One reduced sample per direction, kind and connection. */
  sample(): Promise<StreamSample[]>;
  rtcIds(): string[];
  /** Emits the state and first media of every connection again, for a new core. */
  replay(): void;
  /** Idempotent. */
  close(): Promise<void>;
}
