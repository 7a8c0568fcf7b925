/**
 * A member of a call goes on on another device (docs/calls.md#to-another-device): that one enters beside the one that has the call, and
 * takes its place. Until then the call is the first device's, and the other one can neither end it nor be ended by it.
 */
import type { MoveRequest } from "../../../shared/protocol/call-move.ts";
import {
  END_REASON,
  type Member,
  OP,
  type PeerMessage,
  RESULT,
  type ServerSignal,
  WS_CLOSE,
} from "../../../shared/protocol/signalling.ts";
import type { FrameSink as Sink } from "../../base/signalling/contracts.ts";

export type FrameSink = Sink<ServerSignal>;

export interface Session {
  readonly sessId: string;
  readonly conferenceId: string;
  readonly member: Member;
  /** Null while the socket is lost and the grace time runs. */
  readonly socket: FrameSink | null;
}

export interface MutableSession extends Session {
  socket: FrameSink | null;
  grace: { cancel(): void } | null;
}

/** A device of a member that takes the call over from the one that has it. */
interface Arriving extends MutableSession {
  /** It has got the description of the call. */
  knowsCall: boolean;
  /** The connections that it has offered. */
  readonly rtcIds: Set<string>;
  /** The other side has answered one of them. */
  answered: boolean;
}

/** Chat user names of the two people of a call: the caller and the callee. */
export type Sides = readonly [caller: string, callee: string];

export interface Call {
  readonly conferenceId: string;
  readonly sides: Sides;
  readonly members: Map<string, MutableSession>;
  readonly arriving: Map<string, Arriving>;
  timer: { cancel(): void } | null;
  ended: boolean;
}

export interface ArrivingDevices {
  /** @returns null for a session that has the call, or is over */
  findArriving(session: Session): { readonly call: Call; readonly own: Arriving } | null;
  /** @returns null when no device of this member has the call now */
  begin(call: Call, member: Member, socket: FrameSink): Arriving | null;
  /** The device that has the call keeps it. */
  giveUp(call: Call, own: Arriving): void;
  /** The device that gets a message for this member: what belongs to a connection goes to the one that offered it. */
  deviceOf(call: Call, memId: string, body: PeerMessage): MutableSession | undefined;
  /** @returns a result code of RESULT */
  move(session: Session, request: MoveRequest): number;
}

export function createArriving(deps: {
  readonly calls: ReadonlyMap<string, Call>;
  readonly newId: () => string;
  readonly tellOthers: (
    call: Call,
    memId: string,
    frame: (to: MutableSession) => ServerSignal,
  ) => void;
  readonly changed: (conferenceId: string) => void;
}): ArrivingDevices {
  const { calls, newId, tellOthers, changed } = deps;

  const findArriving = (session: Session): { call: Call; own: Arriving } | null => {
    const call = calls.get(session.conferenceId);
    const own = call?.arriving.get(session.member.memId);
    return call !== undefined && own !== undefined && own === session ? { call, own } : null;
  };

  function giveUp(call: Call, own: Arriving): void {
    own.socket = null;
    call.arriving.delete(own.member.memId);
    const owner = call.members.get(own.member.memId);
    owner?.socket?.send({
      op: OP.move,
      sessId: owner.sessId,
      move: { step: "drop", renew: own.answered },
    });
  }

  function begin(call: Call, member: Member, socket: FrameSink): Arriving | null {
    const owner = call.members.get(member.memId);
    if (owner === undefined || owner.socket === null) return null;
    const former = call.arriving.get(member.memId);
    if (former !== undefined) {
      const { socket: formerSocket } = former;
      giveUp(call, former);
      formerSocket?.close(WS_CLOSE.replaced, "entered elsewhere");
    }
    const own: Arriving = {
      sessId: newId(),
      conferenceId: call.conferenceId,
      member,
      socket,
      grace: null,
      knowsCall: false,
      rtcIds: new Set(),
      answered: false,
    };
    call.arriving.set(member.memId, own);
    owner.socket.send({ op: OP.move, sessId: owner.sessId, move: { step: "ask" } });
    return own;
  }

  /** The device takes the place of the one that had the call. */
  function replaceFormer(call: Call, own: Arriving): void {
    const { member } = own;
    const former = call.members.get(member.memId);
    call.arriving.delete(member.memId);
    call.members.set(member.memId, own);
    if (former !== undefined) {
      const { socket, sessId } = former;
      former.grace?.cancel();
      former.socket = null;
      socket?.send({ op: OP.terminate, sessId, endReason: END_REASON.otherDevice });
      socket?.close(WS_CLOSE.replaced, "goes on elsewhere");
    }
    tellOthers(call, member.memId, (to) => ({
      op: OP.memberEntered,
      sessId: to.sessId,
      mem: member,
    }));
    changed(call.conferenceId);
  }

  function deviceOf(call: Call, memId: string, body: PeerMessage): MutableSession | undefined {
    const coming = call.arriving.get(memId);
    if (coming !== undefined && coming.rtcIds.size > 0) {
      const known = "rtcId" in body && coming.rtcIds.has(body.rtcId);
      if (known && body.op === OP.answer) coming.answered = true;
      // A new offer meets the one that comes, as between two tabs of a person.
      if (known || (body.op === OP.offer && !body.iceRestart)) return coming;
    }
    return call.members.get(memId);
  }

  return {
    findArriving,
    begin,
    giveUp,
    deviceOf,
    move(session, request) {
      const { memId } = session.member;
      if (request.step === "take") {
        const coming = findArriving(session);
        if (coming === null || !coming.own.knowsCall) return RESULT.notAllowed;
        if (coming.call.ended) return RESULT.conferenceGone;
        replaceFormer(coming.call, coming.own);
        return RESULT.ok;
      }
      const call = calls.get(session.conferenceId);
      const coming = call?.members.get(memId) === session ? call.arriving.get(memId) : undefined;
      if (coming === undefined) return RESULT.notFound;
      coming.knowsCall = request.step === "call";
      coming.socket?.send({ op: OP.move, sessId: coming.sessId, move: request });
      return RESULT.ok;
    },
  };
}
