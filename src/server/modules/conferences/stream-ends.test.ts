import { describe, expect, it } from "vitest";
import { OP } from "../../../shared/protocol/signalling.ts";
import { offerText, AV, createStage, type Member, ops } from "./conference.harness.ts";
import { createFakeNode } from "./node.fake.ts";
import { CONFERENCE_TIMINGS } from "./types.ts";

const op = OP;
const subscribe = (member: Member, rtcId: string, subSId: unknown, more: object = {}) =>
  member.ask({ op: op.offer, rtcId, sdp: offerText(AV), subSId: String(subSId), ...more });
const idOf = (answer: Record<string, unknown>): string =>
  (answer["stream"] as { id: string } | undefined)?.id ?? "none";

describe("Ending and muting", () => {
  it("A stream is removed by its connection, and all are notified once", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    const id = idOf(await bob.publish("r1"));
    await subscribe(admin, "s1", id);
    admin.news();
    bob.news();
    expect(await bob.ask({ op: op.terminate, rtcId: "r1", endReason: 0 })).toMatchObject({
      result: 0,
      pubSId: id,
      cver: stage.conference().cver,
    });
    expect(ops(bob.news())).toEqual([op.response]);
    expect(admin.news()).toMatchObject([{ op: op.streamRemoved, pubSId: id, memId: "bob" }]);
    expect(stage.nodes[0]?.open.size).toBe(0);
    expect(await bob.ask({ op: op.terminate, rtcId: "r1", reason: 0 })).toMatchObject({
      result: -507,
    });
  });

  it("A stream is removed at once when the end says reason instead of endReason", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    const id = idOf(await bob.publish("r1"));
    admin.news();
    // Without either, the stream would stay listed for a while.
    expect(await bob.ask({ op: op.terminate, rtcId: "r1", reason: 0 })).toMatchObject({
      result: 0,
      pubSId: id,
    });
    expect(admin.news()).toMatchObject([{ op: op.streamRemoved, pubSId: id, memId: "bob" }]);
    expect(stage.conference().streams.size).toBe(0);
  });

  it("A change of voff and aoff is announced once, and no change is not announced", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    const id = idOf(await bob.publish("r1"));
    admin.news();
    for (let i = 0; i < 2; i += 1) {
      expect(await bob.ask({ op: op.streamControl, rtcId: "r1", voff: 1, aoff: 0 })).toMatchObject({
        result: 0,
      });
    }
    expect(admin.news()).toMatchObject([
      { op: op.streamControl, streamId: id, memId: "bob", voff: 1, aoff: 0 },
    ]);
  });
});

