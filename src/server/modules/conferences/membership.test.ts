import { describe, expect, it } from "vitest";
import { OP } from "../../../shared/protocol/signalling.ts";
import { AV, offerText, createStage, gaps, ops } from "./conference.harness.ts";
import { writeCandidates } from "../../../shared/protocol/confr-signalling.ts";
import { kick } from "./membership.ts";
import { CONFERENCE_TIMINGS } from "./types.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";

const op = OP;

describe("Entering", () => {
  it("assigns roles by conference type, creator and request", async () => {
    for (const [type, name, wanted, role] of [
      [10, "admin", undefined, 7],
      [10, "admin", 3, 3],
      [10, "bob", undefined, 3],
      [10, "bob", 7, 3],
      [10, "bob", 1, 1],
      [11, "bob", undefined, 3],
      [12, "admin", undefined, 7],
      [12, "bob", undefined, 1],
      [12, "bob", 3, 1],
      [14, "bob", undefined, 3],
    ] as const) {
      const stage = createStage({ type });
      const { answer } = await stage.enter(name, wanted === undefined ? {} : { role: wanted });
      expect(answer, `${type} ${name} ${wanted}`).toMatchObject({
        result: 0,
        role,
        roleToken: `c1/${name}/${role}`,
        resumed: false,
        yourIp: "192.0.2.1",
      });
    }
  });

  it("notifies the others, and gives the new member the whole state, itself included", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    expect(admin.news()).toMatchObject([
      {
        op: op.memberEntered,
        sessId: admin.sessId,
        cver: 2,
        mem: { id: "bob", name: "bob", role: 3 },
      },
    ]);
    expect(bob.answer).toMatchObject({ memId: "bob", cver: 2, cstate: { muteAll: false } });
    expect((bob.answer["mems"] as { id: string }[]).map(({ id }) => id)).toEqual(["admin", "bob"]);
  });

  it("announces what a member accepts from now on when it resumes with other ops", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob", { acptOps: [1003] });
    admin.news();
    const again = { sessId: bob.sessId, acptOps: [1003, 100206] };
    const { answer, news } = await stage.enter("bob", again);
    const res = expect.objectContaining({ ops: [1003, 100206] });
    const changed = { id: "bob", res };
    expect(admin.news()).toMatchObject([{ op: op.memberChanged, cver: 3, mem: changed }]);
    expect(answer).toMatchObject({ resumed: true, cver: 3 });
    expect(answer["mems"]).toContainEqual(expect.objectContaining(changed));
    expect(news()).toEqual([]);
    await stage.enter("bob", again);
    expect(admin.news()).toEqual([]);
  });

  it("respects the limits, except for the creator", async () => {
    const stage = createStage({ limits: { maxTalkerCount: 1, maxAudienceCount: 1 } });
    await stage.enter("bob");
    const before = stage.state();
    expect((await stage.enter("carol")).answer).toMatchObject({ result: -504 });
    expect(stage.state()).toBe(before);
    expect((await stage.enter("carol", { role: 1 })).answer).toMatchObject({ result: 0, role: 1 });
    expect((await stage.enter("dave", { role: 1 })).answer).toMatchObject({ result: -504 });
    expect((await stage.enter("admin")).answer).toMatchObject({ result: 0, role: 7 });
    // A returning member takes no additional place.
    expect((await stage.enter("bob")).answer).toMatchObject({ result: 0 });
  });

  it("leaves no conference behind for a refused member", async () => {
    const stage = createStage({ limits: { maxAudienceCount: 0 } });
    expect((await stage.enter("bob", { role: 1 })).answer).toMatchObject({ result: -504 });
    expect(stage.conferences.get("c1")).toBeUndefined();
  });

  it("makes a second device a separate member, with the same memId after a restart", async () => {
    const stage = createStage();
    const phone = await stage.enter("bob", { resource: "phone" });
    const desk = await stage.enter("bob", { resource: "desk" });
    expect(phone.memId).toBe("bob");
    expect(desk.memId).toMatch(/^bob~[\w-]{6}$/);
    expect(phone.closed).toBeNull();
    const restarted = createStage();
    // Now in the opposite order.
    const again = await restarted.enter("bob", { resource: "desk", sessId: desk.sessId });
    expect(again.memId).toBe(desk.memId);
    const phoneAgain = await restarted.enter("bob", { resource: "phone", sessId: phone.sessId });
    expect(phoneAgain.memId).toBe("bob");
  });

  it("is limited to four sockets per person", async () => {
    const stage = createStage();
    for (const resource of ["a", "b"]) await stage.enter("bob", { resource });
    for (const confrId of ["c2", "c3"]) await stage.enter("bob", { confrId });
    const fifth = await stage.enter("bob", { confrId: "c4" });
    expect(fifth.answer).toMatchObject({ result: -405 });
    expect(fifth.closed).toBe(4429);
    expect(stage.conferences.get("c4")).toBeUndefined();
    // It replaces an existing one.
    expect((await stage.enter("bob", { resource: "a" })).answer).toMatchObject({ result: 0 });
  });
});

