/** What the library is made of and what its users see: members, streams, events. Plain data; nothing here is changed by the user. */
import type { CommandInput, CommandOutput, Commands } from "../../shared/protocol/core-rpc.ts";
import type { ConfrRole, VideoCodec } from "../../shared/protocol/confr-signalling.ts";
import type { ConferenceSlice } from "../../shared/protocol/state.ts";
import type { ConferenceMedia } from "../../rtc-main/index.ts";

export type ConferenceCommands = {
  readonly [M in keyof Commands["conference"]]: (
    input: CommandInput<"conference", M>,
  ) => Promise<CommandOutput<"conference", M>>;
};

/** Who takes part. */
export interface Identity {
  /** Chat user name. */
  readonly memName: string;
  /** Access token of the platform. */
  readonly token: string;
  /** JSON of the host application, shown to the other members. */
  readonly ext: string;
}

/** The core half, wherever it runs: the console's SharedWorker or the library's own. */
export interface CoreConnection {
  readonly commands: ConferenceCommands;
  /** The conference as it is now; read at every change. */
  getState(): ConferenceSlice;
  /** @returns what ends it */
  subscribe(handler: () => void): () => void;
  /** Tells the core who takes part; left out where the core has a login of its own. */
  identify?(identity: Identity): Promise<void>;
  dispose?(): void;
}

export interface ConferenceClientDeps {
  readonly core: CoreConnection;
  readonly media: ConferenceMedia & {
    resumePlayback(): Promise<void>;
    getState(): { readonly autoplayBlocked: boolean };
    subscribe(handler: () => void): () => void;
  };
  readonly getUserMedia: (constraints: MediaStreamConstraints) => Promise<MediaStream>;
  /** Application key `org#app`; '' where it is not configured. */
  readonly appkey: string;
  /** Subscribes to whatever is published. Default: false, the user subscribes. */
  readonly autoSub?: boolean;
  /** Safari neither subscribes before it publishes nor shares a desktop by ticket. */
  readonly safari: boolean;
  readonly after: (ms: number, run: () => void) => { cancel(): void };
  /** For developers. */
  readonly warn: (message: string) => void;
}

/** Somebody in the conference, oneself included. */
export interface Member {
  readonly id: string;
  readonly memName: string;
  readonly nickName: string;
  /** admin 7, talker 3, audience 1. */
  readonly role: ConfrRole;
  readonly ext: string;
  readonly vcodes: readonly VideoCodec[];
  readonly acptOps: readonly number[];
}

/** A stream as it was when it was told; `getStream(id)` gives it as it is now. */
export interface Stream {
  readonly id: string;
  readonly memId: string;
  readonly owner: Member | null;
  /** 0 camera and microphone, 1 screen, 2 audio mixer. */
  readonly type: 0 | 1 | 2;
  readonly rtcId: string;
  /** 1: no picture, no sound is sent of it now. */
  readonly voff: 0 | 1;
  readonly aoff: 0 | 1;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  /** Raised when it is published anew. */
  readonly sver: number;
  readonly vcodec: VideoCodec | null;
  readonly ext: string;
  /** px, null when not known. */
  readonly resolution: { readonly w: number; readonly h: number } | null;
  /** What is subscribed of it; of an own one what is sent. */
  readonly subArgs: { readonly subSVideo: boolean; readonly subSAudio: boolean };
  readonly talking: boolean;
  /** 2 good, 1 poor, 0 disconnected. */
  readonly quality: 0 | 1 | 2;
  /** Whether it is an own one. */
  located(): boolean;
}

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

/** Events by the names that the spec and its users know. */
export interface ConferenceEvents {
  /** Somebody else came in. */
  onMemberJoined: (member: Member) => void;
  /** Somebody else is out. */
  onMemberExited: (member: Member) => void;
  /** A stream is there, an own one too: `stream.located()`. */
  onStreamAdded: (member: Member | null, stream: Stream) => void;
  /** A stream is gone; its element is free again. */
  onStreamRemoved: (member: Member | null, stream: Stream) => void;
  /** Sound or picture off or on, published anew, another resolution; `before` is what it was. */
  onStreamUpdated: (member: Member | null, stream: Stream, before: Stream) => void;
  /** The own role. */
  onRoleChanged: (role: ConfrRole) => void;
  /**
   * One is out. Reasons: 0 left, 1 no answer, 2 refused, 3 busy, 4 failed, 5 unsupported, 10 another device, 11 closed for all,
   * 12 kicked.
   */
  onConferenceExit: (reason: number, failed: boolean) => void;
  /** Who the admins are now. */
  onAdminChanged: (admins: readonly Member[]) => void;
  /** Attributes that were set (UPDATE) or removed (DEL). */
  onConfrAttrsUpdated: (cattrs: readonly ConfrAttr[]) => void;
  /** The conference's own state: whether all are muted. */
  onConfrStateUpdated: (cstate: { readonly muteAll: boolean }) => void;
  /** Not told to admins, and only when it changes. */
  onMuteAll: () => void;
  /** As onMuteAll: the silence for all is over. */
  onUnMuteAll: () => void;
  /** An admin has muted oneself alone. */
  onMuted: () => void;
  /** That admin lets one speak again. */
  onUnmuted: () => void;
  /** To an admin: somebody wants to talk. */
  onRequestToTalker: (applicant: Applicant, agree: Answer, refuse: Answer) => void;
  /** To an admin: somebody wants to be one. */
  onRequestToAdmin: (applicant: Applicant, agree: Answer, refuse: Answer) => void;
  /** The own request was answered: 0 agreed, 1 refused. */
  onRequestToTalkerReply: (result: 0 | 1) => void;
  /** As onRequestToTalkerReply, of a request to be an admin. */
  onRequestToAdminReply: (result: 0 | 1) => void;
  /** The own request failed or had no answer within a minute. The person may ask again. */
  onRequestUnanswered: (kind: "talker" | "admin") => void;
  /** Publishing was refused: end reasons 23 and 24. */
  onPubVideoTooMuch: () => void;
  /** As onPubVideoTooMuch, of a desktop. */
  onPubDesktopTooMuch: () => void;
  /** 2 good, 1 poor, 0 disconnected. */
  onNetworkQuality: (streamId: string, quality: 0 | 1 | 2) => void;
  /** Somebody begins or ends to talk. */
  onTalking: (streamId: string, talking: boolean) => void;
  /** A text in the conference, an own one too. */
  onTextMessage: (message: TextMessage) => void;
  /** Sound waits for a click: show one button that calls `resumePlayback`. */
  onAutoplayBlocked: (blocked: boolean) => void;
}
export interface Applicant {
  readonly memId: string;
  readonly nickName: string;
  readonly memName: string;
}
/** Resolves when the server has it. */
export type Answer = () => Promise<void>;

/** A stream, or its id. */
export type StreamRef = string | { readonly id: string };
