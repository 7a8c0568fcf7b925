/** The frames of a conference as a client of the platform's own library sends them and expects them (docs/conferences.md#session). */
import { describe, expect, it } from "vitest";
import { OP } from "../../../shared/protocol/signalling.ts";
import { AV, createStage, type Member, offerText } from "./conference.harness.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";

const op = OP;
const TICKET = {
  confrId: "c1",
  memName: "bob",
  tktId: "t",
  url: "/conference",
  type: "CONFR",
  timestamp: 0,
};
/** An enter as that library sends it: no resource, and more than the server reads. */
const enter = (bob: Member, more: object = {}) =>
  bob.ask({
    op: op.enter,
    tsxId: "enter",
    sessId: undefined,
    tkt: { ...TICKET, qoeUpUrl: "/q", extra: {} },
    nickName: "bob",
    res: { type: "WEB", ver: "3.4.1", agent: "Mozilla/5.0", ops: [100230, 100205, 1003, 1004] },
    ...more,
  });

describe("Enter", () => {
  it("leaves out codecs that nobody knows here, and cuts a long nickname", async () => {
    const stage = createStage();
    const res = { ops: [], vcodes: ["AV1", "H264", "VP9"] };
    const nickName = "n".repeat(200);
    const answer = await enter(stage.connect("bob"), { res, nickName });
    expect(answer["mems"]).toMatchObject([{ nickName: "n".repeat(64), vcodes: ["H264"] }]);
  });

  it("is refused with the session id that it named, and without one when it named none", async () => {
    const stage = createStage({ limits: { maxTalkerCount: 0 } });
    const bob = stage.connect("bob");
    expect(await enter(bob)).toEqual({
      op: op.response,
      tsxId: "enter",
      result: -504,
      msg: "会议发言人数已达上限",
    });
    expect(await enter(bob, { sessId: "s-1" })).toMatchObject({ sessId: "s-1", result: -504 });
  });
});

describe("Enter with a stream", () => {
  const offered = (type = 0) => ({ rtcId: "r1", sdp: offerText(AV), pubS: { type } });

  it("is answered with the stream's id, then with the node's description; the others get the stream", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = stage.connect("bob");
    const answer = await enter(bob, offered());
    const streamId = String(answer["streamId"]);
    expect(answer).toMatchObject({ result: 0, streams: [] });
    expect(answer).not.toHaveProperty("sdp");
    expect(bob.frames.map((frame) => frame.op)).toEqual([op.response, op.answer]);
    expect(bob.frames[1]).toMatchObject({ sessId: bob.sessId, rtcId: "r1" });
    expect(admin.news()).toMatchObject([
      { op: op.memberEntered },
      { op: op.streamAdded, memId: "bob", pubS: { id: streamId, type: 0 } },
    ]);
    expect(await bob.publish("r2", AV, { type: 0, id: streamId })).toMatchObject({
      result: 0,
      streamId,
    });
  });

  it("stays inside when the stream is refused: its connection alone ends", async () => {
    const stage = createStage({ limits: { maxVideoCount: 0 } });
    const bob = stage.connect("bob");
    expect(await enter(bob, offered())).toMatchObject({ result: 0 });
    expect(bob.frames.slice(1)).toMatchObject([{ op: op.terminate, rtcId: "r1", endReason: 23 }]);
    expect(await bob.ask({ op: op.copy })).toMatchObject({ result: 0, streams: [] });

    const live = createStage({ type: 12 });
    const carl = live.connect("carl");
    expect(await enter(carl, { ...offered(), tkt: { ...TICKET, memName: "carl" } })).toMatchObject({
      result: 0,
      role: 1,
    });
    expect(carl.frames.slice(1)).toMatchObject([{ op: op.terminate, rtcId: "r1", endReason: 4 }]);
    expect(carl.closed).toBeNull();
  });
});