describe("Losing the socket", () => {
  it("causes no event for 20 s, and a returning member continues with its streams, connections and missed frames", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    await bob.publish("r1");
    const node = stage.nodes[0];
    admin.news();
    bob.cut();
    stage.clock.advance(CONFERENCE_TIMINGS.grace - 1);
    const id = [...(node?.open.keys() ?? [])][0] ?? "";
    const cands = [{ candidate: "late" }];
    node?.emit({ t: "candidates", id, cands });
    expect(admin.news()).toEqual([]);
    const back = await stage.enter("bob", { sessId: bob.sessId });
    expect(back.answer).toMatchObject({
      result: 0,
      resumed: true,
      sessId: bob.sessId,
      memId: "bob",
      streams: [{ memId: "bob" }],
    });
    expect(back.frames.slice(1)).toMatchObject([
      { op: op.candidates, rtcId: "r1", cands: writeCandidates(cands) },
    ]);
    stage.clock.advance(CONFERENCE_TIMINGS.grace * 2);
    expect(admin.news()).toEqual([]);
    expect(node?.open.size).toBe(1);
  });

  it("followed by the same device without its session replaces the member: reason 10, streams gone, one member", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob", { resource: "desk" });
    await bob.publish("r1");
    admin.news();
    bob.news();
    const restarted = await stage.enter("bob", { resource: "desk" });
    expect(restarted.answer).toMatchObject({ resumed: false, memId: "bob", streams: [] });
    expect(admin.news()).toMatchObject([
      { op: op.streamRemoved },
      { op: op.memberExited, memId: "bob", reason: 10 },
      { op: op.memberEntered, mem: { id: "bob" } },
    ]);
    expect(bob.news().at(-1)).toMatchObject({ op: op.memberExited, reason: 10 });
    expect(bob.closed).toBe(4409);
    stage.clock.advance(CONFERENCE_TIMINGS.grace);
    expect(stage.conference().sessions.size).toBe(2);
  });

  it("that others ended is not resumed, nor entered again by its id; without the id the person may come back", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const desk = await stage.enter("bob", { resource: "desk" });
    const again = await stage.enter("bob", { resource: "desk" });
    admin.news();
    expect((await stage.enter("bob", { resource: "desk", sessId: desk.sessId })).answer).toEqual({
      op: op.response,
      tsxId: "enter",
      sessId: desk.sessId,
      result: -405,
      msg: "已被移出会议",
    });
    expect(again.closed).toBeNull();

    again.cut();
    expect(kick(stage.conference(), "admin", ["bob"])).toEqual({ result: 0 });
    expect(admin.news()).toMatchObject([{ op: op.memberExited, memId: "bob", reason: 12 }]);
    const late = await stage.enter("bob", { resource: "desk", sessId: again.sessId });
    expect(late.answer).toMatchObject({ result: -405 });
    expect(admin.news()).toEqual([]);
    const back = await stage.enter("bob", { resource: "desk" });
    expect(back.answer).toMatchObject({ result: 0, memId: "bob" });
  });

  it("is not needed to resume: a session moves from a socket that seems alive, without an event", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    admin.news();
    const moved = await stage.enter("bob", { sessId: bob.sessId });
    expect(moved.answer).toMatchObject({ resumed: true });
    expect(bob.closed).toBe(4409);
    expect(await bob.send({ op: op.ping, tsxId: "p", sessId: bob.sessId })).toEqual([]);
    stage.clock.advance(CONFERENCE_TIMINGS.grace * 2);
    expect(admin.news()).toEqual([]);
    expect(await moved.ask({ op: op.ping })).toMatchObject({ op: op.pong, cver: 2 });
  });

  it("does not let another person use the session by its id", async () => {
    const stage = createStage();
    const bob = await stage.enter("bob");
    const mallory = await stage.enter("mallory", { sessId: bob.sessId });
    expect(mallory.answer).toMatchObject({ resumed: false, memId: "mallory" });
    expect(bob.closed).toBeNull();
  });
});

