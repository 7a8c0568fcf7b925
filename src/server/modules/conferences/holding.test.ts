/** Tests that the server makes the node hold back what an admin has muted and what a publisher declares off. */
import { describe, expect, it } from "vitest";
import { OP } from "../../../shared/protocol/signalling.ts";
import { OP2 } from "../../../shared/protocol/confr-signalling.ts";
import {
  AUDIO,
  AV,
  createStage,
  type Member,
  settle,
  type Stage,
  VIDEO,
} from "./conference.harness.ts";
import { setAttributes, setRoles } from "./roles.ts";

const op = OP;
/** What is held back of each open publisher, by the member's name and the stream's type. */
const heldIn = (stage: Stage): Record<string, string> =>
  Object.fromEntries(
    [...stage.conference().streams.values()].map(({ info }) => {
      const own = stage.connections.connectionsOf(info.id).find(({ kind }) => kind === "pub");
      const held = stage.nodes[0]?.held.get(own?.id ?? "");
      const kinds = [...(held?.video ? ["video"] : []), ...(held?.audio ? ["audio"] : [])];
      return [`${info.memId} ${info.type}`, kinds.join(" ")];
    }),
  );
const mute = (by: Member, memId: string, on = true) =>
  by.ask({
    op: op.controlRequest,
    memId,
    arg: JSON.stringify({ op2: on ? OP2.mute : OP2.unmute }),
  });
const control = (member: Member, rtcId: string, voff: 0 | 1, aoff: 0 | 1) =>
  member.ask({ op: op.streamControl, rtcId, voff, aoff });

describe("A member that an admin has muted", () => {
  it("is held at the node on all streams until an admin unmutes it, and cannot unmute itself", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    await bob.publish("r1");
    await bob.publish("r2", AV, { type: 1 });
    expect(heldIn(stage)).toEqual({ "bob 0": "", "bob 1": "" });
    admin.news();
    bob.news();
    await mute(admin, "bob");
    expect(heldIn(stage)).toEqual({ "bob 0": "audio", "bob 1": "audio" });
    expect(admin.news()).toMatchObject([
      { op: op.memberChanged, mem: { id: "bob", role: 3, muted: true } },
      { op: op.streamControl, memId: "bob", voff: 0, aoff: 1 },
      { op: op.streamControl, memId: "bob", voff: 0, aoff: 1 },
    ]);
    expect(bob.news().at(-1)).toMatchObject({ op: op.controlRequest, memId: "admin" });
    // Its client declares the sound off, then on.
    expect(await control(bob, "r1", 0, 1)).toMatchObject({ result: 0 });
    expect(await control(bob, "r1", 0, 0)).toMatchObject({
      result: -405,
      msg: "主持人已将您静音",
    });
    expect(heldIn(stage)["bob 0"]).toBe("audio");
    // republishing does not lift the mute, and neither does leaving and joining again
    const id = [...stage.conference().streams.keys()][0];
    expect(await bob.publish("r3", AV, { type: 0, id })).toMatchObject({ stream: { aoff: 1 } });
    expect(heldIn(stage)["bob 0"]).toBe("audio");
    await bob.ask({ op: op.leave });
    const again = await stage.enter("bob");
    expect(again.answer["mems"]).toContainEqual(
      expect.objectContaining({ id: "bob", muted: true }),
    );
    await again.publish("r4");
    expect(heldIn(stage)).toEqual({ "bob 0": "audio" });
    await mute(admin, "bob", false);
    expect(heldIn(stage)).toEqual({ "bob 0": "" });
    expect(await control(again, "r4", 0, 1)).toMatchObject({ result: 0 });
    expect(await control(again, "r4", 0, 0)).toMatchObject({ result: 0 });
  });

  it("is muted also while its socket is lost, and while the node processes its stream", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    await bob.publish("r1");
    const { sessId } = bob;
    bob.cut();
    expect(await mute(admin, "bob")).toEqual({});
    expect(heldIn(stage)).toEqual({ "bob 0": "audio" });
    const back = await stage.enter("bob", { sessId });
    expect(back.frames).toContainEqual(
      expect.objectContaining({ op: op.controlRequest, arg: JSON.stringify({ op2: OP2.mute }) }),
    );
    const carol = await stage.enter("carol");
    const release = stage.nodes[0]?.stall();
    const asked = carol.publish("r2");
    await settle();
    await mute(admin, "carol");
    release?.();
    await asked;
    await settle();
    expect(heldIn(stage)["carol 0"]).toBe("audio");
  });

  it("is never an admin: admins are not muted, and becoming one lifts the mute", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    await bob.publish("r1");
    await mute(admin, "bob");
    expect(setRoles(stage.conference(), ["bob"], 7, false)).toEqual({ result: 0 });
    expect(heldIn(stage)).toEqual({ "bob 0": "" });
    expect(await mute(admin, "bob")).toMatchObject({ result: -405, msg: "不能将主持人静音" });
    setAttributes(stage.conference(), [], true);
    expect(heldIn(stage)).toEqual({ "bob 0": "" });
    setRoles(stage.conference(), ["bob"], 3, true);
    expect(heldIn(stage)).toEqual({ "bob 0": "audio" });
    setAttributes(stage.conference(), [], false);
    expect(heldIn(stage)).toEqual({ "bob 0": "" });
  });

  it("stays muted after a restart of the server, as does the mute of all", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    await stage.enter("bob");
    await mute(admin, "bob");
    const kept = stage.kept.get("c1");
    expect(kept).toMatchObject({ muted: ["bob"] });
    if (kept === undefined) throw new Error("nothing was kept");
    const restarted = createStage({ kept: { ...kept, muteAll: true } });
    for (const name of ["admin", "bob", "carol"]) {
      await (await restarted.enter(name)).publish(`r-${name}`);
    }
    expect(heldIn(restarted)).toEqual({ "admin 0": "", "bob 0": "audio", "carol 0": "audio" });
    setAttributes(restarted.conference(), [], false);
    expect(heldIn(restarted)).toEqual({ "admin 0": "", "bob 0": "audio", "carol 0": "" });
  });
});

