import { beforeEach, describe, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../../host.harness.ts";
import {
  END_REASON,
  OP,
  RESULT,
  type Member,
  type ServerSignal,
  WS_CLOSE,
} from "../../../shared/protocol/signalling.ts";
import type { FrameSink } from "./arriving.ts";
import { createOpenCalls, CALL_TIMINGS, type OpenCalls } from "./open-calls.ts";

interface FakeSocket extends FrameSink {
  readonly frames: ServerSignal[];
  code: number | null;
  up: boolean;
}

const fakeSocket = (): FakeSocket => {
  const socket: FakeSocket = {
    frames: [],
    code: null,
    up: true,
    send(frame) {
      if (socket.up) socket.frames.push(frame);
      return socket.up;
    },
    close(code) {
      socket.code ??= code;
    },
  };
  return socket;
};

const member = (name: string, role: 7 | 3): Member => ({
  memId: name,
  memName: name,
  nickName: "",
  role,
});
const answer = { op: OP.answer, rtcId: "r1", sdp: "v=0" } as const;

describe("Open calls", () => {
  let clock: ManualClock;
  let calls: OpenCalls;
  let ended: [string, number][];
  let serial: number;

  beforeEach(() => {
    clock = createManualClock();
    ended = [];
    serial = 0;
    calls = createOpenCalls({
      clock,
      newId: () => `s${(serial += 1)}`,
      onEnded: (id, reason) => ended.push([id, reason]),
    });
  });

  const enter = (name: string, socket: FrameSink, sessId?: string, conferenceId = "c1") => {
    const entered = calls.enter({
      conferenceId,
      sides: ["a", "b"],
      member: member(name, name === "a" ? 7 : 3),
      sessId,
      socket,
    });
    if (entered === null) throw new Error("the conference has ended");
    return entered;
  };

  it("announce a new member to those inside, and tell the new member who is inside", () => {
    const [a, b] = [fakeSocket(), fakeSocket()];
    expect(enter("a", a).mems).toEqual([]);
    expect(enter("b", b).mems).toEqual([member("a", 7)]);
    expect(a.frames).toEqual([{ op: OP.memberEntered, sessId: "s1", mem: member("b", 3) }]);
    expect(b.frames).toEqual([]);
  });

  it("resume a live session without an event for the others and close the former socket", () => {
    const [a1, a2, b] = [fakeSocket(), fakeSocket(), fakeSocket()];
    const { session } = enter("a", a1);
    enter("b", b);
    const again = enter("a", a2, session.sessId);
    expect(again).toMatchObject({ resumed: true, session: { sessId: "s1" } });
    expect(a1.code).toBe(WS_CLOSE.replaced);
    expect(b.frames).toEqual([]);
    // The former socket closes late and must not end the session.
    calls.drop(session, a1);
    clock.advance(CALL_TIMINGS.grace * 2);
    expect(b.frames).toEqual([]);
    expect(calls.relay(enter("b", b, "s2").session, "a", answer)).toBe(RESULT.ok);
    expect(a2.frames.at(-1)).toMatchObject({ op: OP.relay, from: "b", sessId: "s1" });
  });

  it("replace a session when its id is not given, and announce that the member entered again", () => {
    const [a1, a2, b] = [fakeSocket(), fakeSocket(), fakeSocket()];
    const former = enter("a", a1).session;
    enter("b", b);
    expect(enter("a", a2)).toMatchObject({ resumed: false, session: { sessId: "s3" } });
    expect(a1.code).toBe(WS_CLOSE.replaced);
    expect(b.frames.map((f) => f.op)).toEqual([OP.memberEntered]);
    expect(calls.relay(former, "b", answer)).toBe(RESULT.clientFailure);
    expect(calls.memberCount).toBe(2);
  });

  it("keep a lost member during the grace time, refuse relays to it immediately, and announce its return", () => {
    const [a, b1, b2] = [fakeSocket(), fakeSocket(), fakeSocket()];
    const own = enter("a", a).session;
    const lost = enter("b", b1).session;
    calls.drop(lost, b1);
    expect(calls.relay(own, "b", answer)).toBe(RESULT.notFound);
    clock.advance(CALL_TIMINGS.grace - 1);
    expect(a.frames.map((f) => f.op)).toEqual([OP.memberEntered]);
    expect(enter("b", b2, lost.sessId).resumed).toBe(true);
    expect(a.frames.map((f) => f.op)).toEqual([OP.memberEntered, OP.memberEntered]);
    clock.advance(CALL_TIMINGS.grace * 2);
    expect(calls.relay(own, "b", answer)).toBe(RESULT.ok);
    expect(a.frames).toHaveLength(2);
  });

  it("announce offline after the grace time, and end the conference a minute after the last member", () => {
    const [a, b] = [fakeSocket(), fakeSocket()];
    const sa = enter("a", a).session;
    const sb = enter("b", b).session;
    calls.drop(sb, b);
    clock.advance(CALL_TIMINGS.grace);
    expect(a.frames.at(-1)).toEqual({
      op: OP.memberExited,
      sessId: "s1",
      memId: "b",
      endReason: END_REASON.offline,
    });
    calls.leave(sa);
    clock.advance(CALL_TIMINGS.empty - 1);
    expect(ended).toEqual([]);
    clock.advance(1);
    expect(ended).toEqual([["c1", END_REASON.offline]]);
    clock.advance(CALL_TIMINGS.close);
    expect(clock.pending).toBe(0);
  });

  it("do not end an empty conference that is entered again in time", () => {
    const a = fakeSocket();
    calls.leave(enter("a", a).session);
    clock.advance(CALL_TIMINGS.empty - 1);
    enter("a", a);
    clock.advance(CALL_TIMINGS.empty * 2);
    expect(ended).toEqual([]);
  });

  it("terminate a call: announce the end once, close both sockets half a second later, and admit nobody", () => {
    const [a, b] = [fakeSocket(), fakeSocket()];
    const sa = enter("a", a).session;
    const sb = enter("b", b).session;
    calls.terminate(sa, END_REASON.reject);
    calls.terminate(sb, END_REASON.hangup);
    expect(b.frames.at(-1)).toEqual({
      op: OP.terminate,
      sessId: sb.sessId,
      from: "a",
      endReason: END_REASON.reject,
    });
    expect(ended).toEqual([["c1", END_REASON.reject]]);
    expect(calls.relay(sb, "a", answer)).toBe(RESULT.conferenceGone);
    expect(
      calls.enter({
        conferenceId: "c1",
        sides: ["a", "b"],
        member: member("a", 7),
        sessId: undefined,
        socket: fakeSocket(),
      }),
    ).toBeNull();
    clock.advance(CALL_TIMINGS.close - 1);
    expect([a.code, b.code]).toEqual([null, null]);
    clock.advance(1);
    expect([a.code, b.code]).toEqual([1000, 1000]);
    expect(calls.memberCount).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it("relay only to members of the same conference", () => {
    const [a, b, c] = [fakeSocket(), fakeSocket(), fakeSocket()];
    const sa = enter("a", a).session;
    enter("b", b);
    enter("c", c, undefined, "c2");
    expect(calls.relay(sa, "c", answer)).toBe(RESULT.notFound);
    expect(calls.relay(sa, "a", answer)).toBe(RESULT.notAllowed);
    b.up = false;
    expect(calls.relay(sa, "b", answer)).toBe(RESULT.notFound);
    expect(c.frames).toEqual([]);
  });

  it("keep no memory of a thousand calls that came and went", () => {
    for (let i = 0; i < 1000; i += 1) {
      const [a, b] = [fakeSocket(), fakeSocket()];
      const sa = enter("a", a, undefined, `c${i}`).session;
      const sb = enter("b", b, undefined, `c${i}`).session;
      if (i % 3 === 0) calls.terminate(sa, END_REASON.hangup);
      else if (i % 3 === 1) calls.drop(sb, b);
      else calls.leave(sb);
      calls.drop(sa, a);
      clock.advance(10);
    }
    clock.advance(CALL_TIMINGS.grace);
    expect(calls.memberCount).toBe(0);
    clock.advance(CALL_TIMINGS.empty + CALL_TIMINGS.close);
    expect(ended).toHaveLength(1000);
    expect(new Set(ended.map(([id]) => id)).size).toBe(1000);
    expect(calls.activeIds()).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it("stop without leaving a timer and without ending any conference", () => {
    const [a, b] = [fakeSocket(), fakeSocket()];
    enter("a", a);
    calls.drop(enter("b", b).session, b);
    calls.stop();
    calls.stop();
    expect(a.code).toBe(WS_CLOSE.shutdown);
    expect(clock.pending).toBe(0);
    expect(ended).toEqual([]);
  });
});