describe("Leaving", () => {
  it("is announced once, with reason 0, and the socket may enter again", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    await bob.publish("r1");
    admin.news();
    expect(await bob.ask({ op: op.leave })).toMatchObject({
      op: op.response,
      sessId: bob.sessId,
      result: 0,
    });
    expect(admin.news()).toMatchObject([
      { op: op.streamRemoved },
      { op: op.memberExited, memId: "bob", reason: 0 },
    ]);
    expect(bob.closed).toBeNull();
    expect(bob.peer.inside).toBe(false);
    expect(stage.nodes[0]?.open.size).toBe(0);
  });

  it("of the last admin permanently makes the longest-present talker an admin (412, 413)", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    await stage.enter("viewer", { role: 1 });
    const bob = await stage.enter("bob");
    const carol = await stage.enter("carol");
    carol.news();
    bob.news();
    await admin.ask({ op: op.leave });
    expect(carol.news()).toMatchObject([
      { op: op.memberExited, memId: "admin" },
      { op: op.memberChanged, mem: { id: "bob", role: 7 } },
      { op: op.admins, memIds: ["bob"] },
    ]);
    expect(carol.frames.filter((f) => f.op === op.role)).toEqual([]);
    expect(bob.news()).toMatchObject([
      { op: op.memberExited },
      { op: op.role, role: 7, roleToken: "c1/bob/7" },
      { op: op.memberChanged, mem: { id: "bob", role: 7 } },
      { op: op.admins },
    ]);
    expect(stage.kept.get("c1")).toMatchObject({ roles: { bob: 7 } });
    const back = await stage.enter("admin");
    expect(back.answer).toMatchObject({ role: 7 });
    expect(bob.news()).toMatchObject([{ op: op.memberEntered }]);
    // After a restart, the stored role applies.
    const kept = stage.kept.get("c1");
    if (kept === undefined) throw new Error("nothing was kept");
    const restarted = createStage({ kept });
    expect((await restarted.enter("bob")).answer).toMatchObject({ role: 7 });
  });

  it("is not assumed for a disconnected admin: roles stay the same within the grace time", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    admin.cut();
    stage.clock.advance(CONFERENCE_TIMINGS.grace - 1);
    expect(bob.news()).toEqual([]);
    stage.clock.advance(1);
    expect(ops(bob.news())).toEqual([op.memberExited, op.role, op.memberChanged, op.admins]);
  });

  it("of all members ends the conference after a while, unless a member returns", async () => {
    const stage = createStage();
    const bob = await stage.enter("bob");
    await bob.ask({ op: op.leave });
    stage.clock.advance(CONFERENCE_TIMINGS.empty - 1);
    expect(stage.ended).toEqual([]);
    const again = await stage.enter("bob");
    stage.clock.advance(CONFERENCE_TIMINGS.empty);
    expect(stage.ended).toEqual([]);
    await again.ask({ op: op.leave });
    stage.clock.advance(CONFERENCE_TIMINGS.empty);
    expect(stage.ended).toEqual([{ confrId: "c1", reason: 6 }]);
    stage.clock.advance(CONFERENCE_TIMINGS.close);
    expect(stage.conferences.get("c1")).toBeUndefined();
    expect(stage.clock.pending).toBe(0);
  });
});

