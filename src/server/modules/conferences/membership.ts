/**
 * Who is in: entering, resuming, leaving, being lost, kicked, replaced; and the end of it all (docs/conferences.md#enter).
 *
 * The memId of a person's first device is the chat user name. Each further device (another `resource`) is a separate member with
 * the memId `name~` plus six characters derived from the resource. Its sessId ends with the same characters, so that it gets the
 * same memId again after a restart of the server. When a device enters again without its sessId (its page was reloaded), it
 * replaces its former membership, which ends with reason 10 and loses its streams.
 */
import { createHash } from "node:crypto";
import { CONFERENCE_ROLE, CONFERENCE_TYPE } from "../../../shared/domain/conference-types.ts";
import { type ConferenceRole, type VideoCodec } from "../../../shared/protocol/confr-model.ts";
import { CONFR_END, CONFR_RESULT, toWire } from "../../../shared/protocol/confr-signalling.ts";
import { END_REASON, RESULT, WS_CLOSE, OP } from "../../../shared/protocol/signalling.ts";
import { stopAnnotations } from "./annotations.ts";
import { giveToHeir } from "./roles.ts";
import { sessionsOf, sendToMembers } from "./state.ts";
import { removeStreamsOf } from "./streams.ts";
import type { FrameSink, ConferenceState, Session, Verdict } from "./types.ts";

/** Sessions that were put out and are remembered, per conference. */
const PUT_OUT = 1000;

export interface Entry {
  readonly memName: string;
  readonly resource: string;
  readonly nickName: string;
  readonly ext: string;
  readonly acptOps: readonly number[];
  readonly vcodes: readonly VideoCodec[];
  /** The role that the ticket requests. The person gets at most the role that is allowed. */
  readonly role: ConferenceRole | undefined;
  /** Id of the session to resume. */
  readonly sessId: string | undefined;
  /** The login that asked for the ticket. */
  readonly loginSession: string;
  readonly socket: FrameSink;
}

/** @returns the role that this person would have on entering */
export function roleOf(
  conference: Pick<ConferenceState, "spec" | "roles">,
  memName: string,
  wanted: ConferenceRole | undefined,
): ConferenceRole {
  const { creator, type } = conference.spec;
  // A role given by an admin stays, whatever an older ticket requested.
  const given = conference.roles.get(memName);
  if (given !== undefined) return given;
  const others = type === CONFERENCE_TYPE.live ? CONFERENCE_ROLE.audience : CONFERENCE_ROLE.talker;
  const may = memName === creator ? CONFERENCE_ROLE.admin : others;
  return wanted !== undefined && wanted < may ? wanted : may;
}

const suffixOf = (memName: string, resource: string): string =>
  createHash("sha256").update(`${memName}\n${resource}`).digest("base64url").slice(0, 6);

/** The session that this entry resumes or replaces. */
export function formerOf(
  conference: ConferenceState,
  entry: Pick<Entry, "memName" | "resource" | "sessId">,
): { readonly session: Session; readonly resumes: boolean } | null {
  let same: Session | null = null;
  for (const session of conference.sessions.values()) {
    if (session.member.memName !== entry.memName) continue;
    if (session.sessId === entry.sessId) return { session, resumes: true };
    if (session.resource === entry.resource) same = session;
  }
  return same === null ? null : { session: same, resumes: false };
}

/** Enters a member and notifies the others (op 300) if it is new to them. The new member gets its answer after this. */
export function enter(
  conference: ConferenceState,
  entry: Entry,
): { readonly session: Session; readonly resumed: boolean } | Verdict {
  if (conference.ended) return { result: RESULT.conferenceGone, msg: "会议已结束" };
  if (entry.sessId !== undefined && conference.putOut.has(entry.sessId)) {
    return { result: RESULT.notAllowed, msg: "已被移出会议" };
  }
  const former = formerOf(conference, entry);
  if (former?.resumes === true) return { session: resume(former.session, entry), resumed: true };
  const role = roleOf(conference, entry.memName, entry.role);
  const refusal = overFull(conference, role, entry.memName, former?.session ?? null);
  if (refusal !== null) return refusal;
  if (former !== null) remove(former.session, END_REASON.otherDevice, WS_CLOSE.replaced);
  conference.timer?.cancel();
  conference.timer = null;

  const { memName, resource } = entry;
  const suffix = suffixOf(memName, resource);
  const second = `${memName.slice(0, 57)}~${suffix}`;
  const asSecond =
    conference.sessions.has(memName) || entry.sessId?.endsWith(`~${suffix}`) === true;
  const session: Session = {
    sessId: conference.deps.newId() + (asSecond ? `~${suffix}` : ""),
    conference,
    resource,
    since: conference.deps.clock.now(),
    member: {
      memId: asSecond ? second : memName,
      memName,
      nickName: entry.nickName,
      role,
      ext: entry.ext,
      acptOps: [...entry.acptOps],
      vcodes: [...entry.vcodes],
      muted: role !== CONFERENCE_ROLE.admin && conference.muted.has(memName),
    },
    loginSession: entry.loginSession,
    socket: entry.socket,
    grace: null,
    missed: [],
    recorded: new Set(),
    gone: false,
  };
  conference.sessions.set(session.member.memId, session);
  sendToMembers(conference, { op: OP.memberEntered, mem: toWire(session.member) }, session);
  conference.deps.onMembers?.(conference.spec);
  return { session, resumed: false };
}

