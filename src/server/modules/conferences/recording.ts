/**
 * Recordings by members (op 500, docs/conferences.md#recording). The member's own tab records; the server checks who may, and says it to
 * all members. A member may record several connections; the mark stays until the last one ends.
 */
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import { sendMemberChanged } from "./state.ts";
import type { Session, Verdict } from "./types.ts";

/** Most connections that a member records at a time; those of a conference are far fewer. */
const MOST = 200;

export function setRecording(
  session: Session,
  rtcId: string,
  on: boolean,
  isConnected: (session: Session, rtcId: string) => boolean,
): Verdict {
  const { recorded: own } = session;
  if (!on) {
    if (own.delete(rtcId) && own.size === 0) show(session, false);
    return { result: RESULT.ok };
  }
  if (session.member.role === CONFERENCE_ROLE.audience) {
    return { result: RESULT.notAllowed, msg: "观众不能录制" };
  }
  if (!isConnected(session, rtcId)) {
    return { result: RESULT.notFound, msg: "record requires a linked stream" };
  }
  if (own.size >= MOST) return { result: RESULT.notAllowed, msg: "同时录制的流过多" };
  own.add(rtcId);
  show(session, true);
  return { result: RESULT.ok };
}

/** Who becomes audience records no longer. */
export function endRecording(session: Session): void {
  session.recorded.clear();
  show(session, false);
}

function show(session: Session, on: boolean): void {
  const { recording, ...member } = session.member;
  if ((recording !== undefined) === on) return;
  session.member = on ? { ...member, recording: session.conference.deps.clock.now() } : member;
  sendMemberChanged(session.conference, session);
}
