import { describe, expect, it } from "vitest";
import { coversRow } from "../../../shared/domain/conference-catalogue.harness.ts";
import { CONFR_OP, OP2 } from "../../../shared/protocol/confr-signalling.ts";
import { createStage } from "./conference.harness.ts";
import { CONFERENCE_TIMINGS } from "./types.ts";

const op = CONFR_OP;

describe("Requests from member to member", () => {
  it(
    coversRow("request.relayed", "reach the addressed member, and its answer returns once"),
    async () => {
      const stage = createStage();
      const admin = await stage.enter("admin");
      const bob = await stage.enter("bob");
      const carol = await stage.enter("carol");
      for (const member of [admin, bob, carol]) member.news();
      const arg = { op2: OP2.talkerRequest, nickName: "B" };
      const ask = { op: op.controlRequest, tsxId: "q", memId: "admin", arg };
      expect(await bob.ask(ask)).toEqual({});
      expect(admin.news()).toEqual([
        { op: op.controlRequest, tsxId: "q", sessId: admin.sessId, from: "bob", arg },
      ]);
      const answer = { op: op.controlResponse, tsxId: "q", memId: "bob", result: 1, arg };
      // A member that was not asked cannot answer.
      expect(await carol.ask(answer)).toMatchObject({ result: -405 });
      expect(await admin.ask(answer)).toEqual({});
      expect(bob.news()).toEqual([
        { op: op.controlResponse, tsxId: "q", sessId: bob.sessId, from: "admin", result: 1, arg },
      ]);
      expect(await admin.ask(answer)).toMatchObject({ op: op.controlResponse, result: -405 });
      expect(bob.news()).toEqual([]);
      expect(carol.news()).toHaveLength(1);
      await bob.ask(ask);
      stage.clock.advance(CONFERENCE_TIMINGS.ask);
      expect(await admin.ask(answer)).toMatchObject({ result: -405 });
    },
  );

  it(
    coversRow(
      ["message.accept", "message.exempt"],
      "are refused by role, when the other member does not accept them, and when it is absent",
    ),
    async () => {
      const stage = createStage();
      const admin = await stage.enter("admin", { acptOps: [] });
      const bob = await stage.enter("bob", { acptOps: [op.controlRequest] });
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
        [admin, "bob", OP2.mediaControl, 0],
        [admin, "bob", OP2.panelControl, 0],
        [bob, "admin", OP2.mediaControl, -507],
        [bob, "admin", 99, -507],
        [bob, "bob", OP2.mediaControl, -405],
        [bob, "nobody", OP2.mediaControl, -507],
        [admin, "away", OP2.mute, 0],
        [admin, "away", OP2.mediaControl, -507],
        [bob, "away", OP2.mute, -405],
      ] as const) {
        const before = stage.state();
        const answer = await member.ask({ op: op.controlRequest, memId, arg: { op2 } });
        if (result === 0) expect(answer).toEqual({});
        else expect(answer, `${member.name} ${op2}`).toMatchObject({ op: 1002, result });
        // Mutes are part of the conference's state.
        const mutes = result === 0 && (op2 === OP2.mute || op2 === OP2.unmute);
        expect(stage.state() !== before).toBe(mutes);
      }
    },
  );

  it("are remembered up to a thousand", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    const arg = { op2: OP2.mute };
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
    const answer = { op: op.controlResponse, memId: "admin", result: 0, arg };
    expect(await bob.ask({ ...answer, tsxId: "q0" })).toMatchObject({ result: -405 });
    expect(await bob.ask({ ...answer, tsxId: "q1099" })).toEqual({});
  });
});

describe("Texts", () => {
  it("go to all members that accept them, or to one", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    const deaf = await stage.enter("deaf", { acptOps: [] });
    for (const member of [admin, bob, deaf]) member.news();
    const at = stage.clock.now();
    expect(await bob.ask({ op: op.message, id: "m1", text: "大家好" })).toMatchObject({
      result: 0,
      id: "m1",
      at,
    });
    expect(admin.news()).toEqual([
      { op: op.message, sessId: admin.sessId, from: "bob", id: "m1", text: "大家好", at },
    ]);
    expect(deaf.news()).toEqual([]);
    expect(bob.news()).toHaveLength(1);
    const one = { op: op.message, id: "m2", text: "x" };
    expect(await bob.ask({ ...one, to: "admin" })).toMatchObject({ result: 0 });
    expect(admin.news()).toMatchObject([{ from: "bob", to: "admin" }]);
    expect(await bob.ask({ ...one, to: "deaf" })).toMatchObject({ result: -507 });
    expect(await bob.ask({ ...one, to: "nobody" })).toMatchObject({ result: -507 });
    expect(await bob.ask({ ...one, to: "bob" })).toMatchObject({ result: -405 });
  });
});