function resume(
  session: Session,
  { socket, loginSession, acptOps }: Pick<Entry, "socket" | "loginSession" | "acptOps">,
): Session {
  session.loginSession = loginSession;
  session.grace?.cancel();
  session.grace = null;
  const before = session.socket;
  session.socket = socket;
  if (before !== null && before !== socket) before.close(WS_CLOSE.replaced, "entered elsewhere");
  const { member } = session;
  if (acptOps.join() !== member.acptOps.join()) {
    session.member = { ...member, acptOps: [...acptOps] };
    // The member itself finds it in the answer.
    const changed = { op: OP.memberChanged, mem: toWire(session.member) } as const;
    sendToMembers(session.conference, changed, session);
  }
  return session;
}

function overFull(
  conference: ConferenceState,
  role: ConferenceRole,
  memName: string,
  former: Session | null,
): Verdict | null {
  const { creator, limits } = conference.spec;
  // The creator can always enter, because otherwise nobody could fix the situation.
  if (memName === creator) return null;
  const talks = role >= CONFERENCE_ROLE.talker;
  // A person who replaces the own session takes no additional place.
  if (former !== null && former.member.role >= CONFERENCE_ROLE.talker === talks) return null;
  let count = 0;
  for (const session of conference.sessions.values()) {
    if (session.member.role >= CONFERENCE_ROLE.talker === talks) count += 1;
  }
  if (count < (talks ? limits.maxTalkerCount : limits.maxAudienceCount)) return null;
  return {
    result: CONFR_RESULT.full,
    msg: talks ? "会议发言人数已达上限" : "会议观众人数已达上限",
  };
}

/** The socket is lost: the grace time begins. Does nothing when another socket has taken over. */
export function drop(session: Session, socket: FrameSink): void {
  if (session.gone || session.socket !== socket) return;
  session.socket = null;
  const { conference } = session;
  if (conference.ended) return;
  session.grace?.cancel();
  session.grace = conference.deps.clock.setTimeout(
    () => remove(session, END_REASON.offline),
    conference.deps.timings.grace,
  );
}

/**
 * Ends a membership permanently. Its streams are removed first, then all are notified once. A member that was removed by others
 * (closeCode given) is notified too; otherwise it would take the closing for a network failure.
 */
export function remove(session: Session, reason: number, closeCode?: number): void {
  const { conference, socket } = session;
  const { memId, role } = session.member;
  if (session.gone || conference.sessions.get(memId) !== session) return;
  session.grace?.cancel();
  session.grace = null;
  removeStreamsOf(conference, memId);
  sendToMembers(
    conference,
    { op: OP.memberExited, memId, reason },
    closeCode === undefined ? session : undefined,
  );
  conference.sessions.delete(memId);
  session.gone = true;
  session.socket = null;
  session.missed = [];
  conference.deps.onSessionGone(session);
  if (closeCode !== undefined) {
    remember(conference.putOut, session.sessId);
    socket?.close(closeCode, "put out of the conference");
  }
  // A replaced member comes back immediately.
  if (role === CONFERENCE_ROLE.admin && reason !== END_REASON.otherDevice) giveToHeir(conference);
  conference.deps.onMembers?.(conference.spec);
  if (conference.sessions.size > 0 || conference.ended) return;
  conference.timer?.cancel();
  conference.timer = conference.deps.clock.setTimeout(
    () => end(conference, END_REASON.offline),
    // A person who replaces the own session enters within the same turn, and so cancels the timer.
    conference.spec.groupCall === true ? 0 : conference.deps.timings.empty,
  );
}

/**
 * The platform's own library reconnects within half a second after a socket closed, also when it has just learned that it was put out.
 * As a new member it would be listed until the grace time is over.
 */
function remember(putOut: Set<string>, sessId: string): void {
  putOut.add(sessId);
  const [oldest] = putOut;
  if (putOut.size > PUT_OUT && oldest !== undefined) putOut.delete(oldest);
}

/** Removes all of these people or none. A person cannot remove himself. */
export function kick(
  conference: ConferenceState,
  by: string,
  memNames: readonly string[],
): Verdict {
  if (conference.ended) return { result: RESULT.conferenceGone, msg: "会议已结束" };
  if (memNames.includes(by)) return { result: RESULT.notAllowed, msg: "不能移出自己" };
  const persons = [...new Set(memNames)].map((name) => sessionsOf(conference, name));
  if (persons.some((sessions) => sessions.length === 0)) {
    return { result: RESULT.notFound, msg: "成员不在会议中" };
  }
  for (const session of persons.flat()) remove(session, CONFR_END.kicked, WS_CLOSE.forbidden);
  return { result: RESULT.ok };
}

/**
 * Ends the conference for all: the server notifies members now and closes their sockets later. Each gets op 301 about itself before
 * the end (op 204), because a client takes the reason from there.
 */
export function end(conference: ConferenceState, reason: number): void {
  if (conference.ended) return;
  conference.ended = true;
  conference.timer?.cancel();
  conference.cver += 1;
  const { cver, spec } = conference;
  for (const session of conference.sessions.values()) {
    session.grace?.cancel();
    session.grace = null;
    const { sessId, member, socket } = session;
    socket?.send({ op: OP.memberExited, sessId, cver, memId: member.memId, reason });
    socket?.send({ op: OP.closeConference, sessId, confrId: spec.id, reason });
  }
  conference.timer = conference.deps.clock.setTimeout(
    () => closeSockets(conference, 1000, "conference ended"),
    conference.deps.timings.close,
  );
  conference.deps.onEnded(conference.spec.id, reason);
}

/** Cancels all timers and closes all sockets without events. */
export function closeSockets(conference: ConferenceState, code: number, reason: string): void {
  conference.timer?.cancel();
  stopAnnotations(conference);
  for (const session of conference.sessions.values()) {
    session.grace?.cancel();
    session.gone = true;
    const { socket } = session;
    session.socket = null;
    socket?.close(code, reason);
  }
  conference.sessions.clear();
}