describe("Media nodes", () => {
  it("are chosen by load, once per conference, among those that are up", async () => {
    const [a, b, c] = ["a", "b", "c"].map(createFakeNode);
    if (a === undefined || b === undefined || c === undefined) throw new Error("unreachable");
    a.load = 0.5;
    b.load = 0.2;
    c.up = false;
    const stage = createStage({ nodes: [a, b, c] });
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    await admin.publish("r1");
    b.load = 0.9;
    await bob.publish("r2");
    expect([a.open.size, b.open.size]).toEqual([0, 2]);
    const other = await stage.enter("carol", { confrId: "c2" });
    await other.publish("r3");
    expect(a.open.size).toBe(1);
  });

  it("that die have their conferences moved: each connection is lost, streams keep their ids on another node", async () => {
    const [a, b] = ["a", "b"].map(createFakeNode);
    if (a === undefined || b === undefined) throw new Error("unreachable");
    b.load = 0.5;
    const stage = createStage({ nodes: [a, b] });
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    const id = idOf(await admin.publish("r1"));
    await subscribe(bob, "s1", id);
    bob.cut();
    admin.news();
    a.emit({ t: "down" });
    expect(admin.news()).toMatchObject([
      { op: op.terminate, rtcId: "r1", endReason: 21, lost: true },
    ]);
    // A subscriber hears of the stream when it is published again.
    const back = await stage.enter("bob", { sessId: bob.sessId });
    expect(back.frames).toHaveLength(1);
    expect(await subscribe(back, "s2", id)).toMatchObject({ result: -503 });
    expect(await admin.publish("r2", AV, { type: 0, id })).toMatchObject({
      result: 0,
      stream: { id },
    });
    expect(back.news()).toContainEqual(expect.objectContaining({ op: op.streamAdded }));
    expect(await subscribe(back, "s3", id)).toMatchObject({ result: 0 });
    expect([a.open.size, b.open.size]).toEqual([0, 2]);
    stage.clock.advance(CONFERENCE_TIMINGS.orphan * 2);
    expect(stage.conference().streams.size).toBe(1);
  });

  it("that die alone have publishers asked once a node is up, unless they are gone or publish already", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    const carol = await stage.enter("carol");
    const id = idOf(await admin.publish("r1"));
    await bob.publish("r1");
    await carol.publish("r1");
    await subscribe(bob, "s1", id);
    for (const order of [
      ["H264", "VP8"],
      ["VP8", "H264"],
    ]) {
      for (const one of [admin, bob, carol]) one.news();
      stage.nodes[0]?.emit({ t: "down" });
      // An older client gives its stream up when it is refused.
      expect([...admin.news(), ...bob.news()]).toEqual([]);
      await carol.ask({ op: op.leave });
      stage.nodes[0]?.emit({ t: "up" });
      const lost = { op: op.terminate, rtcId: "r1", endReason: 21, useVCodes: order, lost: true };
      expect(admin.news()).toContainEqual({ ...lost, sessId: admin.sessId });
      expect(await admin.publish("r1", AV, { type: 0, id })).toMatchObject({ result: 0 });
      await bob.publish("r1", AV, { type: 0 });
    }
    expect(carol.news()).not.toContainEqual(expect.objectContaining({ op: op.terminate }));
  });

  it("that lose a subscriber alone ask it with another codec first each time", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    const id = idOf(await admin.publish("r1"));
    for (const rtcId of ["s1", "s2"]) {
      await subscribe(bob, rtcId, id);
      bob.news();
      const node = stage.nodes[0];
      const [connection = ""] = [...(node?.open ?? [])].find(([, kind]) => kind === "sub") ?? [];
      node?.emit({ t: "state", id: connection, state: "failed" });
      expect(bob.news()).toMatchObject([{ rtcId, useVCodes: ["H264", "VP8"], lost: true }]);
    }
  });

  it("that come up again do not get their former conferences back", async () => {
    const [a, b] = ["a", "b"].map(createFakeNode);
    if (a === undefined || b === undefined) throw new Error("unreachable");
    b.load = 0.5;
    const stage = createStage({ nodes: [a, b] });
    const admin = await stage.enter("admin");
    const id = idOf(await admin.publish("r1"));
    a.emit({ t: "down" });
    a.emit({ t: "up" });
    a.load = 0.9;
    await admin.publish("r2", AV, { type: 0, id });
    expect([a.open.size, b.open.size]).toEqual([0, 1]);
  });

  it("that lose a publisher leave its stream listed for 20 s", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    const id = idOf(await bob.publish("r1"));
    await subscribe(admin, "s1", id);
    admin.news();
    bob.news();
    const node = stage.nodes[0];
    const connection = [...(node?.open ?? [])].find(([, kind]) => kind === "pub")?.[0] ?? "";
    node?.emit({ t: "state", id: connection, state: "disconnected" });
    expect(bob.news()).toEqual([]);
    node?.emit({ t: "state", id: connection, state: "failed" });
    // For a client that does not know `lost`, an order of codecs that makes it build the connection again.
    const lost = { op: op.terminate, endReason: 21, useVCodes: ["H264", "VP8"], lost: true };
    expect(bob.news()).toMatchObject([{ ...lost, rtcId: "r1" }]);
    expect(admin.news()).toEqual([]);
    expect(node?.open.size).toBe(0);
    stage.clock.advance(CONFERENCE_TIMINGS.orphan);
    expect(admin.news()).toMatchObject([{ op: op.streamRemoved, pubSId: id }]);
    expect(bob.news()).toMatchObject([
      { op: op.terminate, rtcId: "r1", endReason: 11, pubSId: id },
    ]);
    expect(stage.clock.pending).toBe(0);
  });
});
