/** Types shared by the parts of a conference: members, streams, timings, and events to the outside. */
import type {
  ConferenceMember,
  ConferenceRole,
  ConferenceStream,
  VideoCodec,
} from "../../../shared/protocol/confr-model.ts";
import type { ConferenceServerSignal } from "../../../shared/protocol/confr-signalling.ts";
import type { Board, BoardChange } from "../../../shared/domain/annotations.ts";
import type { Clock } from "../../base/module.ts";
import type { SignRole } from "./role-tokens.ts";
import type { FrameSink as Sink } from "../../base/signalling/contracts.ts";

export type { Verdict } from "../../base/signalling/contracts.ts";

/** All in milliseconds. */
export interface ConferenceTimings {
  /** How long a member stays after its socket was lost. */
  readonly grace: number;
  /** How long an empty conference stays open. */
  readonly empty: number;
  /** Between the end and the closing of the sockets (docs/conferences.md#ends). */
  readonly close: number;
  /** How long a stream stays listed after its media connection was lost, waiting to be published again. */
  readonly orphan: number;
  /** How long a stream stays listed after its publisher ended the connection without a reason, waiting to be published again. */
  readonly republish: number;
  /** How long a publisher that was asked to switch its codec is not asked again. */
  readonly codecSwitch: number;
  /** How long a request from member to member may be answered. */
  readonly ask: number;
}
export const CONFERENCE_TIMINGS: ConferenceTimings = {
  grace: 20_000,
  empty: 5 * 60_000,
  close: 500,
  orphan: 20_000,
  republish: 1000,
  codecSwitch: 10_000,
  ask: 60_000,
};

export type FrameSink = Sink<ConferenceServerSignal>;

export interface ConferenceLimits {
  readonly maxTalkerCount: number;
  readonly maxAudienceCount: number;
  readonly maxVideoCount: number;
  readonly maxPubDesktopCount: number;
}

/** The properties of a conference that do not change. */
export interface ConferenceSpec {
  readonly id: string;
  /** 10, 11, 12 or 14 (docs/conferences.md#types). */
  readonly type: number;
  /** Chat user name. */
  readonly creator: string;
  /** The company whose people may be inside; null: those who may talk to each other. */
  readonly companyId: string | null;
  readonly limits: ConferenceLimits;
  /** Codecs that the creator prefers, best first. */
  readonly vcodes: readonly VideoCodec[];
  /** A group call: it ends when the last person leaves. */
  readonly groupCall?: boolean;
}

/** The state of a conference that survives a restart of the server. */
export interface Kept {
  /** Roles that an admin assigned, by chat user name. Everyone else has the role assigned on entering. */
  readonly roles: Readonly<Record<string, ConferenceRole>>;
  readonly cattrs: readonly { readonly key: string; readonly val: string }[];
  readonly muteAll: boolean;
  /** While all are muted: they may unmute themselves. */
  readonly mayUnmute?: boolean | undefined;
  /** People whom an admin has muted, by chat user name. */
  readonly muted: readonly string[];
}

export interface Timer {
  cancel(): void;
}

/** One person on one device. */
export interface Session {
  readonly sessId: string;
  readonly conference: ConferenceState;
  /** The client's name for its device. The same person on another device is a separate member. */
  readonly resource: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  member: ConferenceMember;
  /** The login with which the member entered last. */
  loginSession: string;
  /** Null while the socket is lost and the grace time runs. */
  socket: FrameSink | null;
  grace: Timer | null;
  /** Frames for this member only that could not be delivered; sent when it returns. */
  missed: ConferenceServerSignal[];
  /** The connections that it records, by rtcId; see recording.ts. */
  readonly recorded: Set<string>;
  /** Whether the membership has ended permanently. */
  gone: boolean;
}

export type Flags = Pick<ConferenceStream, "voff" | "aoff">;

export interface StreamState {
  /** Its flags are the effective ones; see holding.ts. */
  info: ConferenceStream;
  /** The flags declared by its publisher. */
  said: Flags;
  readonly owner: Session;
  /** Connection by which its publisher sends it to the media node. */
  readonly rtcId: string;
  /** It has no connection and waits to be published again. */
  abandoned: boolean;
  /** Codecs of the publisher, best first. */
  readonly vcodes: readonly VideoCodec[];
  /** Milliseconds since the epoch until which the publisher is switching its codec. */
  switchingUntil: number;
}

/** A stream that is being published: its place is reserved, its media have not arrived. */
export interface Publishing {
  readonly session: Session;
  readonly streamId: string;
  readonly type: number;
  /** Whether it takes one of the places of maxVideoCount. */
  readonly video: boolean;
}

export interface ConferenceDeps {
  readonly clock: Clock;
  readonly newId: () => string;
  /** @returns the token that authorises a member's REST calls */
  readonly roleToken: SignRole;
  /** The session has ended permanently: close its connections. */
  readonly onSessionGone: (session: Session) => void;
  /** The flags of the stream changed: the node must hold back accordingly. */
  readonly onStreamHeld: (stream: StreamState) => void;
  /** The stream is gone: close its connections, including those of subscribers. */
  readonly onStreamGone: (stream: StreamState) => void;
  readonly onKept: (conferenceId: string, kept: Kept) => void;
  /** A person came or left. */
  readonly onMembers?: ((spec: ConferenceSpec) => void) | undefined;
  /** Called once per conference. */
  readonly onEnded: (conferenceId: string, reason: number) => void;
  readonly timings: ConferenceTimings;
}

/** The marks of one stream; see annotations.ts. */
export interface StreamMarks {
  readonly board: Board;
  /** The weight of its marks. */
  bytes: number;
  /** Applied, but not sent yet. */
  pending: BoardChange[];
  gathering: Timer | null;
}
export interface Annotations {
  /** By stream id. */
  readonly boards: Map<string, StreamMarks>;
  /** The weight of all marks. */
  bytes: number;
  /** When each person sent the messages of the last second, by chat user name; ms since the epoch. */
  readonly sentAt: Map<string, number[]>;
}

export interface ConferenceState {
  readonly spec: ConferenceSpec;
  readonly deps: ConferenceDeps;
  /** By memId, in the order of entering. */
  readonly sessions: Map<string, Session>;
  /** By stream id. */
  readonly streams: Map<string, StreamState>;
  readonly publishing: Set<Publishing>;
  readonly annotations: Annotations;
  readonly cattrs: Map<string, string>;
  readonly roles: Map<string, ConferenceRole>;
  /** Open requests from member to member; see talking.ts. */
  readonly asked: Map<string, number>;
  muteAll: boolean;
  mayUnmute: boolean;
  /** By chat user name. */
  readonly muted: Set<string>;
  /** Ids of the sessions that were ended by a kick or by another entry of the device, newest last. */
  readonly putOut: Set<string>;
  cver: number;
  sver: number;
  ended: boolean;
  timer: Timer | null;
}
