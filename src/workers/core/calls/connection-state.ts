/** The connection of a call as one object, and the steps on it. Nothing here sends anything or waits for anything. */
import type {
  CallConnectionEvent,
  CallConnectionState,
} from "../../../shared/domain/call-connection.ts";
import type { MediaEvent } from "../../../shared/protocol/media-port.ts";
import type { ShownConnection } from "../../../shared/protocol/state.ts";
import { OP, type PeerMessage } from "../../../shared/protocol/signalling.ts";

const MAX_RETIRED = 50;

export type Kind = "audio" | "video";
const NOTHING: ReadonlySet<Kind> = new Set();

export interface Connection {
  state: CallConnectionState;
  rtcId: string | null;
  /** The former connection. It was connected and is kept until the new one is. */
  former: string | null;
  /** What arrives by the current connection. */
  flowing: ReadonlySet<Kind>;
  /** What arrived by the former connection. */
  formerFlowing: ReadonlySet<Kind>;
  /** Abandoned connections. Their late messages are ignored. */
  readonly retired: Set<string>;
  /** The other side's last offer for the current connection. */
  remoteOffer: string | null;
  /** The tab has the other side's description of the current connection. */
  described: boolean;
  rebuilds: number;
  everUp: boolean;
  /** ms; null while the connection is up. */
  downSince: number | null;
}

export interface CallConnectionSnapshot {
  readonly state: CallConnectionState;
  readonly rtcId: string | null;
}

export const newConnection = (): Connection => ({
  state: "idle",
  rtcId: null,
  former: null,
  flowing: NOTHING,
  formerFlowing: NOTHING,
  retired: new Set(),
  remoteOffer: null,
  described: false,
  rebuilds: 0,
  everUp: false,
  downSince: null,
});

export const snapshotOf = ({ state, rtcId }: Connection): CallConnectionSnapshot => ({
  state,
  rtcId,
});

export const isUp = ({ state }: Connection): boolean =>
  state === "connected" || state === "silent" || state === "weak";

/** What the slice shows of the connection. */
export function shownConnectionOf({ state, everUp }: Connection): ShownConnection {
  if (state === "idle") return "none";
  // A moment without packets says nothing yet.
  if (state === "silent") return "connected";
  if (state === "connected" || state === "weak" || state === "failed") return state;
  return everUp ? "restarting" : "connecting";
}

function retire({ retired }: Connection, rtcId: string): void {
  retired.add(rtcId);
  if (retired.size <= MAX_RETIRED) return;
  const [first] = retired;
  if (first !== undefined) retired.delete(first);
}

/**
 * Makes another connection the current one. A connection that works is kept until the next one works. One that never worked is closed.
 *
 * @param ownerIsNew true when the former owner tab is gone together with its connections
 * @returns the connection that was retired, and the one that the tab must close
 */
export function replaceConnection(
  s: Connection,
  rtcId: string,
  ownerIsNew: boolean,
): { readonly retired: string | null; readonly close: string | null } {
  const before = s.rtcId === rtcId ? null : s.rtcId;
  let close: string | null = null;
  if (before !== null) {
    retire(s, before);
    if (!ownerIsNew) {
      if (isUp(s)) {
        close = s.former;
        s.former = before;
        s.formerFlowing = s.flowing;
      } else close = before;
    }
    s.flowing = NOTHING;
  }
  if (ownerIsNew) s.former = null;
  s.rtcId = rtcId;
  s.remoteOffer = null;
  s.described = false;
  return { retired: before, close };
}

/** The connection is established. */
export function settleConnection(s: Connection): void {
  s.rebuilds = 0;
  s.downSince = null;
  s.everUp = true;
}

/**
 * Whether the current connection brings what the former one brought.
 *
 * @param sends what the other side sends; a camera that is off shows no picture on any connection
 */
export const replacesFormer = (s: Connection, sends: ReadonlySet<Kind>): boolean =>
  isUp(s) && [...s.formerFlowing].every((kind) => s.flowing.has(kind) || !sends.has(kind));

/** @returns the former connection, which the tab must close now */
export function dropFormer(s: Connection): string | null {
  const { former } = s;
  s.former = null;
  s.formerFlowing = NOTHING;
  return former;
}

/** A new core continues with a connection that the owner tab has kept. */
export function resumeConnection(s: Connection, { rtcId }: CallConnectionSnapshot): void {
  s.rtcId = rtcId;
  s.described = true;
  s.everUp = true;
  s.downSince = null;
  s.state = "connected";
}

/** Late messages of this connection, which an earlier machine had, are ignored. */
export function retireEarlier(s: Connection, rtcId: string | null): void {
  if (rtcId !== null) retire(s, rtcId);
}

/** A new core waits for a new owner, which will offer a new connection. */
export function awaitNewOwner(s: Connection, now: number): void {
  s.everUp = true;
  s.downSince = now;
  s.state = "rebuilding";
}

/** What an event of the owner tab means to the table; null: nothing. */
export function tabEventOf(event: MediaEvent, rtcId: string | null): CallConnectionEvent | null {
  if (event.t === "silent" || event.t === "heard")
    return event.rtcId === rtcId ? { type: event.t } : null;
  if (event.t === "failed") return event.rtcId === rtcId ? { type: "iceFailed" } : null;
  if (event.t !== "ice" || event.rtcId !== rtcId) return null;
  switch (event.state) {
    case "connected":
    case "completed":
      return { type: "iceUp" };
    case "disconnected":
      return { type: "iceDown" };
    case "failed":
    case "closed":
      return { type: "iceFailed" };
    default:
      return null;
  }
}

/** What a message of the other side means to the table; null: nothing. */
export function peerEventOf(body: PeerMessage): CallConnectionEvent | null {
  switch (body.op) {
    case OP.offer: {
      const { rtcId, sdp, iceRestart } = body;
      return { type: "peerOffer", rtcId, sdp, iceRestart };
    }
    case OP.answer:
      return { type: "peerAnswer", rtcId: body.rtcId, sdp: body.sdp };
    case OP.ping:
      return { type: "peerWants" };
    default:
      return null;
  }
}
