/** The types of the library: its dependencies, and the members, streams and events that its users see. Users only read them. */
import type { StreamType } from "../../shared/domain/conference-types.ts";
import type { CommandInput, CommandOutput, Commands } from "../../shared/protocol/core-rpc.ts";
import type { AppError } from "../../shared/errors.ts";
import type { CameraKind } from "../../shared/protocol/confr-camera.ts";
import type { ConferenceRole, VideoCodec } from "../../shared/protocol/confr-model.ts";
import type { ConferenceSlice } from "../../shared/protocol/state.ts";
import type { ConferenceMedia, HostTracks, Recordings } from "../../rtc-main/index.ts";
import type { SendOptions } from "./publishing.ts";
import type { LocalTracks, TypedEvents } from "./typed-events.ts";
import type { ControlFreed } from "./control-parts.ts";
import type { WatchMarks } from "../../core-client/contracts.ts";

export type ConferenceCommands = {
  readonly [M in keyof Commands["conference"]]: (
    input: CommandInput<"conference", M>,
  ) => Promise<CommandOutput<"conference", M>>;
};

/** The person who uses the library. */
export interface Identity {
  /** Chat user name. */
  readonly memName: string;
  /** Access token of the platform. */
  readonly token: string;
  /** JSON text of the host application that the other members receive. */
  readonly ext: string;
}

/** The connection to a core: the console's SharedWorker or the library's own one. */
export interface CoreConnection {
  readonly commands: ConferenceCommands;
  /** The current state of the conference. */
  getState(): ConferenceSlice;
  /** Calls the handler at every change. @returns a function that removes it */
  subscribe(handler: () => void): () => void;
  /** Sends the identity to the core. Absent when the core has its own login. */
  identify?(identity: Identity): Promise<void>;
  /** Opens a port for the marks over streams. Absent when the core has none. */
  readonly watchMarks?: WatchMarks;
  dispose?(): void;
}

export interface ConferenceClientDeps {
  readonly core: CoreConnection;
  readonly media: ConferenceMedia &
    HostTracks & {
      resumePlayback(): Promise<void>;
      getState(): { readonly autoplayBlocked: boolean };
      subscribe(handler: () => void): () => void;
    };
  readonly recordings: Recordings;
  /** ms since the epoch */
  readonly now: () => number;
  readonly getUserMedia: (constraints: MediaStreamConstraints) => Promise<MediaStream>;
  /** Application key `org#app`; '' when it is not configured. */
  readonly appkey: string;
  /** Whether to subscribe to every published stream automatically. Default: false. */
  readonly autoSub?: boolean;
  /** How streams are sent of which `publish` does not say otherwise. */
  readonly sendDefaults?: SendOptions;
  /** Whether others may control the own camera. Default: false. */
  readonly cameraControl?: boolean;
  /** Whether the browser is Safari, which cannot subscribe before it publishes, nor share a desktop after joining with a ticket. */
  readonly safari: boolean;
  readonly after: (ms: number, run: () => void) => { cancel(): void };
  /** Receives messages for developers. */
  readonly warn: (message: string) => void;
}

/** A member of the conference, possibly the own one. */
export interface Member {
  readonly id: string;
  readonly memName: string;
  readonly nickName: string;
  /** admin 7, talker 3, audience 1. */
  readonly role: ConferenceRole;
  readonly ext: string;
  readonly vcodes: readonly VideoCodec[];
  readonly acptOps: readonly number[];
  /** Since when the member records, ms since the epoch; null while it does not. */
  readonly recordingSince: number | null;
}

/** A stream as of the event that carried it; `getStream(id)` returns its current state. */
export interface Stream {
  readonly id: string;
  readonly memId: string;
  readonly owner: Member | null;
  /** 0 camera and microphone, 1 screen, 2 audio mixer. */
  readonly type: StreamType;
  /** 1: the owner sends no picture (`voff`) or no sound (`aoff`) now. */
  readonly voff: 0 | 1;
  readonly aoff: 0 | 1;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  /** Grows each time the stream is published again. */
  readonly sver: number;
  /** The codec of the picture; empty without one. */
  readonly vcodes: readonly VideoCodec[];
  readonly ext: string;
  /** px; null when unknown. */
  readonly resolution: { readonly w: number; readonly h: number } | null;
  /** What is subscribed of the stream; for an own stream, what is sent. */
  readonly subArgs: { readonly subSVideo: boolean; readonly subSAudio: boolean };
  readonly talking: boolean;
  /** What was made of the camera, of an own one by others: its light, whether its picture stands still, its zoom (1: none). */
  readonly torch: boolean;
  readonly freezeFrame: boolean;
  readonly zoom: number;
  /** 2 good, 1 poor, 0 disconnected. */
  readonly quality: 0 | 1 | 2;
  /** Id of the connection that carries it here; null without one. Another one after a rebuild. */
  readonly rtcId: string | null;
  /** Whether it is an own stream. */
  located(): boolean;
}

/** Why a stream is gone: it was unpublished, or its member is out of the conference. */
export type CloseReason = "Unpub" | "UserHangup";

export interface ConfrAttr {
  readonly key: string;
  readonly val: string;
  readonly op: "UPDATE" | "DEL";
}