describe("A mute of all", () => {
  async function muted(mayUnmute: boolean) {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    await bob.publish("r1");
    setAttributes(stage.conference(), [], true, mayUnmute);
    return { stage, admin, bob };
  }

  it("that people may end for themselves holds the sound until the member turns it on", async () => {
    const { stage, admin, bob } = await muted(true);
    expect(heldIn(stage)).toEqual({ "bob 0": "audio" });
    const late = await stage.enter("late");
    expect(late.answer).toMatchObject({ cstate: { muteAll: true, mayUnmute: true } });
    await late.publish("l1");
    admin.news();
    // As the console does: off by the mute, on by the person.
    await control(bob, "r1", 0, 1);
    expect(await control(bob, "r1", 0, 0)).toMatchObject({ result: 0 });
    // A client whose first stream the person wants to be heard.
    expect(await control(late, "l1", 0, 0)).toMatchObject({ result: 0 });
    expect(heldIn(stage)).toEqual({ "bob 0": "", "late 0": "" });
    expect(admin.news()).toMatchObject([
      { op: op.memberChanged, mem: { id: "bob", free: true } },
      { op: op.streamControl, memId: "bob", aoff: 0 },
      { op: op.memberChanged, mem: { id: "late", free: true } },
      { op: op.streamControl, memId: "late", aoff: 0 },
    ]);
    // The admin takes that back: all are muted again.
    setAttributes(stage.conference(), [], true);
    expect(heldIn(stage)).toEqual({ "bob 0": "audio", "late 0": "audio" });
    expect(stage.kept.get("c1")).toMatchObject({ muteAll: true });
    expect(await control(bob, "r1", 0, 0)).toMatchObject({ result: 0 });
    expect(heldIn(stage)).toMatchObject({ "bob 0": "audio" });
  });

  it.each([true, false])(
    "is not ended by a client that knows nothing of it and turns its camera off and on (mayUnmute %s)",
    async (mayUnmute) => {
      const { stage, bob } = await muted(mayUnmute);
      for (const voff of [1, 0, 1, 0] as const) {
        expect(await control(bob, "r1", voff, 0)).toMatchObject({ result: 0 });
        expect(heldIn(stage)["bob 0"]).toBe(voff === 1 ? "video audio" : "audio");
      }
      const id = [...stage.conference().streams.keys()][0];
      await bob.publish("r2", AV, { type: 0, id });
      expect(heldIn(stage)).toEqual({ "bob 0": "audio" });
      await control(bob, "r2", 0, 1);
      expect((await control(bob, "r2", 0, 0))["result"]).toBe(mayUnmute ? 0 : -405);
      expect(heldIn(stage)["bob 0"]).toBe(mayUnmute ? "" : "audio");
    },
  );

  it("is lifted by an admin for one person, whose hand goes down, until that person is muted or all are again", async () => {
    const { stage, admin, bob } = await muted(false);
    await bob.ask({ op: op.hand, up: true });
    await mute(admin, "bob", false);
    expect(heldIn(stage)).toEqual({ "bob 0": "" });
    const { member } = [...stage.conference().sessions.values()][1]!;
    expect([member.free, member.hand]).toEqual([true, undefined]);
    await mute(admin, "bob");
    await mute(admin, "bob", false);
    expect(heldIn(stage)).toEqual({ "bob 0": "" });
    setAttributes(stage.conference(), [], false);
    setAttributes(stage.conference(), [], true);
    expect(heldIn(stage)).toEqual({ "bob 0": "audio" });
  });

  it("keeps over a restart of the server whether people may end it", async () => {
    const { stage } = await muted(true);
    const kept = stage.kept.get("c1");
    if (kept === undefined) throw new Error("nothing was kept");
    const again = await createStage({ kept }).enter("carol");
    expect(again.answer).toMatchObject({ cstate: { muteAll: true, mayUnmute: true } });
  });
});

