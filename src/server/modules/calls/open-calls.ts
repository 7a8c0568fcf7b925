/**
 * Who is inside which call now, and what they send each other. No socket, no database, no frame
 * parsing here: a socket is whatever carries frames to one member, so the rules are tested with a clock and arrays.
 *
 * Kept in this process alone: of several, one is the call's home (docs/server.md#several-processes), and all its members' sockets come there.
 */
import {
  END_REASON,
  OP,
  RESULT,
  type Member,
  type PeerMessage,
  type ServerSignal,
  WS_CLOSE,
} from "../../../shared/protocol/signalling.ts";
import type { Clock } from "../../base/module.ts";
import type { MoveRequest } from "../../../shared/protocol/call-move.ts";
import {
  type Call,
  createArriving,
  type FrameSink,
  type MutableSession,
  type Session,
  type Sides,
} from "./arriving.ts";

export interface CallTimings {
  /** Milliseconds for which a member stays after its socket was lost. */
  readonly grace: number;
  /** Milliseconds for which an empty conference stays open. */
  readonly empty: number;
  /** ms between a terminate and the closing of the sessions. */
  readonly close: number;
}
export const CALL_TIMINGS: CallTimings = { grace: 20_000, empty: 60_000, close: 500 };

interface Entry {
  readonly conferenceId: string;
  readonly sides: Sides;
  readonly member: Member;
  /** Id of the session to resume. */
  readonly sessId: string | undefined;
  readonly socket: FrameSink;
}

interface Entered {
  readonly session: Session;
  readonly resumed: boolean;
  readonly mems: Member[];
}

export interface OpenCalls {
  /** @returns null when the conference has ended meanwhile */
  enter(entry: Entry): Entered | null;
  /**
   * Enters beside the device of this member that has the call; if `sessId` is that device's, it resumes.
   *
   * @returns null when no device of this member has the call now
   */
  enterBeside(entry: Entry): Entered | null;
  /** The session's socket is lost: the grace time begins. Does nothing when another socket has taken over. */
  drop(session: Session, socket: FrameSink): void;
  leave(session: Session): void;
  /** @returns a result code of RESULT */
  relay(session: Session, to: string, body: PeerMessage): number;
  /** The steps of docs/calls.md#to-another-device. @returns a result code of RESULT */
  move(session: Session, request: MoveRequest): number;
  /** Whether another device of this member has the call. */
  isArriving(session: Session): boolean;
  /** Notifies the others, closes all sockets after a moment, and reports the end. */
  terminate(session: Session, reason: number): void;
  /** As `terminate`, by the server: all members are notified. */
  abort(conferenceId: string, reason: number): void;
  /** The open calls in which this member is. */
  callIdsOf(memId: string): string[];
  /** @returns null for a call that is not open here */
  sidesOf(conferenceId: string): Sides | null;
  /** Number of calls other than `except` in which this member has a socket. */
  countSockets(memId: string, except: string): number;
  readonly memberCount: number;
  /** Open calls with members inside. */
  activeIds(): string[];
  /** Number of members in each of them. */
  members(): ReadonlyMap<string, number>;
  /** Idempotent: cancels all timers and closes all sockets; ends no call. */
  stop(): void;
}

/**
 * @param deps.newId makes session ids
 * @param deps.onEnded called once per conference, with an END_REASON or the reason that a member gave
 */
