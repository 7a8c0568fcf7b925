import { describe, expect, it } from "vitest";
import { OP } from "../../../shared/protocol/signalling.ts";
import { createStage, ops } from "./conference.harness.ts";
import { kick } from "./membership.ts";
import { MAX_ATTRS, setAttributes, setRoles } from "./roles.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";

const op = OP;
const ok = { result: 0 };

async function three(options: Parameters<typeof createStage>[0] = {}) {
  const stage = createStage(options);
  const admin = await stage.enter("admin");
  const bob = await stage.enter("bob");
  const viewer = await stage.enter("viewer", { role: 1 });
  for (const member of [admin, bob, viewer]) member.news();
  return { stage, admin, bob, viewer, conference: stage.conference() };
}

describe("Roles", () => {
  it("lowered to audience close the member's streams, and tell it which connections", async () => {
    const { stage, admin, bob, conference } = await three();
    await bob.publish("r1");
    await bob.publish("r2", "m=video 9", { type: 1 });
    admin.news();
    bob.news();
    expect(setRoles(conference, ["bob"], 1, true)).toMatchObject(ok);
    expect(ops(admin.news())).toEqual([op.streamRemoved, op.streamRemoved, op.memberChanged]);
    expect(bob.news().filter((f) => f.op === op.terminate)).toMatchObject([
      { rtcId: "r1", endReason: 11 },
      { rtcId: "r2", endReason: 11 },
    ]);
    expect(stage.nodes[0]?.open.size).toBe(0);
    expect(await bob.publish("r3")).toMatchObject({ result: -405 });
    // The role stays for a returning member, whatever its ticket requests.
    await bob.ask({ op: op.leave });
    expect((await stage.enter("bob", { role: 3 })).answer).toMatchObject({ role: 1 });
    setRoles(conference, ["bob"], 3, false);
    expect((await stage.enter("bob", { role: 1 })).answer).toMatchObject({ role: 3 });
  });

  it("of a person apply to all of the person's devices", async () => {
    const { stage, conference } = await three();
    const desk = await stage.enter("bob", { resource: "desk" });
    setRoles(conference, ["bob"], 7, false);
    expect(desk.frames.filter((f) => f.op === op.role)).toMatchObject([
      { role: 7, roleToken: "c1/bob/7" },
    ]);
    expect(desk.frames.filter((f) => f.op === op.memberChanged)).toMatchObject([
      { mem: { id: "bob", role: 7 } },
      { mem: { id: desk.memId, role: 7 } },
    ]);
    expect(kick(conference, "admin", ["bob"])).toMatchObject(ok);
    expect(conference.sessions.size).toBe(2);
  });
});