describe("What a client declares off", () => {
  it("is held at the node whatever it sends, so that voff: 1 takes no place of the limit (23)", async () => {
    const stage = createStage({ limits: { maxVideoCount: 1 } });
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    await admin.publish("a1");
    await bob.publish("b1", AV, { type: 0, voff: 1, aoff: 1 });
    await bob.publish("b2", AV, { type: 2 });
    expect(heldIn(stage)).toEqual({ "admin 0": "", "bob 0": "video audio", "bob 2": "video" });
    expect(await control(bob, "b1", 0, 0)).toMatchObject({
      result: -405,
      endReason: 23,
      msg: "会议视频路数已达上限",
    });
    expect(await control(bob, "b2", 0, 0)).toMatchObject({ result: 0 });
    expect(heldIn(stage)).toMatchObject({ "bob 0": "video audio", "bob 2": "video" });
    await control(admin, "a1", 1, 0);
    expect(await control(bob, "b1", 0, 0)).toMatchObject({ result: 0 });
    expect(heldIn(stage)).toEqual({ "admin 0": "video", "bob 0": "", "bob 2": "video" });
  });

  it("does not hide a picture that is offered as bundled only, or a desktop, from the limit (24)", async () => {
    const stage = createStage({ limits: { maxVideoCount: 1, maxPubDesktopCount: 1 } });
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    await admin.publish("a1");
    await admin.publish("a2", VIDEO, { type: 1, voff: 1 });
    const bundled = `${AUDIO}m=video 0 UDP/TLS/RTP/SAVPF 96\r\na=bundle-only\r\n`;
    expect(await bob.publish("b1", bundled)).toMatchObject({ result: -405, endReason: 23 });
    expect(await bob.publish("b2", VIDEO, { type: 1, voff: 1 })).toMatchObject({
      result: -405,
      endReason: 24,
    });
  });
});