export function createOpenCalls(deps: {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly onEnded: (conferenceId: string, reason: number) => void;
  /** A member came or left. */
  readonly onMembers?: (conferenceId: string) => void;
  readonly timings?: CallTimings;
}): OpenCalls {
  const { clock, newId, onEnded } = deps;
  const timings = deps.timings ?? CALL_TIMINGS;
  const changed = deps.onMembers ?? (() => undefined);
  const calls = new Map<string, Call>();

  const others = (call: Call, memId: string): MutableSession[] =>
    [...call.members.values()].filter((s) => s.member.memId !== memId);

  function tellOthers(
    call: Call,
    memId: string,
    frame: (to: MutableSession) => ServerSignal,
  ): void {
    for (const session of others(call, memId)) session.socket?.send(frame(session));
  }

  function findCurrent(session: Session): { call: Call; own: MutableSession } | null {
    const call = calls.get(session.conferenceId);
    const own = call?.members.get(session.member.memId);
    return call !== undefined && own !== undefined && own === session ? { call, own } : null;
  }

  const arriving = createArriving({ calls, newId, tellOthers, changed });

  function end(call: Call, reason: number): void {
    if (call.ended) return;
    call.ended = true;
    for (const { socket, sessId } of call.arriving.values()) {
      socket?.send({ op: OP.terminate, sessId, endReason: reason });
    }
    changed(call.conferenceId);
    call.timer?.cancel();
    call.timer = clock.setTimeout(() => {
      calls.delete(call.conferenceId);
      for (const session of call.members.values()) {
        session.grace?.cancel();
        const socket = session.socket;
        session.socket = null;
        socket?.close(1000, "conference ended");
      }
      for (const { socket } of call.arriving.values()) socket?.close(1000, "conference ended");
      call.arriving.clear();
      call.members.clear();
    }, timings.close);
    onEnded(call.conferenceId, reason);
  }

  function remove(call: Call, session: MutableSession, reason: number): void {
    session.grace?.cancel();
    session.grace = null;
    session.socket = null;
    call.members.delete(session.member.memId);
    if (call.ended) return;
    changed(call.conferenceId);
    const { memId } = session.member;
    tellOthers(call, memId, (to) => ({
      op: OP.memberExited,
      sessId: to.sessId,
      memId,
      endReason: reason,
    }));
    if (call.members.size > 0) return;
    call.timer?.cancel();
    call.timer = clock.setTimeout(() => end(call, END_REASON.offline), timings.empty);
  }

  function open(conferenceId: string, sides: Sides): Call {
    const inside = { members: new Map(), arriving: new Map() };
    const call = { conferenceId, sides, ...inside, timer: null, ended: false };
    calls.set(conferenceId, call);
    return call;
  }

  function enter({ conferenceId, sides, member, sessId, socket }: Entry): Entered | null {
    const call = calls.get(conferenceId) ?? open(conferenceId, sides);
    if (call.ended) return null;
    call.timer?.cancel();
    call.timer = null;
    const former = call.members.get(member.memId);
    const resumed = former !== undefined && former.sessId === sessId;
    const wasAway = former === undefined || former.socket === null;
    const formerSocket = former?.socket ?? null;
    former?.grace?.cancel();
    let session: MutableSession;
    if (former !== undefined && resumed) {
      session = former;
      session.socket = socket;
      session.grace = null;
    } else {
      if (former !== undefined) former.socket = null;
      session = { sessId: newId(), conferenceId, member, socket, grace: null };
      call.members.set(member.memId, session);
    }
    if (formerSocket !== null && formerSocket !== socket)
      formerSocket.close(WS_CLOSE.replaced, "entered elsewhere");
    // A resume before the others could notice a loss changes nothing for them.
    if (!resumed || wasAway) {
      tellOthers(call, member.memId, (to) => ({
        op: OP.memberEntered,
        sessId: to.sessId,
        mem: session.member,
      }));
    }
    if (!resumed) changed(conferenceId);
    return { session, resumed, mems: others(call, member.memId).map((s) => s.member) };
  }

  return {
    enter,
    enterBeside(entry) {
      const { conferenceId, member, socket } = entry;
      const call = calls.get(conferenceId);
      if (call === undefined || call.ended) return null;
      // The answer to `take` may have been lost: the device that comes back has the call by then.
      const own = call.members.get(member.memId);
      if (own !== undefined && own.sessId === entry.sessId) return enter(entry);
      const session = arriving.begin(call, member, socket);
      const mems = others(call, member.memId).map((other) => other.member);
      return session === null ? null : { session, resumed: false, mems };
    },
    drop(session, socket) {
      const coming = arriving.findArriving(session);
      if (coming !== null && coming.own.socket === socket)
        return arriving.giveUp(coming.call, coming.own);
      const found = findCurrent(session);
      if (found === null || found.own.socket !== socket) return;
      const { call, own } = found;
      own.socket = null;
      if (call.ended) return;
      own.grace?.cancel();
      own.grace = clock.setTimeout(() => remove(call, own, END_REASON.offline), timings.grace);
    },
    leave(session) {
      const coming = arriving.findArriving(session);
      if (coming !== null) return arriving.giveUp(coming.call, coming.own);
      const found = findCurrent(session);
      if (found !== null) remove(found.call, found.own, END_REASON.hangup);
    },
    relay(session, to, body) {
      const coming = arriving.findArriving(session);
      const found = findCurrent(session) ?? coming;
      if (found === null) return RESULT.clientFailure;
      if (found.call.ended) return RESULT.conferenceGone;
      if (to === session.member.memId) return RESULT.notAllowed;
      if (coming !== null) {
        if (body.op === OP.terminate || body.op === OP.growth) return RESULT.notAllowed;
        if (body.op === OP.offer) coming.own.rtcIds.add(body.rtcId);
      }
      const target = arriving.deviceOf(found.call, to, body);
      const sent = target?.socket?.send({
        op: OP.relay,
        sessId: target.sessId,
        from: session.member.memId,
        body,
      });
      return sent === true ? RESULT.ok : RESULT.notFound;
    },
    move: arriving.move,
    isArriving: (session) => arriving.findArriving(session) !== null,
    terminate(session, reason) {
      const found = findCurrent(session);
      if (found === null || found.call.ended) return;
      const { memId } = session.member;
      tellOthers(found.call, memId, (to) => ({
        op: OP.terminate,
        sessId: to.sessId,
        from: memId,
        endReason: reason,
      }));
      end(found.call, reason);
    },
    abort(conferenceId, reason) {
      const call = calls.get(conferenceId);
      if (call === undefined || call.ended) return;
      for (const { socket, sessId } of call.members.values()) {
        socket?.send({ op: OP.terminate, sessId, endReason: reason });
      }
      end(call, reason);
    },
    callIdsOf: (memId) =>
      [...calls.values()]
        .filter((call) => !call.ended && call.members.has(memId))
        .map(({ conferenceId }) => conferenceId),
    sidesOf: (conferenceId) => calls.get(conferenceId)?.sides ?? null,
    countSockets(memId, except) {
      let count = 0;
      for (const call of calls.values()) {
        if (call.conferenceId === except) continue;
        const socket = call.members.get(memId)?.socket;
        if (socket !== undefined && socket !== null) count += 1;
      }
      return count;
    },
    get memberCount() {
      let count = 0;
      for (const call of calls.values()) count += call.members.size;
      return count;
    },
    activeIds: () =>
      [...calls.values()].filter((r) => !r.ended && r.members.size > 0).map((r) => r.conferenceId),
    members: () =>
      new Map(
        [...calls.values()]
          .filter((r) => !r.ended && r.members.size > 0)
          .map((r) => [r.conferenceId, r.members.size] as const),
      ),
    stop() {
      for (const call of calls.values()) {
        call.timer?.cancel();
        for (const session of [...call.members.values(), ...call.arriving.values()]) {
          session.grace?.cancel();
          const socket = session.socket;
          session.socket = null;
          socket?.close(WS_CLOSE.shutdown, "server is stopping");
        }
      }
      calls.clear();
    },
  };
}
