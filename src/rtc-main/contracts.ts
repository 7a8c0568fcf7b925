/** What the console sees of the media half: one host a tab, driven by the core over the media port. */
import type { Claim } from "../shared/protocol/tab-port.ts";

export interface MediaHostState {
  /** This tab carries the media. */
  readonly owning: boolean;
  readonly callId: string | null;
  /** Sound waits for a gesture: show one button that calls resumePlayback. */
  readonly autoplayBlocked: boolean;
  readonly localVideo: boolean;
  readonly remoteVideo: boolean;
}

export interface DeviceEntry {
  readonly deviceId: string;
  /** "" until the person has allowed devices. */
  readonly label: string;
  /** In use now. */
  readonly current: boolean;
}

/** What the console's conference page asks of this tab. */
export interface ConferenceMedia {
  /**
   * Shows a stream of the conference; `self` is the own camera, `screen` the own screen. Returns what takes it out again. How
   * large the element is, and whether it is seen, decides which layer is asked for.
   */
  bindStream(id: string, element: HTMLVideoElement): () => void;
  /** Within a click: asks for a screen and keeps it until published or stopped. @returns false when the person declined */
  captureScreen(options: { readonly audio: boolean }): Promise<boolean>;
  stopScreen(): void;
  mediaDevices(kind: "audioinput" | "videoinput" | "audiooutput"): Promise<DeviceEntry[]>;
  /**
   * Rejects with AppError media.* and keeps the former device. What is chosen while this tab carries nothing, or while the camera
   * is off, is what is opened next.
   */
  changeDevice(kind: "audioinput" | "videoinput" | "audiooutput", deviceId: string): Promise<void>;
  /** Of a phone: the camera on the other side. Rejects as changeDevice. */
  changeCameraTo(facing: "user" | "environment"): Promise<void>;
  /** Of the own microphone, 0..1, looked at every 400 ms; 0 when this tab carries no conference. */
  localLevel(): number;
}

export interface PrecallCheck {
  readonly id: string;
  readonly result: "ok" | "warn" | "fail";
  readonly name: { readonly zh: string; readonly en: string };
  readonly text: { readonly zh: string; readonly en: string };
}

/** At least eight checks, told one by one. Rejects only when `signal` ends it. */
export type RunPrecallChecks = (options: {
  readonly signal: AbortSignal;
  readonly onCheck: (check: PrecallCheck) => void;
  /** Those of a ticket, when there is one: then relay and address service are tried as well. */
  readonly iceServers?: readonly RTCIceServer[];
}) => Promise<readonly PrecallCheck[]>;

export interface MediaHost extends ConferenceMedia {
  /** Before a call or a conference begins. @throws AppError media.no-connections where the browser has no RTCPeerConnection */
  requireConnections(): void;
  /** Called at every (re)connect to a core with the new media port; the media itself goes on. */
  connect(port: MessagePort): void;
  /** What this tab carries now, for the hello. */
  claim(): Claim | null;
  /** Shows the local or remote video in the element; returns what takes it out again. Sound plays without any element. */
  bindVideo(which: "local" | "remote", element: HTMLVideoElement): () => void;
  getState(): MediaHostState;
  subscribe(handler: () => void): () => void;
  /** From a click: plays what autoplay refused. */
  resumePlayback(): Promise<void>;
  dispose(): void;
}
