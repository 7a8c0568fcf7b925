import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openSocket, type TestHost, until } from "../../host.harness.ts";
import {
  END_REASON,
  OP,
  serverSignalSchema,
  WS_CLOSE,
} from "../../../shared/protocol/signalling.ts";
import { createCall, enter, open, startHost } from "./call.harness.ts";
import { HEARTBEAT_MS } from "../../base/socket-guard.ts";
import { ENTER_TIMEOUT_MS } from "../../base/signalling/sockets.ts";
import { STALE_MS, TOUCH_MS } from "../signalling/index.ts";
import { CALL_TIMINGS } from "./open-calls.ts";

const offer = { op: OP.offer, rtcId: "r1", sdp: "v=0", iceRestart: false };

describe("The signalling socket", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost();
  });
  afterEach(() => host.reset());
  afterAll(() => host.close());

  const endOf = async (confrId: string) => {
    const { rows } = await host.pg.query<{ ended_at: Date | null; end_reason: number | null }>(
      "select ended_at, end_reason from conferences where id = $1",
      [confrId],
    );
    return rows[0];
  };
  const gauge = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\d+)$`, "m").exec(await host.metrics())?.[1] ?? -1);

  it("carries a whole call: enter, offer, candidates, answer, ping, terminate", async () => {
    const call = await createCall(host);
    const a = await enter(host, call.caller);
    expect(a.answer).toMatchObject({
      result: 0,
      memId: "zhangwei",
      role: 7,
      mems: [],
      resumed: false,
    });
    expect(a.answer["yourIp"]).toMatch(/127\.0\.0\.1$/);
    const b = await enter(host, call.callee);
    const caller = { memId: "zhangwei", memName: "zhangwei", nickName: "", role: 7 };
    const callee = { memId: "lina", memName: "lina", nickName: "", role: 3 };
    expect(b.answer).toMatchObject({ result: 0, memId: "lina", role: 3, mems: [caller] });
    expect(await a.waitForFrame({ op: OP.memberEntered })).toEqual({
      op: 300,
      sessId: a.sessId,
      mem: callee,
    });

    a.send({ op: OP.relay, tsxId: "1", sessId: a.sessId, to: "lina", body: offer });
    expect(await a.waitForFrame({ op: OP.response, tsxId: "1" })).toMatchObject({ result: 0 });
    expect(await b.waitForFrame({ op: OP.relay })).toEqual({
      op: OP.relay,
      sessId: b.sessId,
      from: "zhangwei",
      body: offer,
    });
    const candidates = {
      op: OP.candidates,
      rtcId: "r1",
      cands: [{ candidate: "c", sdpMid: null }],
    };
    for (const [i, body] of [{ op: OP.answer, rtcId: "r1", sdp: "v=0" }, candidates].entries()) {
      b.send({ op: OP.relay, tsxId: `b${i}`, sessId: b.sessId, to: "zhangwei", body });
      expect(await a.waitForFrame({ op: OP.relay, from: "lina" })).toMatchObject({ body });
    }
    a.send({ op: OP.ping, tsxId: "p", sessId: a.sessId });
    expect(await a.waitForFrame({ op: OP.pong })).toEqual({
      op: OP.pong,
      tsxId: "p",
      sessId: a.sessId,
    });
    expect([await gauge("signalling_sockets"), await gauge("conference_members")]).toEqual([2, 2]);

    b.send({ op: OP.terminate, tsxId: "t", sessId: b.sessId, reason: 2 });
    expect(await b.waitForFrame({ op: OP.response, tsxId: "t" })).toMatchObject({ result: 0 });
    expect(await a.waitForFrame({ op: OP.terminate })).toEqual({
      op: OP.terminate,
      sessId: a.sessId,
      from: "lina",
      endReason: 2,
    });
    host.clock.advance(CALL_TIMINGS.close);
    expect([await a.closed(), await b.closed()]).toEqual([1000, 1000]);
    await until("the end is stored", async () => (await endOf(call.confrId))?.end_reason === 2);
    for (const frame of [...a.frames, ...b.frames]) serverSignalSchema.parse(frame);

    const late = await enter(host, call.callee);
    expect(late.answer).toMatchObject({ result: -506, msg: "通话已结束" });
    late.close();
    await until("nobody is left", async () => (await gauge("signalling_sockets")) === 0);
    expect(await gauge("conference_members")).toBe(0);
  });

  it("refuses forged, foreign and mismatched tickets with -500 and closes", async () => {
    const call = await createCall(host);
    const other = await createCall(host, "wangfang", "zhaolei");
    const bad = [
      { ...call.caller, tktId: `${call.caller.tktId.slice(0, -4)}AAAA` },
      { ...call.caller, memName: "lina" },
      { ...call.caller, confrId: other.confrId },
      { ...call.callee, tktId: other.caller.tktId },
    ];
    for (const ticket of bad) {
      const socket = await open(host);
      socket.send({ op: OP.enter, tsxId: "e", ticket });
      expect(await socket.waitForFrame({ op: OP.response })).toMatchObject({
        tsxId: "e",
        result: -500,
      });
      expect(await socket.closed()).toBe(WS_CLOSE.unauthorised);
    }
    expect(await gauge("conference_members")).toBe(0);
  });

  it("takes the ticket as ticket or as tkt, with and without its time, and needs one of them", async () => {
    const call = await createCall(host);
    const enterWith = async (given: object) => {
      const socket = await open(host);
      socket.send({ op: OP.enter, tsxId: "e", ...given });
      return { socket, answer: await socket.waitForFrame({ op: OP.response, tsxId: "e" }) };
    };
    const { timestamp, ...timeless } = call.callee;
    expect(timestamp).toBeGreaterThan(0);
    const caller = await enterWith({ tkt: call.caller });
    const callee = await enterWith({ ticket: timeless });
    expect([caller.answer, callee.answer]).toMatchObject([
      { result: 0, memId: "zhangwei", role: 7 },
      { result: 0, memId: "lina", role: 3 },
    ]);
    const none = await enterWith({});
    expect(none.answer).toMatchObject({ result: -9527, msg: "invalid ticket: required" });
    for (const { socket } of [caller, callee, none]) socket.close();
  });

  it("refuses another member's session id, and the own one from a replaced socket", async () => {
    const call = await createCall(host);
    const a = await enter(host, call.caller);
    const b = await enter(host, call.callee);
    for (const sessId of [b.sessId, "made-up"]) {
      a.send({ op: OP.relay, tsxId: "1", sessId, to: "lina", body: offer });
      expect(await a.waitForFrame({ op: OP.response, tsxId: "1" })).toMatchObject({
        result: -9527,
        msg: "message sessId error...",
      });
      for (const op of [OP.ping, OP.leave]) {
        a.send({ op, tsxId: `x${op}`, sessId });
        const refusal = await a.waitForFrame({ op: OP.response, tsxId: `x${op}` });
        expect(refusal).toMatchObject({ sessId, result: -9527 });
      }
      a.send({ op: OP.terminate, tsxId: "t", sessId, reason: 0 });
      expect(await a.waitForFrame({ op: OP.response, tsxId: "t" })).toMatchObject({
        result: -9527,
      });
    }
    const early = await open(host);
    early.send({ op: OP.relay, tsxId: "1", sessId: a.sessId, to: "lina", body: offer });
    expect(await early.waitForFrame({ op: OP.response })).toMatchObject({ result: -9527 });
    a.send({ op: OP.relay, tsxId: "2", sessId: a.sessId, to: "wangfang", body: offer });
    expect(await a.waitForFrame({ op: OP.response, tsxId: "2" })).toMatchObject({ result: -507 });
    a.send({ op: OP.relay, tsxId: "3", sessId: a.sessId, to: "zhangwei", body: offer });
    expect(await a.waitForFrame({ op: OP.response, tsxId: "3" })).toMatchObject({ result: -405 });
    a.send({ op: OP.enter, tsxId: "again", ticket: call.caller });
    expect(await a.waitForFrame({ op: OP.response, tsxId: "again" })).toMatchObject({
      result: -9527,
    });
    expect(b.frames.map((f) => f["op"])).toEqual([OP.response]);
    expect(await endOf(call.confrId)).toEqual({ ended_at: null, end_reason: null });
  });

  it("replaces the former socket of a member, and resumes silently when the session id is given", async () => {
    const call = await createCall(host);
    const a = await enter(host, call.caller);
    const b1 = await enter(host, call.callee);
    await a.waitForFrame({ op: OP.memberEntered });
    const b2 = await enter(host, call.callee, b1.sessId);
    expect(b2.answer).toMatchObject({ result: 0, resumed: true, sessId: b1.sessId });
    expect(await b1.closed()).toBe(WS_CLOSE.replaced);
    a.send({ op: OP.relay, tsxId: "1", sessId: a.sessId, to: "lina", body: offer });
    await b2.waitForFrame({ op: OP.relay, from: "zhangwei" });
    expect(a.frames.filter((f) => f["op"] === OP.memberEntered)).toHaveLength(1);
    const b3 = await enter(host, call.callee);
    expect(b3.answer).toMatchObject({ result: 0, resumed: false });
    expect(b3.sessId).not.toBe(b1.sessId);
    expect(await b2.closed()).toBe(WS_CLOSE.replaced);
    await a.waitForFrame({ op: OP.memberEntered });
    expect(a.frames.filter((f) => f["op"] === OP.memberExited)).toEqual([]);
  });

  it("keeps a lost member for twenty seconds and announces its return", async () => {
    const call = await createCall(host);
    const a = await enter(host, call.caller);
    const b = await enter(host, call.callee);
    await a.waitForFrame({ op: OP.memberEntered });
    b.ws.terminate();
    await until("the loss is noticed", async () => (await gauge("signalling_sockets")) === 1);
    a.send({ op: OP.relay, tsxId: "1", sessId: a.sessId, to: "lina", body: offer });
    expect(await a.waitForFrame({ op: OP.response, tsxId: "1" })).toMatchObject({ result: -507 });
    host.clock.advance(CALL_TIMINGS.grace - 1);
    const again = await enter(host, call.callee, b.sessId);
    expect(again.answer).toMatchObject({ result: 0, resumed: true, sessId: b.sessId });
    expect(await a.waitForFrame({ op: OP.memberEntered })).toMatchObject({
      mem: { memId: "lina" },
    });
    again.ws.terminate();
    await until("the loss is noticed", async () => (await gauge("signalling_sockets")) === 1);
    host.clock.advance(CALL_TIMINGS.grace);
    expect(await a.waitForFrame({ op: OP.memberExited })).toEqual({
      op: OP.memberExited,
      sessId: a.sessId,
      memId: "lina",
      endReason: 6,
    });
    const fresh = await enter(host, call.callee, b.sessId);
    expect(fresh.answer).toMatchObject({ result: 0, resumed: false });
    await a.waitForFrame({ op: OP.memberEntered });
  });

  it("continues after a restart of the server with the same tickets", async () => {
    const call = await createCall(host);
    const a = await enter(host, call.caller);
    const b = await enter(host, call.callee);
    await host.restart();
    expect([await a.closed(), await b.closed()]).toEqual([WS_CLOSE.shutdown, WS_CLOSE.shutdown]);
    const b2 = await enter(host, call.callee, b.sessId);
    expect(b2.answer).toMatchObject({ result: 0, resumed: false, role: 3, mems: [] });
    const a2 = await enter(host, call.caller, a.sessId);
    expect(a2.answer).toMatchObject({ result: 0, role: 7, mems: [{ memId: "lina" }] });
    expect(await b2.waitForFrame({ op: OP.memberEntered })).toMatchObject({
      mem: { memId: "zhangwei" },
    });
    a2.send({ op: OP.relay, tsxId: "1", sessId: a2.sessId, to: "lina", body: offer });
    expect(await a2.waitForFrame({ op: OP.response, tsxId: "1" })).toMatchObject({ result: 0 });
  });

  it("leaves by op 201, and the call ends a minute after the last member left", async () => {
    const call = await createCall(host);
    const a = await enter(host, call.caller);
    const b = await enter(host, call.callee);
    b.send({ op: OP.leave, tsxId: "l", sessId: b.sessId });
    expect(await b.waitForFrame({ op: OP.response, tsxId: "l" })).toEqual({
      op: 1001,
      tsxId: "l",
      result: 0,
      sessId: b.sessId,
    });
    expect(await a.waitForFrame({ op: OP.memberExited })).toMatchObject({
      memId: "lina",
      endReason: 0,
    });
    a.send({ op: OP.leave, tsxId: "l", sessId: a.sessId });
    await a.waitForFrame({ op: OP.response, tsxId: "l" });
    // The same socket may enter again.
    b.send({ op: OP.enter, tsxId: "back", ticket: call.callee });
    expect(await b.waitForFrame({ op: OP.response, tsxId: "back" })).toMatchObject({ result: 0 });
    host.clock.advance(CALL_TIMINGS.empty);
    expect((await endOf(call.confrId))?.ended_at).toBeNull();
    b.ws.terminate();
    await until("the loss is noticed", async () => (await gauge("signalling_sockets")) === 0);
    host.clock.advance(CALL_TIMINGS.grace);
    host.clock.advance(CALL_TIMINGS.empty);
    await until("the end is stored", async () => (await endOf(call.confrId))?.end_reason === 6);
  });

  it("is closed when it does not enter within ten seconds, or when its peer is dead", async () => {
    const idle = await open(host);
    const call = await createCall(host);
    const a = await enter(host, call.caller);
    host.clock.advance(ENTER_TIMEOUT_MS);
    expect(await idle.closed()).toBe(WS_CLOSE.unauthorised);
    let pings = 0;
    a.ws.on("ping", () => (pings += 1));
    for (let beat = 1; beat <= 3; beat += 1) {
      host.clock.advance(beat === 1 ? HEARTBEAT_MS - ENTER_TIMEOUT_MS : HEARTBEAT_MS);
      await until("a ping comes", () => pings === beat);
      // The peer sends the pong before this answer.
      a.send({ op: OP.ping, tsxId: `p${beat}`, sessId: a.sessId });
      await a.waitForFrame({ op: OP.pong, tsxId: `p${beat}` });
    }
    a.ws.pause();
    host.clock.advance(HEARTBEAT_MS);
    host.clock.advance(HEARTBEAT_MS);
    await until("the dead peer is gone", async () => (await gauge("signalling_sockets")) === 0);
    a.ws.resume();
    expect(await a.closed()).toBe(1006);
  });

  it("is closed when its login session ends, which ends the call with a reason and makes the session's tickets invalid", async () => {
    const call = await createCall(host);
    const a = await enter(host, call.caller);
    const b = await enter(host, call.callee);
    expect(host.directory.openSessions()).toEqual(
      expect.arrayContaining(["session-zhangwei", "session-lina"]),
    );
    host.directory.endSession("session-lina");
    expect(await b.closed()).toBe(WS_CLOSE.unauthorised);
    expect((await enter(host, call.callee)).answer).toMatchObject({ result: -500 });
    for (const side of [a, b]) {
      const terminate = await side.waitForFrame({ op: OP.terminate });
      expect(terminate["endReason"]).toBe(END_REASON.noAccess);
    }
    await host.restart();
    expect((await enter(host, call.callee)).answer).toMatchObject({ result: -500 });
    expect((await enter(host, call.caller)).answer).toMatchObject({ result: -506 });
  });

  it("allows a user four calls at a time", async () => {
    const calls = [];
    for (let i = 0; i < 5; i += 1) calls.push(await createCall(host));
    for (const call of calls.slice(0, 4)) {
      expect((await enter(host, call.caller)).answer).toMatchObject({ result: 0 });
    }
    const [first, , , , fifth] = calls;
    if (first === undefined || fifth === undefined) throw new Error("unreachable");
    const refused = await enter(host, fifth.caller);
    expect(refused.answer).toMatchObject({ result: -405 });
    expect(await refused.closed()).toBe(WS_CLOSE.tooMany);
    expect((await enter(host, first.caller)).answer).toMatchObject({ result: 0 });
    expect((await enter(host, fifth.callee)).answer).toMatchObject({ result: 0 });
  });

  it("is limited in rate, and closed when it floods, while the other side stays", async () => {
    const call = await createCall(host);
    const a = await enter(host, call.caller);
    const b = await enter(host, call.callee);
    for (let i = 0; i < 230; i += 1) a.send({ op: OP.ping, tsxId: `p${i}`, sessId: a.sessId });
    expect(await a.closed()).toBe(WS_CLOSE.tooMany);
    // One frame of the burst of 200 was the enter.
    expect(a.frames.filter((f) => f["op"] === OP.pong)).toHaveLength(199);
    b.send({ op: OP.ping, tsxId: "p", sessId: b.sessId });
    await b.waitForFrame({ op: OP.pong });
  });

  it("The sweep ends only calls in which nobody was seen", async () => {
    const live = await createCall(host);
    const never = await createCall(host);
    const a = await enter(host, live.caller);
    let passed = 0;
    // Advance by the heartbeat interval, otherwise the live peer would seem dead.
    while ((await endOf(never.confrId))?.ended_at === null && passed < STALE_MS * 3) {
      host.clock.advance(HEARTBEAT_MS);
      passed += HEARTBEAT_MS;
      a.send({ op: OP.ping, tsxId: `p${passed}`, sessId: a.sessId });
      await a.waitForFrame({ op: OP.pong, tsxId: `p${passed}` });
    }
    expect(await endOf(never.confrId)).toMatchObject({ end_reason: 6 });
    expect(passed).toBeGreaterThan(STALE_MS);
    expect(passed).toBeLessThan(STALE_MS + 2 * TOUCH_MS);
    expect((await endOf(live.confrId))?.ended_at).toBeNull();
    expect(a.ws.readyState).toBe(a.ws.OPEN);
  });

  it("survives a database failure during an enter", async () => {
    const call = await createCall(host);
    await host.pg.query("alter table conferences rename to hidden");
    const failed = await open(host);
    failed.send({ op: OP.enter, tsxId: "e", ticket: call.caller });
    expect(await failed.closed()).toBe(1013);
    // An answer would be a refusal, which ends the call.
    expect(failed.frames).toEqual([]);
    await host.pg.query("alter table hidden rename to conferences");
    expect((await enter(host, call.caller)).answer).toMatchObject({ result: 0 });
  });

  it("The end of a call is written later when the database fails, and nobody is admitted meanwhile", async () => {
    const call = await createCall(host);
    const a = await enter(host, call.caller);
    await host.pg.query(
      "create function refuse() returns trigger as $$ begin raise exception 'down'; end $$ language plpgsql",
    );
    await host.pg.query(
      "create trigger down before update on conferences for each row execute function refuse()",
    );
    a.send({ op: OP.terminate, tsxId: "t", sessId: a.sessId, reason: 0 });
    await a.waitForFrame({ op: OP.response, tsxId: "t" });
    host.clock.advance(CALL_TIMINGS.close);
    expect(await a.closed()).toBe(1000);
    expect((await enter(host, call.callee)).answer).toMatchObject({ result: -506 });
    expect((await endOf(call.confrId))?.ended_at).toBeNull();
    await host.pg.query("drop trigger down on conferences");
    await host.pg.query("drop function refuse");
    host.clock.advance(2000);
    await until("the end is stored", async () => (await endOf(call.confrId))?.end_reason === 0);
  });

  it("is not served on any other path", async () => {
    await expect(openSocket(`${host.origin}/signalling/x`)).rejects.toThrow();
  });
});
