/** What an ownership carries the media by: the engine of a call of two, or of a conference. */
import type { MediaCommand } from "../../shared/protocol/media-port.ts";
import type { StreamSample } from "../../shared/protocol/qoe.ts";
import type { LocalTracks } from "../engines/engine.ts";

/** Every method may be called in any state; none throws. */
export interface EngineAdapter {
  command(command: MediaCommand): void;
  setTracks(tracks: LocalTracks): void;
  configure(config: RTCConfiguration): void;
  sample(): Promise<StreamSample[]>;
  rtcIds(): string[];
  /** A picture of another person is there. */
  readonly remoteVideo: boolean;
  /** Of the own microphone, 0..1; 0 where it is not looked at. */
  readonly ownLevel: number;
  /** Elements of streams came, went, or changed their size. */
  tiles(): void;
  replay(): void;
  /** Idempotent. */
  close(): void;
}