describe("Answers", () => {
  it("A ping is answered with the version (101), and recording an unknown connection is refused (-507)", async () => {
    const stage = createStage();
    const bob = await stage.enter("bob");
    await bob.publish("r1");
    const { cver } = stage.conference();
    expect(await bob.ask({ op: op.ping })).toMatchObject({ op: op.pong, cver });
    const record = { op: op.record, rtcId: "r9", flag: 1 };
    expect(await bob.ask(record)).toMatchObject({ op: op.response, result: -507 });
  });

  it("never make a client leave that takes certain results for the end, whatever is asked", async () => {
    const stage = createStage();
    await stage.enter("admin");
    const bob = await stage.enter("bob");
    const gone = [-500, -501, -502, -504, -506, -508, -510];
    for (const frame of [
      { op: op.copy },
      { op: op.message, memId: "nobody", arg: "x" },
      { op: op.record, rtcId: "r", flag: 1 },
      { op: op.closeConference },
      { op: op.response, tsxId: "q", memId: "admin", result: 0, arg: "{}" },
    ]) {
      expect(gone).not.toContain((await bob.ask(frame))["result"]);
    }
    stage.conference().ended = true;
    expect(gone).not.toContain((await bob.ask({ op: op.copy }))["result"]);
  });
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "enter.ticket: Enter takes the ticket as tkt or as ticket, and needs one of them": async () => {
    const stage = createStage();
    expect(await enter(stage.connect("bob"))).toMatchObject({ result: 0, memId: "bob" });
    const other = stage.connect("bob");
    const given = { tkt: undefined, ticket: TICKET, resource: "desk" };
    expect(await enter(other, given)).toMatchObject({ result: 0 });
    const { timestamp: _, ...timeless } = TICKET;
    const third = stage.connect("bob");
    expect(await enter(third, { ...given, ticket: timeless })).toMatchObject({ result: 0 });
    expect(await enter(stage.connect("bob"), { tkt: undefined })).toMatchObject({
      op: op.response,
      tsxId: "enter",
      result: -9527,
    });
  },

  "enter.member, enter.vcodes: Enter is answered with what the client can do for all to see, and with the codecs in the creator's order":
    async () => {
      const stage = createStage({ vcodes: ["H264"] });
      const admin = await stage.enter("admin", { vcodes: ["VP8"] });
      const bob = stage.connect("bob");
      const answer = await enter(bob);
      expect(answer).toMatchObject({
        op: op.response,
        tsxId: "enter",
        sessId: bob.sessId,
        result: 0,
        memId: "bob",
        role: 3,
        vcodes: ["H264", "VP8"],
        cattrs: [],
        cstate: { muteAll: false },
        yourIp: "192.0.2.1",
      });
      const mem = {
        id: "bob",
        name: "bob",
        nickName: "bob",
        role: 3,
        ext: "",
        vcodes: [],
        res: { ops: [100230, 100205, 1003, 1004], vcodes: [] },
        muted: false,
      };
      expect(answer["mems"]).toMatchObject([
        { id: "admin", role: 7, vcodes: ["VP8"], res: { ops: [1002, 1003], vcodes: ["VP8"] } },
        mem,
      ]);
      expect(admin.news()).toEqual([
        { op: op.memberEntered, sessId: admin.sessId, cver: expect.any(Number), mem },
      ]);
    },

  "message.answer: Answers carry op, tsxId, sessId and result, and every event the session's sessId":
    async () => {
      const stage = createStage();
      const admin = await stage.enter("admin");
      const bob = await stage.enter("bob");
      await bob.publish("r");
      const arg = JSON.stringify({ op2: 21 });
      for (const frame of [
        { op: op.copy, cver: 1 },
        { op: op.message, arg: "x" },
        { op: op.record, rtcId: "r", flag: 1 },
        { op: op.closeConference, reason: 11 },
        { op: op.controlRequest, memId: "nobody", arg, tsxTime: 1 },
        { op: op.terminate, rtcId: "r", reason: 0 },
        { op: op.leave, reason: 0 },
      ]) {
        const tsxId = `t-${frame.op}`;
        expect(await bob.ask({ tsxId, ...frame })).toMatchObject({
          op: op.response,
          tsxId,
          sessId: bob.sessId,
          result: expect.any(Number),
        });
      }
      await admin.ask({ op: op.closeConference, reason: 11 });
      for (const member of [admin, bob]) {
        for (const frame of member.frames) {
          expect(frame).toHaveProperty("sessId", member.sessId);
        }
      }
    },
});
