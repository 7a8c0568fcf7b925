/** Raised hands (docs/conferences.md#raised-hands). Everybody sees them, in the order in which they were raised. */
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import { sendMemberChanged } from "./state.ts";
import type { Session, Verdict } from "./types.ts";

const OK: Verdict = { result: RESULT.ok };
const refuse = (msg: string): Verdict => ({ result: RESULT.notAllowed, msg });

/** A hand that is down stays down, and nothing is announced. */
export function lowerHand(session: Session): void {
  const { hand, ...member } = session.member;
  if (hand === undefined) return;
  session.member = member;
  sendMemberChanged(session.conference, session);
}

function raise(session: Session): void {
  const { conference, member } = session;
  if (member.hand !== undefined) return;
  const others = [...conference.sessions.values()].map((one) => (one.member.hand ?? 0) + 1);
  session.member = { ...member, hand: Math.max(conference.deps.clock.now(), ...others) };
  sendMemberChanged(conference, session);
}

/** Op 311. @param memIds the members whose hands an admin lowers; left out: the own hand */
export function setHand(session: Session, up: boolean, memIds?: readonly string[]): Verdict {
  if (memIds === undefined) {
    if (up) raise(session);
    else lowerHand(session);
    return OK;
  }
  if (up) return refuse("不能替他人举手");
  if (session.member.role !== CONFERENCE_ROLE.admin) return refuse("需要管理员角色");
  for (const memId of memIds) {
    const other = session.conference.sessions.get(memId);
    if (other !== undefined) lowerHand(other);
  }
  return OK;
}
