import { describe, expect, it } from "vitest";
import { OP } from "../../../shared/protocol/signalling.ts";
import { CONFR_RESULT, OP2, REQUIRED_OPS } from "../../../shared/protocol/confr-signalling.ts";
import { createStage, ops } from "./conference.harness.ts";
import { CONFERENCE_TIMINGS } from "./types.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";

const op = OP;

describe("Requests from member to member", () => {
  it("of a camera need each op that they use, as the other member declared it on entering", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin", { acptOps: [] });
    const bob = await stage.enter("bob", { acptOps: [100205, 100202] });
    const any = await stage.enter("any", { acptOps: [op.controlRequest] });
    bob.news();
    for (const [memId, fields, result] of [
      ["bob", { pic: 1, rspBase64Pic: true }, 0],
      ["bob", { focus: 1, x: 1, y: 2 }, 0],
      ["bob", { focus: 1, expo: 1, x: 1, y: 2 }, -507],
      ["bob", { zoom: 20_000 }, -507],
      ["bob", { frz: 1 }, -507],
      ["bob", { tor: 1 }, -507],
      ["bob", {}, -507],
      ["any", {}, 0],
      ["any", { tor: 1 }, -507],
    ] as const) {
      const arg = JSON.stringify({ op2: OP2.mediaControl, streamId: "s", ...fields });
      const answer = await admin.ask({ op: op.controlRequest, memId, arg });
      if (result === 0) expect(answer, arg).toEqual({});
      else expect(answer, arg).toMatchObject({ op: op.response, result, arg });
    }
    expect(ops(bob.news())).toEqual([op.controlRequest, op.controlRequest]);
    // The answer may have another arg, such as a picture.
    const asked = any.frames.find((frame) => frame.op === op.controlRequest);
    const tsxId = asked !== undefined && "tsxId" in asked ? asked.tsxId : "";
    const picture = JSON.stringify({ pic: "data:" });
    await any.ask({ op: op.response, tsxId, memId: "admin", result: 0, arg: picture });
    expect(admin.news().at(-1)).toMatchObject({ op: op.response, memId: "any", arg: picture });
  });

  it.each([
    ["rejected", CONFR_RESULT.controlRejected],
    ["busy", CONFR_RESULT.controlBusy],
  ])("for the control of a screen may be answered as %s", async (_, result) => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob", { acptOps: [REQUIRED_OPS.panel] });
    const arg = JSON.stringify({ op2: OP2.panelControl, streamId: "s" });
    await admin.ask({ op: op.controlRequest, tsxId: "q", memId: "bob", arg });
    await bob.ask({ op: op.response, tsxId: "q", memId: "admin", result, arg });
    expect(admin.news().at(-1)).toMatchObject({ tsxId: "q", memId: "bob", result, arg });
  });

  it("without an arg that is JSON of an object are refused as unreadable", async () => {
    const stage = createStage();
    await stage.enter("admin");
    const bob = await stage.enter("bob");
    for (const arg of [{ op2: 21 }, "21", "[]", "{", "null", '{"op2":"21"}']) {
      const answer = await bob.ask({ op: op.controlRequest, memId: "admin", arg });
      expect(answer).toMatchObject({ op: op.response, sessId: bob.sessId, result: -9527 });
    }
  });

  it("are remembered up to a thousand", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    const arg = JSON.stringify({ op2: OP2.mute });
    for (let i = 0; i < 1100; i += 1) {
      await admin.send({
        op: op.controlRequest,
        tsxId: `q${i}`,
        sessId: admin.sessId,
        memId: "bob",
        arg,
      });
    }
    expect(stage.conference().asked.size).toBe(1000);
    const answer = { op: op.response, memId: "admin", result: 0, arg };
    expect(await bob.ask({ ...answer, tsxId: "q0" })).toMatchObject({ result: -405 });
    expect(await bob.ask({ ...answer, tsxId: "q1099" })).toEqual({});
  });
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "request.relayed, message.request: Requests from member to member reach the addressed member, and its answer returns once":
    async () => {
      const stage = createStage();
      const admin = await stage.enter("admin");
      const bob = await stage.enter("bob");
      const carol = await stage.enter("carol");
      for (const member of [admin, bob, carol]) member.news();
      const arg = JSON.stringify({ op2: OP2.talkerRequest, nickName: "B" });
      const ask = { op: op.controlRequest, tsxId: "q", memId: "admin", arg };
      expect(await bob.ask(ask)).toEqual({});
      expect(admin.news()).toEqual([
        { op: op.controlRequest, tsxId: "q", sessId: admin.sessId, memId: "bob", arg },
      ]);
      const answer = { op: op.response, tsxId: "q", memId: "bob", result: 1, arg };
      // A member that was not asked cannot answer.
      expect(await carol.ask(answer)).toMatchObject({ result: -405 });
      expect(await admin.ask(answer)).toEqual({});
      expect(bob.news()).toEqual([
        { op: op.response, tsxId: "q", sessId: bob.sessId, memId: "admin", result: 1, arg },
      ]);
      expect(await admin.ask(answer)).toMatchObject({ op: op.response, result: -405 });
      expect(bob.news()).toEqual([]);
      expect(carol.news()).toHaveLength(1);
      await bob.ask(ask);
      stage.clock.advance(CONFERENCE_TIMINGS.ask);
      expect(await admin.ask(answer)).toMatchObject({ result: -405 });
    },

  "message.accept, message.exempt: Requests from member to member are refused by role, when the other member does not accept them, and when it is absent":
    async () => {
      const stage = createStage();
      const admin = await stage.enter("admin", { acptOps: [] });
      const bob = await stage.enter("bob", { acptOps: [100205, 100202, 100230] });
      const away = await stage.enter("away");
      away.cut();
      for (const [member, memId, op2, result] of [
        [bob, "admin", OP2.talkerRequest, 0],
        [bob, "admin", OP2.adminRequest, 0],
        [admin, "bob", OP2.talkerRequest, -405],
        [admin, "bob", OP2.mute, 0],
        [admin, "bob", OP2.unmute, 0],
        [bob, "admin", OP2.mute, -405],
        [bob, "admin", OP2.unmute, -405],
        [admin, "bob", OP2.panelControl, 0],
        [bob, "admin", OP2.panelControl, -507],
        [admin, "bob", OP2.mediaControl, -507],
        [admin, "bob", 99, -507],
        [bob, "bob", OP2.mediaControl, -405],
        [bob, "nobody", OP2.mediaControl, -507],
        [admin, "away", OP2.mute, 0],
        [admin, "away", OP2.mediaControl, -507],
        [bob, "away", OP2.mute, -405],
      ] as const) {
        const before = stage.state();
        const answer = await member.ask({
          op: op.controlRequest,
          memId,
          arg: JSON.stringify({ op2 }),
        });
        if (result === 0) expect(answer).toEqual({});
        else
          expect(answer, `${member.name} ${op2}`).toMatchObject({
            op: op.response,
            sessId: member.sessId,
            result,
          });
        // Mutes are part of the conference's state.
        const mutes = result === 0 && (op2 === OP2.mute || op2 === OP2.unmute);
        expect(stage.state() !== before).toBe(mutes);
      }
    },

  "message.text: Texts go to all members that accept them, or to one": async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    const deaf = await stage.enter("deaf", { acptOps: [] });
    for (const member of [admin, bob, deaf]) member.news();
    const at = stage.clock.now();
    expect(await bob.ask({ op: op.message, id: "m1", arg: "大家好" })).toMatchObject({
      op: op.response,
      result: 0,
      id: "m1",
      at,
    });
    expect(admin.news()).toEqual([
      { op: op.message, sessId: admin.sessId, memId: "bob", id: "m1", arg: "大家好", at },
    ]);
    expect(deaf.news()).toEqual([]);
    expect(bob.news()).toHaveLength(1);
    // An application may send any text, and needs no id.
    const one = { op: op.message, arg: '{"draw":[1,2]}' };
    expect(await bob.ask({ ...one, memId: "admin" })).toMatchObject({ result: 0 });
    const { sessId } = admin;
    expect(admin.news()).toEqual([{ ...one, sessId, memId: "bob", to: "admin", at }]);
    expect(await bob.ask({ ...one, memId: "deaf" })).toMatchObject({ result: -507 });
    expect(await bob.ask({ ...one, memId: "nobody" })).toMatchObject({ result: -507 });
    expect(await bob.ask({ ...one, memId: "bob" })).toMatchObject({ result: -405 });
  },
});
