/**
 * Decides which packets of a stream the node forwards to no subscriber: the kinds that its publisher declares off, and the sound of
 * a member that an admin has muted. The node enforces it, so a client cannot bypass it.
 */
import { type ConfrStream } from "../../../shared/protocol/confr-signalling.ts";
import { CONFR_ROLE } from "../../../shared/domain/conference-types.ts";
import { RESULT, OP } from "../../../shared/protocol/signalling.ts";
import type { Held } from "../media-node/contracts.ts";
import { keep, sessionsOf, tell, tellChanged } from "./state.ts";
import type { Flags, ConferenceState, Session, StreamState, Verdict } from "./types.ts";

const MIXER = 2;

/** Whether an admin has muted this member or all members. Admins cannot be muted (docs/conferences.md#mute). */
export const isSilenced = ({ conference, member }: Session): boolean =>
  member.role !== CONFR_ROLE.admin && (conference.muteAll || conference.muted.has(member.memName));

/**
 * The flags of a stream as all members see them.
 *
 * @param said the flags declared by its publisher
 */
export function flagsOf(owner: Session, type: ConfrStream["type"], said: Flags): Flags {
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
  tell(conference, { op: OP.streamControl, streamId, memId, voff, aoff });
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
  if (on && sessions.some(({ member }) => member.role === CONFR_ROLE.admin)) {
    return { result: RESULT.notAllowed, msg: "不能将主持人静音" };
  }
  if (conference.muted.has(memName) === on) return { result: RESULT.ok };
  if (on) conference.muted.add(memName);
  else conference.muted.delete(memName);
  keep(conference);
  for (const session of sessions) {
    session.member = { ...session.member, muted: on };
    tellChanged(conference, session);
  }
  refreshFlags(conference);
  return { result: RESULT.ok };
}
