/** What the parts of a conference on the server share: its members, streams, timings, and the ways out of it. */
import type {
  ConfrMember,
  ConfrRole,
  ConfrServerSignal,
  ConfrStream,
  VideoCodec,
} from "../../../shared/protocol/confr-signalling.ts";
import type { Clock } from "../../module.ts";

/** ms. */
export interface ConfrTimings {
  /** A member stays so long after its socket was lost. */
  readonly grace: number;
  /** An empty conference stays open so long. */
  readonly empty: number;
  /** Between the end and the closing of the sockets (spec §9). */
  readonly close: number;
  /** A stream whose media connection was lost stays listed so long, waiting to be published anew. */
  readonly orphan: number;
  /** A publisher that was told to switch its codec is not told again within. */
  readonly codecSwitch: number;
  /** A request from member to member may be answered within. */
  readonly ask: number;
}
export const CONFR_TIMINGS: ConfrTimings = {
  grace: 20_000,
  empty: 5 * 60_000,
  close: 500,
  orphan: 20_000,
  codecSwitch: 10_000,
  ask: 60_000,
};

/** A way to one member; compared by identity. */
export interface ConfrLink {
  /** @returns false when the member cannot be reached by it */
  send(frame: ConfrServerSignal): boolean;
  close(code: number, reason: string): void;
}

export interface ConfrLimits {
  readonly maxTalkerCount: number;
  readonly maxAudienceCount: number;
  readonly maxVideoCount: number;
  readonly maxPubDesktopCount: number;
}

/** What of a conference does not change. */
export interface ConfrSpec {
  readonly id: string;
  /** 10, 11, 12 or 14 (spec §1). */
  readonly type: number;
  /** Chat user name. */
  readonly creator: string;
  readonly limits: ConfrLimits;
  /** Wanted by the creator, best first. */
  readonly vcodes: readonly VideoCodec[];
}

/** What of a conference outlives the memory of the server. */
export interface Kept {
  /** Roles that were given, by chat user name; all others have the role that their kind of entering gives. */
  readonly roles: Readonly<Record<string, ConfrRole>>;
  readonly cattrs: readonly { readonly key: string; readonly val: string }[];
  readonly muteAll: boolean;
  /** Persons that an admin has silenced, by chat user name. */
  readonly muted: readonly string[];
}

export interface Timer {
  cancel(): void;
}

/** One entry of a person by one device. */
export interface Session {
  readonly sessId: string;
  readonly room: RoomState;
  /** What the client calls its device; the same person from another one is a member of its own. */
  readonly resource: string;
  /** ms since the epoch */
  readonly since: number;
  member: ConfrMember;
  /** Null while the socket is lost and the grace time runs. */
  link: ConfrLink | null;
  grace: Timer | null;
  /** For this member alone, while it could not be reached; told when it is back. */
  missed: ConfrServerSignal[];
  /** For good. */
  gone: boolean;
}

export type Flags = Pick<ConfrStream, "voff" | "aoff">;

export interface StreamState {
  /** Its flags are those that count, see holding.ts. */
  info: ConfrStream;
  /** By its publisher. */
  said: Flags;
  readonly owner: Session;
  /** That the publisher has, best first. */
  readonly vcodes: readonly VideoCodec[];
  /** ms since the epoch: until then it is busy with another codec. */
  switchingUntil: number;
}

/** A stream on its way: its place is taken, its media are not there yet. */
export interface Publishing {
  readonly session: Session;
  readonly streamId: string;
  readonly type: number;
  /** Takes one of the places of maxVideoCount. */
  readonly video: boolean;
}

export interface RoomDeps {
  readonly clock: Clock;
  readonly newId: () => string;
  /** @returns what a member shows for its role in REST calls */
  readonly roleToken: (confrId: string, memName: string, role: ConfrRole) => string;
  /** For good: its connections are to be closed. */
  readonly onSessionGone: (session: Session) => void;
  /** Its flags changed: the node is to hold back what they say. */
  readonly onStreamHeld: (stream: StreamState) => void;
  /** Its connections, those of subscribers included, are to be closed. */
  readonly onStreamGone: (stream: StreamState) => void;
  readonly onKept: (confrId: string, kept: Kept) => void;
  /** Once a conference. */
  readonly onEnded: (confrId: string, reason: number) => void;
  readonly timings: ConfrTimings;
}

export interface RoomState {
  readonly spec: ConfrSpec;
  readonly deps: RoomDeps;
  /** By memId, in the order of entering. */
  readonly sessions: Map<string, Session>;
  /** By stream id. */
  readonly streams: Map<string, StreamState>;
  readonly publishing: Set<Publishing>;
  readonly cattrs: Map<string, string>;
  readonly roles: Map<string, ConfrRole>;
  /** Open requests from member to member, see talking.ts. */
  readonly asked: Map<string, number>;
  muteAll: boolean;
  /** By chat user name. */
  readonly muted: Set<string>;
  cver: number;
  sver: number;
  ended: boolean;
  timer: Timer | null;
}

/** Answer to a request; what is not 0 has changed nothing. */
export interface Verdict {
  readonly result: number;
  readonly msg?: string;
}