export interface TextMessage {
  readonly id: string;
  readonly from: string;
  readonly nickName: string;
  /** null: to all. */
  readonly to: string | null;
  readonly text: string;
  /** ms since the epoch */
  readonly at: number;
  readonly mine: boolean;
}

/** The marks over a stream changed. */
export interface Annotated {
  readonly streamId: string;
  /** Chat user names of who changed them; empty when they came as a whole. */
  readonly by: readonly string[];
  /** Marks over the stream. */
  readonly count: number;
  /** Whether only the owner and admins may draw. */
  readonly forbidden: boolean;
}

/** The events, with the names of the platform's specification. */
export interface ConferenceEvents extends TypedEvents, RemoteControlEvents {
  /**
   * The tracks of a stream changed in this tab: a connection was built again, a device was changed, or the media moved to this tab or away
   * from it. The former ones have ended, except the page's own.
   */
  onTracksChanged: (stream: Stream, tracks: LocalTracks) => void;
  /** Another member joined. */
  onMemberJoined: (member: Member) => void;
  /** Another member left. */
  onMemberExited: (member: Member) => void;
  /** A stream was added, possibly an own one (`stream.located()`). */
  onStreamAdded: (member: Member | null, stream: Stream) => void;
  /** A stream was removed; its element is free again. */
  onStreamRemoved: (member: Member | null, stream: Stream, closeReason: CloseReason) => void;
  /** Sound, picture, resolution or version of a stream changed; `before` is its former state. */
  onStreamUpdated: (member: Member | null, stream: Stream, before: Stream) => void;
  /** The own role changed. */
  onRoleChanged: (role: ConferenceRole) => void;
  /**
   * The person is out of the conference. Reasons: 0 left, 1 no answer, 2 refused, 3 busy, 4 failed, 5 unsupported, 10 another
   * device, 11 closed for all, 12 kicked.
   */
  onConferenceExit: (reason: number, failed: boolean) => void;
  /** The admins changed; the argument lists the current ones. */
  onAdminChanged: (admins: readonly Member[]) => void;
  /** Attributes that were set (UPDATE) or removed (DEL). */
  onConfrAttrsUpdated: (cattrs: readonly ConfrAttr[]) => void;
  /** The conference's own state: whether all are muted. */
  onConfrStateUpdated: (cstate: { readonly muteAll: boolean }) => void;
  /** An admin muted all. Not emitted for admins. */
  onMuteAll: () => void;
  /** An admin ended the mute of all. Not emitted for admins. */
  onUnMuteAll: () => void;
  /** An admin muted this member. */
  onMuted: () => void;
  /** An admin unmuted this member. */
  onUnmuted: () => void;
  /** For an admin: a member asks to become a talker. */
  onRequestToTalker: (applicant: Applicant, agree: Answer, refuse: Answer) => void;
  /** For an admin: a member asks to become an admin. */
  onRequestToAdmin: (applicant: Applicant, agree: Answer, refuse: Answer) => void;
  /** The own request was answered: 0 agreed, 1 refused. */
  onRequestToTalkerReply: (result: 0 | 1) => void;
  /** Like onRequestToTalkerReply, for a request to become an admin. */
  onRequestToAdminReply: (result: 0 | 1) => void;
  /** The own request failed or had no answer within a minute. The person may ask again. */
  onRequestUnanswered: (kind: "talker" | "admin") => void;
  /** Publishing was refused: end reasons 23 and 24. */
  onPubVideoTooMuch: () => void;
  /** Like onPubVideoTooMuch, for a desktop. */
  onPubDesktopTooMuch: () => void;
  /** The network quality of a stream changed: 2 good, 1 poor, 0 disconnected. */
  onNetworkQuality: (streamId: string, quality: 0 | 1 | 2) => void;
  /** A member starts or stops talking. */
  onTalking: (streamId: string, talking: boolean) => void;
  /** A control of another member's camera failed: `error.details` has result, error and errorType. */
  onRemoteControlFail: (streamId: string, error: AppError) => void;
  /** Another member controlled the own camera. */
  onCameraControlled: (member: Member | null, kind: CameraKind) => void;
  /** A member, possibly the own one, begins or ends to record. */
  onRecording: (member: Member, on: boolean) => void;
  /** A text message in the conference, possibly an own one. */
  onTextMessage: (message: TextMessage) => void;
  /** The marks over a stream changed (`graffitiVideo`). */
  onAnnotated: (annotated: Annotated) => void;
  /** Whether sound waits for a click: show one button that calls `resumePlayback`. */
  onAutoplayBlocked: (blocked: boolean) => void;
}
export interface RemoteControlEvents {
  /** A member asks to control the own shared screen. Call one of the two; without an answer the request ends after a minute. */
  onRemoteControl: (
    stream: Stream | null,
    controller: Member,
    accept: Answer,
    reject: Answer,
  ) => void;
  /** Nobody controls the own screen any more; also after a request that was withdrawn. */
  onFreeControl: (stream: Stream | null, controller: Member | null, freed: ControlFreed) => void;
}

export interface Applicant {
  readonly memId: string;
  readonly nickName: string;
  readonly memName: string;
}
/** Answers a request. Resolves when the server has the answer. */
export type Answer = () => Promise<void>;

/** A stream, or its id. */
export type StreamRef = string | { readonly id: string };
