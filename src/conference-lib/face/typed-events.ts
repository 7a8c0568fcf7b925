/**
 * Events with a code, for programs (docs/conferences.md#typed-events). The codes are those of the platform's specification where it has
 * one. `message` is the specification's text or a short English one; show people a text of your own.
 */
import type { DeviceCause } from "../../shared/domain/device-states.ts";

/** Null per kind that does not flow. */
export interface LocalTracks {
  readonly audio: MediaStreamTrack | null;
  readonly video: MediaStreamTrack | null;
}

interface Typed<Code extends string, Details extends object = Readonly<Record<string, never>>> {
  readonly code: Code;
  readonly message: string;
  readonly details: Details;
}

/** The connection to the server. */
export type ConnectionEvent =
  | Typed<"connecting">
  | Typed<"connected">
  /** The socket is lost; members and streams stay, and the core tries again. */
  | Typed<"WSClose">
  | Typed<"reconnecting">
  | Typed<"reconnected">
  /** This machine has another address: connections of streams are built again. */
  | Typed<"NetworkChanaged">
  | Typed<"closed", { readonly reason: number; readonly failed: boolean }>;

/** The conference could not be entered, or the server has put the person out. The method rejects as well. */
export type EnterEvent = Typed<
  /** A result of the server, or none: no answer. */
  "ServerRefuseEnter" | "EnterFail",
  { readonly result: number | null; readonly reason: number }
>;

interface OfStream {
  readonly streamId: string;
}
/** The connection of one stream. */
export type StreamEvent =
  | Typed<"PushSuccess" | "SubSuccess", OfStream>
  /** Nothing came for a second. It may come again by itself. */
  | Typed<"NetworkWeak", OfStream>
  /** ICE failed, or a description could not be set. It restarts or is built again by itself. */
  | Typed<"ICEConnectFail", OfStream>
  /** The browser refused a candidate of the server. The others may still connect. */
  | Typed<"AddIceCandError", OfStream>
  /**
   * It was built again as often as allowed; the core tries again every 5 s. With an empty id: `publish` or `shareDesktop` was refused and
   * rejects as well.
   */
  | Typed<"PushFail" | "SubFail", OfStream>
  /** Neither codec of the stream can be received: the subscription is closed. */
  | Typed<"SubFailNotSupportVCodes", OfStream & { readonly endReason: number }>
  | Typed<"SubFailSafariNotAllowSubBeforePub", OfStream>
  /** The member publishes an audio-mixer stream already. */
  | Typed<"AudioMixerStreamRepeatPublish", OfStream>
  /** The sound of a member's audio-mixer stream is in the mix, and cannot be subscribed; the stream has no picture to subscribe instead. */
  | Typed<"AudioMixerStreamNotAllowSub" | "AudioMixerStreamNotAllowOnlySubVideo", OfStream>;

interface OfDevice {
  readonly device: "microphone" | "camera" | "screen";
  readonly cause: DeviceCause;
}
/** An own device, or a track of the page. */
export type DeviceEvent =
  /** `name` is that of the browser's error. */
  | Typed<"OpenMediaError", OfDevice & { readonly name: string }>
  /** It was open and is gone, or a track of the page has ended. */
  | Typed<"DeviceLost", OfDevice>
  /** The system silences the device, which stays open. */
  | Typed<"DeviceSilenced", OfDevice>
  | Typed<"OpenDesktopMediaAccessDenied", OfDevice>
  /** The media moved to another tab, where the page's own tracks cannot follow. */
  | Typed<"OwnTracksLost", { readonly kinds: readonly ("audio" | "video")[] }>;

/** The ticket of the conference, which is also needed to come back after a loss. The core asks for another one when it can. */
export type TicketEvent = Typed<
  "TicketExpiring" | "TicketExpired",
  /** ms since the epoch; null when it has ended. */
  { readonly endsAt: number | null }
>;

/** The live configurations of the conference changed (op 452). What one holds is the server's. */
export type LiveEvent = Typed<"LiveCfgs", { readonly liveCfgs: readonly unknown[] }>;

export interface TypedEvents {
  /** The connection to the server was made, lost or made again, or has ended. */
  onConnectionChanged: (event: ConnectionEvent) => void;
  /** The server refused to let the person in, or did not answer. */
  onEnterFailed: (event: EnterEvent) => void;
  /** The connection of one stream works, weakens, fails, or was refused. */
  onStreamConnection: (event: StreamEvent) => void;
  /** An own device or track does not open, or is gone. */
  onDeviceError: (event: DeviceEvent) => void;
  /** The ticket of the conference ends soon, or has ended. */
  onTicket: (event: TicketEvent) => void;
  /** The live configurations changed. */
  onLiveCfgs: (event: LiveEvent) => void;
}
