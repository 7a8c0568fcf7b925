/** Roles, attributes and mute: what admins change (docs/conferences.md#roles), once the server knows that an admin asks. */
import { type ConferenceRole } from "../../../shared/protocol/confr-model.ts";
import { CONFR_RESULT } from "../../../shared/protocol/confr-signalling.ts";
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import { RESULT, OP } from "../../../shared/protocol/signalling.ts";
import {
  admins,
  keep,
  muteOf,
  sessionsOf,
  sendToMembers,
  sendMemberChanged,
  sendToMember,
} from "./state.ts";
import { bind, refreshFlags } from "./holding.ts";
import { endRecording } from "./recording.ts";
import { removeStreamsOf } from "./streams.ts";
import type { ConferenceState, Session, Verdict } from "./types.ts";

const OK: Verdict = { result: RESULT.ok };
const NOT_HERE: Verdict = { result: RESULT.notFound, msg: "成员不在会议中" };
/** Most attributes of one conference. */
export const MAX_ATTRS = 100;

function setRole(conference: ConferenceState, session: Session, role: ConferenceRole): void {
  const { memId, memName } = session.member;
  if (session.member.role === role) return;
  const { hand, ...member } = session.member;
  // A raised hand asked for a higher role.
  const stays = hand !== undefined && role < member.role;
  session.member = { ...member, role, ...(stays ? { hand } : {}) };
  // Becoming an admin lifts the mute, and it does not return when the role ends.
  const freed = role === CONFERENCE_ROLE.admin && conference.muted.delete(memName);
  if (freed) session.member = { ...session.member, muted: false };
  if (role === CONFERENCE_ROLE.audience) {
    removeStreamsOf(conference, memId, true);
    endRecording(session);
  }
  const { loginSession } = session;
  const claims = { confrId: conference.spec.id, memName, role, loginSession };
  const roleToken = conference.deps.roleToken(claims);
  sendToMember(session, { op: OP.role, sessId: session.sessId, role, roleToken });
  sendMemberChanged(conference, session);
}

/** Announces the admins (op 413) when they have changed. */
function tellAdmins(conference: ConferenceState, before: readonly string[]): void {
  const now = admins(conference);
  if (now.join("\n") !== before.join("\n"))
    sendToMembers(conference, { op: OP.admins, memIds: now });
}

/** When the last admin has left permanently, the longest-present talker that can be reached becomes admin. */
export function giveToHeir(conference: ConferenceState): void {
  if (conference.ended || admins(conference).length > 0) return;
  // Sessions are in the order of entering.
  const talkers = [...conference.sessions.values()].filter(
    (s) => s.member.role === CONFERENCE_ROLE.talker,
  );
  const heir = talkers.find((s) => s.socket !== null) ?? talkers[0];
  if (heir === undefined) return;
  conference.roles.set(heir.member.memName, 7);
  keep(conference);
  for (const session of sessionsOf(conference, heir.member.memName))
    setRole(conference, session, 7);
  refreshFlags(conference);
  sendToMembers(conference, { op: OP.admins, memIds: admins(conference) });
}

/**
 * Sets the role of all these people or of none.
 *
 * @param down only lowers roles
 */
export function setRoles(
  conference: ConferenceState,
  memNames: readonly string[],
  role: ConferenceRole,
  down: boolean,
): Verdict {
  if (conference.ended) return { result: RESULT.conferenceGone, msg: "会议已结束" };
  const persons = [...new Set(memNames)].map((name) => sessionsOf(conference, name));
  if (persons.some((sessions) => sessions.length === 0)) return NOT_HERE;
  const sessions = persons.flat();
  if (down && sessions.some(({ member }) => member.role <= role)) {
    return { result: RESULT.notAllowed, msg: "只能降低角色" };
  }
  if (role !== CONFERENCE_ROLE.admin) {
    const left = admins(conference).filter((id) => !sessions.some((s) => s.member.memId === id));
    if (left.length === 0) return { result: RESULT.notAllowed, msg: "会议至少要有一位管理员" };
  }
  const full = overRole(conference, sessions, role);
  if (full !== null) return full;
  const before = admins(conference);
  for (const name of new Set(memNames)) conference.roles.set(name, role);
  keep(conference);
  for (const session of sessions) setRole(conference, session, role);
  refreshFlags(conference);
  tellAdmins(conference, before);
  return OK;
}

function overRole(
  conference: ConferenceState,
  sessions: readonly Session[],
  role: ConferenceRole,
): Verdict | null {
  const { limits } = conference.spec;
  const talks = role >= CONFERENCE_ROLE.talker;
  const coming = sessions.filter(
    ({ member }) => member.role >= CONFERENCE_ROLE.talker !== talks,
  ).length;
  if (coming === 0) return null;
  let there = 0;
  for (const { member } of conference.sessions.values())
    if (member.role >= CONFERENCE_ROLE.talker === talks) there += 1;
  if (there + coming <= (talks ? limits.maxTalkerCount : limits.maxAudienceCount)) return null;
  return talks
    ? { result: CONFR_RESULT.grantTalkerFailed, msg: "会议发言人数已达上限" }
    : { result: CONFR_RESULT.full, msg: "会议观众人数已达上限" };
}

export interface AttrChange {
  readonly key: string;
  readonly val: string;
  readonly op: "UPDATE" | "DEL";
}

/** Announced once, with the actual changes. Without changes there is no event. */
export function setAttributes(
  conference: ConferenceState,
  changes: readonly AttrChange[],
  muteAll: boolean | undefined,
  mayUnmute = false,
): Verdict {
  if (conference.ended) return { result: RESULT.conferenceGone, msg: "会议已结束" };
  const next = new Map(conference.cattrs);
  const done = new Map<string, AttrChange>();
  for (const { key, val, op } of changes) {
    if (op === "DEL") {
      if (next.delete(key)) done.set(key, { key, val: "", op });
    } else if (next.get(key) !== val) {
      next.set(key, val);
      done.set(key, { key, val, op });
    }
  }
  if (next.size > MAX_ATTRS) {
    return { result: RESULT.notAllowed, msg: `会议属性最多 ${MAX_ATTRS} 个` };
  }
  const before = muteOf(conference);
  const now = muteAll === undefined ? before : { muteAll, mayUnmute: muteAll && mayUnmute };
  const same = now.muteAll === before.muteAll && now.mayUnmute === (before.mayUnmute ?? false);
  const mutes = muteAll !== undefined && !same;
  if (done.size === 0 && !mutes) return OK;
  conference.cattrs.clear();
  for (const [key, val] of next) conference.cattrs.set(key, val);
  if (mutes) Object.assign(conference, now);
  // All members take the same from op 402.
  if (mutes) for (const session of conference.sessions.values()) bind(session);
  keep(conference);
  sendToMembers(conference, {
    op: OP.attributes,
    cattrs: [...done.values()],
    cstate: muteOf(conference),
  });
  refreshFlags(conference);
  return OK;
}
