/** The media half as the console sees it: one host per tab, controlled by the core over the media port. */
import type { ControlExecutor } from "./control/contracts.ts";
import type { Effects, EffectStates } from "./effects/effects.ts";
import type { LocalTracks } from "./engine.ts";
import type { Preview, PreviewView, PreviewWish } from "./media/preview.ts";
import type { OnSound } from "./sound/hub.ts";
import type { Claim } from "../shared/protocol/tab-port.ts";

export interface MediaHostState {
  /** Whether this tab is the owner of the media. */
  readonly owning: boolean;
  readonly callId: string | null;
  /** Whether sound waits for a user gesture: show one button that calls resumePlayback. */
  readonly autoplayBlocked: boolean;
  readonly localVideo: boolean;
  readonly remoteVideo: boolean;
  /** Whether the person speaks into the muted microphone of a call or conference (docs/calls.md#muted). */
  readonly mutedVoice: boolean;
  /** Whether the system has paused the picture of the screen that is shared from this tab. */
  readonly screenPaused: boolean;
}

export interface DeviceEntry {
  readonly deviceId: string;
  /** "" until the person has granted the permission. */
  readonly label: string;
  /** Whether the device is in use now. */
  readonly current: boolean;
}

/** Counters of a track since its connection began. */
export interface TransmissionCount {
  readonly trackId: string;
  readonly kind: "audio" | "video";
  readonly bytes: number;
  readonly packets: number;
  readonly packetsLost: number;
}

/** What the conference page needs from this tab. */
export interface ConferenceMedia {
  /**
   * Shows a stream of the conference in the element. The id `self` is the own camera, `screen` the own screen. The size and
   * visibility of the element decide which layer is requested.
   *
   * @returns a function that removes the stream from the element
   */
  bindStream(id: string, element: HTMLVideoElement): () => void;
  /** Call in a click handler. Asks for a screen and keeps it until it is stopped. @returns false when the person declined. Rejects with AppError media.* */
  captureScreen(options: { readonly audio: boolean }): Promise<boolean>;
  stopScreen(): void;
  mediaDevices(kind: "audioinput" | "videoinput" | "audiooutput"): Promise<DeviceEntry[]>;
  /**
   * Rejects with AppError media.* and keeps the former device. A choice made while this tab owns no media, or while the camera is
   * off, takes effect when the device opens next.
   */
  changeDevice(kind: "audioinput" | "videoinput" | "audiooutput", deviceId: string): Promise<void>;
  /** Switches to the camera on the given side of a phone. Rejects like changeDevice. */
  changeCameraTo(facing: "user" | "environment"): Promise<void>;
  /** Reads the sound meters of all streams (docs/conferences.md#sound-meter), every 400 ms while this tab carries a conference. */
  onSound(handler: OnSound): () => void;
  /** ms between two readings; 0: nothing is measured. */
  meterMillis(): number;
  /** What a stream's connection has carried: counters per track. Empty while this tab does not carry the stream. */
  transmission(id: string): Promise<TransmissionCount[]>;
  /** Level of the own microphone, 0..1, measured every 400 ms; 0 when this tab carries no conference. */
  localLevel(): number;
  /** This page executes the input of a controller in its shared screen; null: no longer. */
  controlWith(executor: ControlExecutor | null): void;
}

/** What a host page of the library needs besides: tracks, and how they are heard. */
export interface HostTracks {
  /**
   * Gives tracks of the page that a publication with the source `own` sends in place of a device; null gives one back. They are neither
   * stopped nor changed here. Rejects with AppError media.open-failed a track of the other kind, and one that has ended.
   */
  provideTracks(tracks: Partial<LocalTracks>): void;
  /**
   * Opens the microphone or camera again for another sound or picture. Rejects with AppError media.* and changes nothing; so it does while
   * another tab carries the media.
   */
  constrain(kind: "audio" | "video", constraints: MediaTrackConstraints): Promise<void>;
  /**
   * The tracks that this tab sends (`self`, `screen`) or receives of a stream now. Null per kind that does not flow, and while another
   * tab carries the media.
   */
  tracksOf(id: string): LocalTracks;
  /** Calls the handler with the id of a stream whose tracks changed. @returns a function that removes it */
  onTracks(handler: (id: string) => void): () => void;
  /** How loud a stream plays in this tab, 0..1. */
  setVolume(id: string, volume: number): void;
  /** Plays the sound of a stream in an element of the page. @returns a function that gives the element back */
  bindSound(id: string, element: HTMLAudioElement): () => void;
}

export interface PrecallCheck {
  readonly id: string;
  readonly result: "ok" | "warn" | "fail";
  readonly name: { readonly zh: string; readonly en: string };
  readonly text: { readonly zh: string; readonly en: string };
}

/** Runs the checks and passes each result to `onCheck`. Rejects only when `signal` is aborted. */
export type RunPrecallChecks = (options: {
  /** Address of the server, without a slash at its end. Default: the page's origin. */
  readonly server?: string;
  readonly signal: AbortSignal;
  readonly onCheck: (check: PrecallCheck) => void;
  /** ICE servers of a ticket, if there is one: then the checks also try the TURN and STUN servers. */
  readonly iceServers?: readonly RTCIceServer[];
}) => Promise<readonly PrecallCheck[]>;

export interface MediaHost extends ConferenceMedia {
  /** Call before a call or conference. @throws AppError media.no-connections when the browser has no RTCPeerConnection */
  requireConnections(): void;
  /** Call with the new media port at every connection to a core. The media continues. */
  connect(port: MessagePort): void;
  /** The media that this tab owns now, for the hello to the core; null for none. */
  claim(): Claim | null;
  /** Shows the local or remote video in the element. Sound needs no element. @returns a function that removes the video */
  bindVideo(which: "local" | "remote", element: HTMLVideoElement): () => void;
  /**
   * Opens the own devices before a conference is joined and shows what they give. `changeDevice` switches them too. Close it at the end.
   */
  preview(wish: PreviewWish, show: (view: PreviewView) => void): Promise<Preview>;
  /** What changes the own picture and sound. The same object until something changes; handlers of `subscribe` are called then. */
  effects(): EffectStates;
  wantEffects(effects: Effects): void;
  getState(): MediaHostState;
  subscribe(handler: () => void): () => void;
  /** Call in a click handler: plays the sound that autoplay refused. */
  resumePlayback(): Promise<void>;
  dispose(): void;
}
