/** A conference in memory, and how its events are sent. */
import { OP } from "../../../shared/protocol/signalling.ts";
import { type ConferenceServerSignal, toWire } from "../../../shared/protocol/confr-signalling.ts";
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import type { ConferenceSpec, Kept, ConferenceDeps, ConferenceState, Session } from "./types.ts";

type EventOf<F> = F extends { op: typeof OP.pong }
  ? never
  : F extends { sessId: string; cver: number }
    ? Omit<F, "sessId" | "cver">
    : never;
/** Events that change the conference. */
export type ConferenceEvent = EventOf<ConferenceServerSignal>;

/** Frames kept for one member while its socket is lost. The oldest are dropped first. */
const MISSED = 200;

export function createConferenceState(
  spec: ConferenceSpec,
  kept: Kept,
  deps: ConferenceDeps,
): ConferenceState {
  return {
    spec,
    deps,
    sessions: new Map(),
    streams: new Map(),
    publishing: new Set(),
    annotations: { boards: new Map(), bytes: 0, sentAt: new Map() },
    cattrs: new Map(kept.cattrs.map(({ key, val }) => [key, val])),
    roles: new Map(Object.entries(kept.roles)),
    asked: new Map(),
    muteAll: kept.muteAll,
    mayUnmute: kept.mayUnmute === true,
    muted: new Set(kept.muted),
    putOut: new Set(),
    cver: 0,
    // Starts at the time, so that it keeps increasing over a restart and a stream is never mistaken for an older version.
    sver: deps.clock.now(),
    ended: false,
    timer: null,
  };
}

/** Counts a change and sends it to all reachable members except `except`. */
export function sendToMembers(
  conference: ConferenceState,
  event: ConferenceEvent,
  except?: Session,
): void {
  conference.cver += 1;
  const { cver } = conference;
  // A socket that breaks during this loop changes no map; see membership.drop.
  for (const session of conference.sessions.values()) {
    if (session === except) continue;
    session.socket?.send({ ...event, sessId: session.sessId, cver } as ConferenceServerSignal);
  }
}

/** Sends a frame to one member without counting a change. It is kept while the member is unreachable. */
export function sendToMember(session: Session, frame: ConferenceServerSignal): void {
  if (session.gone) return;
  if (session.socket?.send(frame) === true) return;
  session.missed.push(frame);
  if (session.missed.length > MISSED) session.missed.shift();
}

/** Tells all that a member's role or mute changed. */
export const sendMemberChanged = (conference: ConferenceState, { member }: Session): void =>
  sendToMembers(conference, { op: OP.memberChanged, mem: toWire(member) });

/** The members that can be reached, for texts, which change nothing. */
export function* reachable(conference: ConferenceState): Iterable<Session> {
  for (const session of conference.sessions.values()) if (session.socket !== null) yield session;
}

/** Whether all are muted, and whether they may unmute themselves. */
export const muteOf = ({ muteAll, mayUnmute }: ConferenceState) => ({
  muteAll,
  ...(mayUnmute ? { mayUnmute } : {}),
});

/** The whole conference, as sent on entering or as a copy. */
export function snapshot(conference: ConferenceState) {
  return {
    mems: [...conference.sessions.values()].map(({ member }) => toWire(member)),
    streams: [...conference.streams.values()].map(({ info }) => info),
    cver: conference.cver,
    cattrs: [...conference.cattrs].map(([key, val]) => ({ key, val, op: "UPDATE" as const })),
    cstate: muteOf(conference),
  };
}

/** Must be called after a change of the persistent state. */
export function keep(conference: ConferenceState): void {
  conference.deps.onKept(conference.spec.id, {
    roles: Object.fromEntries(conference.roles),
    cattrs: [...conference.cattrs].map(([key, val]) => ({ key, val })),
    ...muteOf(conference),
    muted: [...conference.muted],
  });
}

export const admins = (conference: ConferenceState): string[] =>
  [...conference.sessions.values()]
    .filter((s) => s.member.role === CONFERENCE_ROLE.admin)
    .map((s) => s.member.memId);

/** All sessions of a person, by chat user name. */
export const sessionsOf = (conference: ConferenceState, memName: string): Session[] =>
  [...conference.sessions.values()].filter((s) => s.member.memName === memName);
