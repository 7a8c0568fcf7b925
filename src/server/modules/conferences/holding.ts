/**
 * Decides which packets of a stream the node forwards to no subscriber: the kinds that its publisher declares off, and the sound of
 * a member that an admin has muted. The node enforces it, so a client cannot bypass it.
 */
import { type ConferenceStream } from "../../../shared/protocol/confr-model.ts";
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import { RESULT, OP } from "../../../shared/protocol/signalling.ts";
import type { Held } from "../media-node/contracts.ts";
import { keep, sessionsOf, sendToMembers, sendMemberChanged } from "./state.ts";
import type { Flags, ConferenceState, Session, StreamState, Verdict } from "./types.ts";

const MIXER = 2;

/** Whether an admin has muted this member or all members. Admins cannot be muted (docs/conferences.md#mute). */
export const isSilenced = ({ conference, member }: Session): boolean =>
  member.role !== CONFERENCE_ROLE.admin &&
  (conference.muted.has(member.memName) || (conference.muteAll && member.free !== true));

/** Takes back that the member may be heard although all are muted. */
export function bind(session: Session): void {
  const { free, ...member } = session.member;
  if (free === true) session.member = member;
}

/**
 * A member turns its sound on. While all are muted and may unmute themselves, this frees it. A client that knows nothing of the mute says
 * that its sound is on whenever it turns its camera on or off, so a frame that changes the picture frees only who had declared the sound off.
 */
export function unmuteOneself(session: Session, said: Flags, { voff, aoff }: Flags): void {
  const { conference, member } = session;
  if (!conference.muteAll || !conference.mayUnmute || aoff === 1) return;
  if (!isSilenced(session) || conference.muted.has(member.memName)) return;
  if (said.aoff === 0 && said.voff !== voff) return;
  session.member = { ...member, free: true };
  sendMemberChanged(conference, session);
}

/**
 * The flags of a stream as all members see them.
 *
 * @param said the flags declared by its publisher
 */
export function flagsOf(owner: Session, type: ConferenceStream["type"], said: Flags): Flags {
  return {
    // A mixer has no picture. A picture declared as a mixer's would not be counted.
    voff: type === MIXER ? 1 : said.voff,
    aoff: isSilenced(owner) ? 1 : said.aoff,
  };
}

export const heldOf = ({ voff, aoff }: Flags): Held => ({ video: voff === 1, audio: aoff === 1 });

/**
 * Updates node and members to the current flags of a stream.
 *
 * @returns whether the flags have changed
 */
export function applyFlags(conference: ConferenceState, stream: StreamState): boolean {
  const { info, said, owner } = stream;
  const flags = flagsOf(owner, info.type, said);
  if (flags.voff === info.voff && flags.aoff === info.aoff) return false;
  stream.info = { ...info, ...flags };
  conference.deps.onStreamHeld(stream);
  return true;
}

export function tellFlags(conference: ConferenceState, { info }: StreamState): void {
  const { id: streamId, memId, voff, aoff } = info;
  sendToMembers(conference, { op: OP.streamControl, streamId, memId, voff, aoff });
}

/** Must be called after a change of roles or mutes. */
export function refreshFlags(conference: ConferenceState): void {
  for (const stream of conference.streams.values()) {
    if (applyFlags(conference, stream)) tellFlags(conference, stream);
  }
}

/** Mutes one person on all devices until an admin unmutes the person. The caller must be an admin. */
export function setMuted(conference: ConferenceState, memName: string, on: boolean): Verdict {
  const sessions = sessionsOf(conference, memName);
  if (on && sessions.some(({ member }) => member.role === CONFERENCE_ROLE.admin)) {
    return { result: RESULT.notAllowed, msg: "不能将主持人静音" };
  }
  // An admin lets a person speak while all are muted.
  const frees = !on && conference.muteAll && sessions.some(isSilenced);
  if (conference.muted.has(memName) === on && !frees) return { result: RESULT.ok };
  if (on) conference.muted.add(memName);
  else conference.muted.delete(memName);
  keep(conference);
  for (const session of sessions) {
    const { hand, free: _free, ...member } = session.member;
    // A raised hand asked for the sound.
    const kept = on && hand !== undefined ? { hand } : {};
    session.member = { ...member, muted: on, ...kept, ...(frees ? { free: true } : {}) };
    sendMemberChanged(conference, session);
  }
  refreshFlags(conference);
  return { result: RESULT.ok };
}
