/** The common interface of the call's engine and the conference's engine. */
import type { MediaCommand } from "../../shared/protocol/media-port.ts";
import type { StreamSample } from "../../shared/protocol/qoe.ts";
import type { TransmissionCount } from "../contracts.ts";
import type { LocalTracks } from "../engine.ts";

/** Every method may be called in any state; none throws. */
export interface EngineAdapter {
  command(command: MediaCommand): void;
  setTracks(tracks: LocalTracks): void;
  configure(config: RTCConfiguration): void;
  sample(): Promise<StreamSample[]>;
  rtcIds(): string[];
  /** Whether a picture of another person is shown. */
  readonly remoteVideo: boolean;
  /** Level of the own microphone, 0..1; 0 when it is not measured. */
  readonly ownLevel: number;
  /** Counters of a stream's connection; left out by a call. */
  transmission?(id: string): Promise<TransmissionCount[]>;
  /** Call when stream elements were added or removed, or changed their size. */
  tiles(): void;
  replay(): void;
  /** Idempotent. */
  close(): void;
}