describe("Attributes and mute", () => {
  it("are announced once, with what has changed, and stored", async () => {
    const { stage, bob, conference } = await three();
    const set = (key: string, val: string, how: "UPDATE" | "DEL" = "UPDATE") => ({
      key,
      val,
      op: how,
    });
    expect(setAttributes(conference, [set("a", "1"), set("b", "2")], true)).toMatchObject(ok);
    expect(setAttributes(conference, [set("a", "1")], true)).toMatchObject(ok);
    expect(setAttributes(conference, [set("none", "", "DEL")], undefined)).toMatchObject(ok);
    expect(bob.news()).toMatchObject([
      { op: op.attributes, cattrs: [set("a", "1"), set("b", "2")], cstate: { muteAll: true } },
    ]);
    expect(setAttributes(conference, [set("a", "", "DEL")], undefined)).toMatchObject(ok);
    expect(bob.news()).toMatchObject([
      { cattrs: [set("a", "", "DEL")], cstate: { muteAll: true } },
    ]);
    const late = await stage.enter("late");
    expect(late.answer).toMatchObject({ cattrs: [set("b", "2")], cstate: { muteAll: true } });
    const kept = stage.kept.get("c1");
    expect(kept).toEqual({
      roles: {},
      cattrs: [{ key: "b", val: "2" }],
      muteAll: true,
      muted: [],
    });
    if (kept === undefined) return;
    const restarted = createStage({ kept });
    expect((await restarted.enter("bob")).answer).toMatchObject({
      cattrs: [set("b", "2")],
      cstate: { muteAll: true },
    });
  });

  it("are limited in number", async () => {
    const { stage, conference } = await three();
    const many = Array.from({ length: MAX_ATTRS }, (_, i) => ({
      key: `k${i}`,
      val: "",
      op: "UPDATE" as const,
    }));
    expect(setAttributes(conference, many, undefined)).toMatchObject(ok);
    const before = stage.state();
    expect(setAttributes(conference, [{ key: "more", val: "", op: "UPDATE" }], true)).toMatchObject(
      {
        result: -405,
      },
    );
    expect(stage.state()).toBe(before);
  });
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "role.own: Roles are announced to all, with the token only to the member itself; a change of admins is announced by 413":
    async () => {
      const { stage, admin, bob, viewer, conference } = await three();
      expect(setRoles(conference, ["viewer"], 3, false)).toMatchObject(ok);
      expect(viewer.news()).toMatchObject([
        { op: op.role, sessId: viewer.sessId, role: 3, roleToken: "c1/viewer/3" },
        { op: op.memberChanged, mem: { id: "viewer", role: 3 } },
      ]);
      // A client takes op 412 as its own role.
      expect(bob.news()).toMatchObject([{ op: op.memberChanged, mem: { id: "viewer", role: 3 } }]);
      expect(setRoles(conference, ["viewer", "bob"], 7, false)).toMatchObject(ok);
      expect(ops(admin.news())).toEqual([310, 310, 310, op.admins]);
      expect(admin.frames.at(-1)).toMatchObject({ memIds: ["admin", "bob", "viewer"] });
      expect(stage.kept.get("c1")?.roles).toEqual({ viewer: 7, bob: 7 });
      // Setting the same role again sends no event.
      expect(setRoles(conference, ["bob"], 7, false)).toMatchObject(ok);
      expect(admin.news()).toEqual([]);
    },

  "degrade.server: Roles are refused as a whole, and a refusal changes nothing": async () => {
    const { stage, conference } = await three({
      limits: { maxTalkerCount: 2, maxAudienceCount: 1 },
    });
    for (const [verdict, result] of [
      [() => setRoles(conference, ["nobody"], 3, false), -507],
      [() => setRoles(conference, ["bob", "nobody"], 7, false), -507],
      [() => setRoles(conference, ["viewer"], 3, true), -405],
      [() => setRoles(conference, ["bob"], 3, true), -405],
      [() => setRoles(conference, ["admin", "viewer"], 1, true), -405],
      [() => setRoles(conference, ["admin"], 3, true), -405],
      [() => setRoles(conference, ["viewer"], 3, false), -523],
      [() => setRoles(conference, ["bob"], 1, true), -504],
      [() => kick(conference, "admin", ["nobody"]), -507],
      [() => kick(conference, "admin", ["bob", "nobody"]), -507],
      [() => kick(conference, "admin", ["admin"]), -405],
    ] as const) {
      const before = stage.state();
      expect(verdict()).toMatchObject({ result });
      expect(stage.state()).toBe(before);
    }
  },

  "exit.12-server: Kicking notifies the member and the others (reason 12), streams first, and closes the socket":
    async () => {
      const { stage, admin, bob, conference } = await three();
      await bob.publish("r1");
      admin.news();
      bob.news();
      expect(kick(conference, "admin", ["bob", "bob"])).toMatchObject(ok);
      const exited = { op: op.memberExited, memId: "bob", reason: 12 };
      expect(admin.news()).toMatchObject([{ op: op.streamRemoved }, exited]);
      expect(bob.news()).toMatchObject([exited]);
      expect(bob.closed).toBe(4403);
      expect(stage.connections.size).toBe(0);
      stage.clock.advance(60_000);
      expect(admin.news()).toEqual([]);
      // Its client may try to resume the session before it closes.
      expect((await stage.enter("bob", { sessId: bob.sessId })).answer).toMatchObject({
        result: -405,
      });
    },
});