it("A hundred joins and leaves leave nothing behind", async () => {
  const stage = createStage();
  const admin = await stage.enter("admin");
  await admin.publish("a");
  const timers = stage.clock.pending;
  for (let i = 0; i < 100; i += 1) {
    const bob = await stage.enter("bob", { resource: `r${i}` });
    await bob.publish(`p${i}`);
    const streams = bob.answer["streams"] as { id: string }[];
    await bob.ask({
      op: op.offer,
      rtcId: `s${i}`,
      sdp: offerText(AV),
      subSId: streams[0]?.id ?? "",
    });
    expect(stage.connections.size).toBe(3);
    if (i % 2 === 0) {
      await bob.ask({ op: op.leave });
      bob.cut();
    } else {
      bob.cut();
      stage.clock.advance(CONFERENCE_TIMINGS.grace);
    }
  }
  expect(gaps(admin)).toEqual([]);
  expect(stage.connections.size).toBe(1);
  expect(stage.nodes[0]?.open.size).toBe(1);
  expect(stage.conference().sessions.size).toBe(1);
  expect(stage.conference().publishing.size).toBe(0);
  expect(stage.clock.pending).toBe(timers);
  expect(stage.errors).toEqual([]);
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "message.sess-id-server: Entering refuses a second enter on one socket, and frames with another session's id":
    async () => {
      const stage = createStage();
      const bob = await stage.enter("bob");
      const before = stage.state();
      const ticket = {
        confrId: "c1",
        memName: "bob",
        tktId: "t",
        url: "/",
        type: "CONFR",
        timestamp: 0,
      };
      expect(await bob.ask({ op: op.enter, ticket })).toMatchObject({ result: -9527 });
      expect(await bob.ask({ op: op.copy, sessId: "other" })).toMatchObject({
        op: op.response,
        result: -9527,
        msg: "message sessId error...",
      });
      expect(stage.state()).toBe(before);
    },

  "session.grace: Losing the socket ends the membership once after 20 s: streams first, then connections, and the member leaves the list":
    async () => {
      const stage = createStage();
      const admin = await stage.enter("admin");
      const bob = await stage.enter("bob");
      await bob.publish("r1");
      admin.news();
      bob.cut();
      stage.clock.advance(CONFERENCE_TIMINGS.grace);
      const news = admin.news();
      expect(news).toMatchObject([
        { op: op.streamRemoved, memId: "bob" },
        { op: op.memberExited, memId: "bob", reason: 6 },
      ]);
      stage.clock.advance(CONFERENCE_TIMINGS.grace * 3);
      expect(admin.news()).toEqual([]);
      expect(stage.nodes[0]?.open.size).toBe(0);
      expect(stage.connections.size).toBe(0);
      const copy = await admin.ask({ op: op.copy });
      expect(copy).toMatchObject({ streams: [], mems: [{ id: "admin" }] });
      // Its session has ended. It enters again, with the same memId.
      const back = await stage.enter("bob", { sessId: bob.sessId });
      expect(back.answer).toMatchObject({ result: 0, resumed: false, memId: "bob" });
      expect(back.sessId).not.toBe(bob.sessId);
    },

  "exit.11-server: Disbanding is for admins, and each learns of its own exit and the end (301 and 204, reason 11), and sockets close after half a second":
    async () => {
      const stage = createStage();
      const admin = await stage.enter("admin");
      const bob = await stage.enter("bob");
      await bob.publish("r1");
      const before = stage.state();
      expect(await bob.ask({ op: op.closeConference })).toMatchObject({ result: -405 });
      expect(stage.state()).toBe(before);
      bob.news();
      expect(await admin.ask({ op: op.closeConference })).toMatchObject({ result: 0 });
      expect(bob.news()).toMatchObject([
        { op: op.memberExited, sessId: bob.sessId, memId: "bob", reason: 11 },
        { op: op.closeConference, sessId: bob.sessId, confrId: "c1", reason: 11 },
      ]);
      expect(stage.ended).toEqual([{ confrId: "c1", reason: 11 }]);
      expect(stage.connections.size).toBe(0);
      expect((await stage.enter("carol")).answer).toMatchObject({ result: -506 });
      expect(await bob.ask({ op: op.copy })).toMatchObject({ op: op.response, result: -9527 });
      stage.clock.advance(CONFERENCE_TIMINGS.close);
      expect([admin.closed, bob.closed]).toEqual([1000, 1000]);
      expect(stage.conferences.memberCount).toBe(0);
      expect(stage.clock.pending).toBe(0);
    },
});
