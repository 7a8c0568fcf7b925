/** A conference in memory, and how what happens in it is told. */
import {
  CONFR_OP,
  type ConfrMember,
  type ConfrServerSignal,
} from "../../../shared/protocol/confr-signalling.ts";
import type { ConfrSpec, Kept, RoomDeps, RoomState, Session } from "./types.ts";

type EventOf<F> = F extends { sessId: string; cver: number; tsxId: string }
  ? never
  : F extends { sessId: string; cver: number }
    ? Omit<F, "sessId" | "cver">
    : never;
type StreamControl = Omit<
  Extract<ConfrServerSignal, { op: typeof CONFR_OP.streamControl }>,
  "sessId" | "cver"
>;
/** What changes the conference. */
export type RoomEvent = EventOf<ConfrServerSignal> | StreamControl;

/** Frames for one member that wait for it while its socket is lost; the oldest go first. */
const MISSED = 200;

export function createRoomState(spec: ConfrSpec, kept: Kept, deps: RoomDeps): RoomState {
  return {
    spec,
    deps,
    sessions: new Map(),
    streams: new Map(),
    publishing: new Set(),
    cattrs: new Map(kept.cattrs.map(({ key, val }) => [key, val])),
    roles: new Map(Object.entries(kept.roles)),
    asked: new Map(),
    muteAll: kept.muteAll,
    muted: new Set(kept.muted),
    cver: 0,
    // goes on rising over a restart of the server, so that a stream is never taken for the one before
    sver: deps.clock.now(),
    ended: false,
    timer: null,
  };
}

/** Counts a change and tells it to all that can be reached, `except` left out. */
export function tell(room: RoomState, event: RoomEvent, except?: Session): void {
  tellEach(room, () => event, except);
}

/** As tell, with a frame for each. */
export function tellEach(
  room: RoomState,
  event: (to: Session) => RoomEvent,
  except?: Session,
): void {
  room.cver += 1;
  const { cver } = room;
  // a link that breaks while it is told something changes no map, see membership.drop
  for (const session of room.sessions.values()) {
    if (session === except) continue;
    session.link?.send({ ...event(session), sessId: session.sessId, cver } as ConfrServerSignal);
  }
}

/** To one member, which is no change of the conference; kept for it while it is away. */
export function tellOne(session: Session, frame: ConfrServerSignal): void {
  if (session.gone) return;
  if (session.link?.send(frame) === true) return;
  session.missed.push(frame);
  if (session.missed.length > MISSED) session.missed.shift();
}

/** To all, about no change: texts. */
export function* reachable(room: RoomState): Iterable<Session> {
  for (const session of room.sessions.values()) if (session.link !== null) yield session;
}

/** The conference whole, as an enter or a copy gives it. */
export function snapshot(room: RoomState) {
  return {
    mems: [...room.sessions.values()].map(({ member }): ConfrMember => member),
    streams: [...room.streams.values()].map(({ info }) => info),
    cver: room.cver,
    cattrs: [...room.cattrs].map(([key, val]) => ({ key, val, op: "UPDATE" as const })),
    cstate: { muteAll: room.muteAll },
  };
}

/** To be called after a change of what is kept. */
export function keep(room: RoomState): void {
  room.deps.onKept(room.spec.id, {
    roles: Object.fromEntries(room.roles),
    cattrs: [...room.cattrs].map(([key, val]) => ({ key, val })),
    muteAll: room.muteAll,
    muted: [...room.muted],
  });
}

export const admins = (room: RoomState): string[] =>
  [...room.sessions.values()].filter((s) => s.member.role === 7).map((s) => s.member.memId);

/** All entries of a person, by chat user name. */
export const sessionsOf = (room: RoomState, memName: string): Session[] =>
  [...room.sessions.values()].filter((s) => s.member.memName === memName);
