/**
 * What members tell each other through the server (ops 1001, 1002, 1003): requests, their answers, texts. The server looks at
 * op2 alone, at who may, and at what the other one accepts (docs/conferences.md#requests).
 */
import {
  type ConferenceClientSignal,
  type ControlArg,
  OP2,
  readArg,
  REQUIRED_OPS,
} from "../../../shared/protocol/confr-signalling.ts";
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import { RESULT, OP } from "../../../shared/protocol/signalling.ts";
import { setMuted } from "./holding.ts";
import { reachable, sendToMember } from "./state.ts";
import type { ConferenceState, Session, Verdict } from "./types.ts";

type Frame<O extends number> = Extract<ConferenceClientSignal, { op: O }>;

const OK: Verdict = { result: RESULT.ok };
const NOT_HERE: Verdict = { result: RESULT.notFound, msg: "成员不在会议中或未连接" };
const NOT_ACCEPTED: Verdict = { result: RESULT.notFound, msg: "对方不接受该操作" };
const refuse = (msg: string): Verdict => ({ result: RESULT.notAllowed, msg });
/** Open requests of one conference. The oldest are dropped first. */
const MAX_ASKED = 1000;
/** Requests that are delivered even if the recipient has not declared to accept them. */
const EXEMPT: readonly number[] = [OP2.talkerRequest, OP2.adminRequest, OP2.mute, OP2.unmute];

/** What the other member must have declared to be sent this request. */
function requiredOps({ op2 = 0, ...fields }: ControlArg): readonly number[] {
  if (EXEMPT.includes(op2)) return [];
  if (op2 === OP2.panelControl) return [REQUIRED_OPS.panel];
  const needed = Object.entries(REQUIRED_OPS)
    .filter(([field]) => op2 === OP2.mediaControl && fields[field] !== undefined)
    .map(([, op]) => op);
  return needed.length > 0 ? needed : [OP.controlRequest];
}

const keyOf = (from: string, to: string, tsxId: string): string => `${from}\n${to}\n${tsxId}`;

/** @param lost whether a member with a lost socket is acceptable */
function target(session: Session, memId: string, lost = false): Session | Verdict {
  if (memId === session.member.memId) return refuse("不能对自己操作");
  const other = session.conference.sessions.get(memId);
  return other === undefined || (other.socket === null && !lost) ? NOT_HERE : other;
}

/**
 * Op 1002.
 *
 * @returns ok when the request was passed on; the answer comes by op 1001 from the other member
 */
export function ask(session: Session, frame: Frame<typeof OP.controlRequest>): Verdict {
  const { conference, member } = session;
  const { tsxId, memId, arg } = frame;
  const request = readArg(arg) ?? {};
  const { op2 = 0 } = request;
  const mutes = op2 === OP2.mute || op2 === OP2.unmute;
  // An admin's mute also applies to a member whose socket was just lost, because its media continue.
  const other = target(session, memId, mutes);
  if ("result" in other) return other;
  if (mutes) {
    if (member.role !== CONFERENCE_ROLE.admin) return refuse("需要管理员角色");
    const verdict = setMuted(conference, other.member.memName, op2 === OP2.mute);
    if (verdict.result !== RESULT.ok) return verdict;
  }
  if (
    (op2 === OP2.talkerRequest || op2 === OP2.adminRequest) &&
    other.member.role !== CONFERENCE_ROLE.admin
  ) {
    return refuse("对方不是管理员");
  }
  if (!requiredOps(request).every((op) => other.member.acptOps.includes(op))) return NOT_ACCEPTED;
  const passed = {
    op: OP.controlRequest,
    tsxId,
    sessId: other.sessId,
    memId: member.memId,
    arg,
  } as const;
  if (mutes) sendToMember(other, passed);
  else if (other.socket?.send(passed) !== true) return NOT_HERE;
  remember(conference, keyOf(member.memId, memId, tsxId));
  return OK;
}

function remember(conference: ConferenceState, key: string): void {
  const { clock, timings } = conference.deps;
  const now = clock.now();
  // Ordered by time, so expired requests come first.
  for (const [old, at] of conference.asked) {
    if (now - at < timings.ask && conference.asked.size < MAX_ASKED) break;
    conference.asked.delete(old);
  }
  conference.asked.delete(key);
  conference.asked.set(key, now);
}

/** Op 1001: the asked member answers each request once. */
export function respond(session: Session, frame: Frame<typeof OP.response>): Verdict {
  const { conference, member } = session;
  const { tsxId, memId, result, arg } = frame;
  const key = keyOf(memId, member.memId, tsxId);
  const at = conference.asked.get(key);
  if (at === undefined || conference.deps.clock.now() - at >= conference.deps.timings.ask) {
    return refuse("没有待回应的请求");
  }
  const other = target(session, memId);
  if ("result" in other) return other;
  const sent = other.socket?.send({
    op: OP.response,
    tsxId,
    sessId: other.sessId,
    memId: member.memId,
    result,
    arg,
  });
  if (sent !== true) return NOT_HERE;
  conference.asked.delete(key);
  return OK;
}

/** Op 1003: a text to one member or to all that accept texts. */
export function sendText(session: Session, frame: Frame<typeof OP.message>, at: number): Verdict {
  const { conference, member } = session;
  const { memId: to, id, arg } = frame;
  const accepts = (other: Session): boolean => other.member.acptOps.includes(OP.message);
  const send = (other: Session): boolean =>
    other.socket?.send({
      op: OP.message,
      sessId: other.sessId,
      memId: member.memId,
      arg,
      ...(id === undefined ? {} : { id }),
      at,
      ...(to === undefined ? {} : { to }),
    }) === true;
  if (to === undefined) {
    for (const other of reachable(conference)) if (other !== session && accepts(other)) send(other);
    return OK;
  }
  const other = target(session, to);
  if ("result" in other) return other;
  if (!accepts(other)) return NOT_ACCEPTED;
  return send(other) ? OK : NOT_HERE;
}
