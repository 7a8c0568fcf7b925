import { describe, expect, it } from "vitest";
import { OP } from "../../../shared/protocol/signalling.ts";
import { AppError } from "../../../shared/errors.ts";
import { MEDIA_TIMEOUT } from "./connections.ts";
import {
  ANSWER,
  offerText,
  AUDIO,
  AV,
  createStage,
  type Member,
  ops,
  settle,
  VIDEO,
} from "./conference.harness.ts";
import { writeDescription } from "../../../shared/protocol/confr-signalling.ts";
import { setRoles } from "./roles.ts";
import { CONFERENCE_TIMINGS } from "./types.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";

const op = OP;
const subscribe = (member: Member, rtcId: string, subSId: unknown, more: object = {}) =>
  member.ask({ op: op.offer, rtcId, sdp: offerText(AV), subSId: String(subSId), ...more });
const select = (member: Member, rtcId: string, subSId: string, more: object = {}) =>
  member.ask({ op: op.subscribe, rtcId, subSId, subSVideo: true, subSAudio: true, ...more });
const idOf = (answer: Record<string, unknown>): string =>
  (answer["stream"] as { id: string } | undefined)?.id ?? "none";

describe("Publishing", () => {
  it("is announced to the others and answered with the stream; the node's description follows", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    admin.news();
    const answer = await bob.publish("r1", AV, { type: 0, ext: "x", resolution: { w: 4, h: 3 } });
    expect(answer).toMatchObject({
      op: op.response,
      result: 0,
      rtcId: "r1",
      cver: 3,
      stream: {
        memId: "bob",
        type: 0,
        hasVideo: true,
        hasAudio: true,
        vcodes: ["VP8"],
        layers: ["low", "high"],
        ext: "x",
        resolution: { w: 4, h: 3 },
      },
    });
    const id = idOf(answer);
    expect(answer["streamId"]).toBe(id);
    expect(answer).not.toHaveProperty("sdp");
    const pubS = { id, memId: "bob" };
    expect(admin.news()).toMatchObject([{ op: op.streamAdded, cver: 3, memId: "bob", pubS }]);
    // The connection of another member is not its own: a client may use the same rtcId.
    expect(JSON.stringify(stage.conference().streams.get(id)?.info)).not.toContain("rtcId");
    expect(bob.news()).toMatchObject([
      { op: op.response },
      { op: op.answer, rtcId: "r1", sdp: '{"type":"ANSWER","sdp":"answer"}' },
    ]);
  });

  it("names the client's connection object in what the node sends, and takes codecs that it does not know", async () => {
    const stage = createStage();
    const bob = await stage.enter("bob");
    const pubS = { type: 0, vcodes: ["AV1", "H264", "VP8"] };
    const sdp = offerText(AV);
    const answer = await bob.ask({ op: op.offer, rtcId: "RTC0", sdp, pubS, cctx: "_i_3" });
    expect(answer).toMatchObject({ result: 0, stream: { vcodes: ["H264"] } });
    const node = stage.nodes[0];
    const id = [...(node?.open.keys() ?? [])][0] ?? "";
    node?.emit({ t: "candidates", id, cands: [{ candidate: "c", sdpMid: "0", sdpMLineIndex: 0 }] });
    expect(bob.news().slice(-2)).toMatchObject([
      { op: op.answer, rtcId: "RTC0", cctx: "_i_3" },
      {
        op: op.candidates,
        cctx: "_i_3",
        cands: ['{"type":"candidate","candidate":"c","mlineindex":0,"mid":"0"}'],
      },
    ]);
    expect(await bob.ask({ op: op.offer, rtcId: "RTC2", sdp })).toMatchObject({ result: -9527 });
  });

  it("again over the same rtcId by a new connection of the client replaces the connection", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    const id = idOf(await bob.publish("RTC0", `${AV}a=fingerprint:sha-256 AA\r\n`));
    admin.news();
    bob.news();
    // Its connection ended without a reason: it is about to publish again.
    const bare = { op: op.terminate, rtcId: "RTC0" };
    expect(await bob.ask({ ...bare, endReason: -10 })).toMatchObject({ result: 0 });
    expect(stage.nodes[0]?.open.size).toBe(0);
    expect(await bob.ask(bare)).toMatchObject({ result: 0 });
    expect(stage.nodes[0]?.open.size).toBe(0);
    stage.clock.advance(CONFERENCE_TIMINGS.republish - 1);
    const other = `${AV}a=fingerprint:sha-256 BB\r\n`;
    expect(await bob.publish("RTC0", other, { type: 0, id })).toMatchObject({ stream: { id } });
    stage.clock.advance(CONFERENCE_TIMINGS.orphan);
    expect(admin.news()).toMatchObject([{ op: op.streamAdded, pubS: { id } }]);
    expect(ops(bob.news())).not.toContain(op.streamRemoved);
    // Without the end in between.
    expect(await bob.publish("RTC0", AV, { type: 0, id })).toMatchObject({ stream: { id } });
    expect(stage.nodes[0]?.calls).toEqual(["publish", "publish", "publish"]);
    expect(stage.nodes[0]?.open.size).toBe(1);
    // It does not publish again after all.
    admin.news();
    await bob.ask(bare);
    stage.clock.advance(CONFERENCE_TIMINGS.republish);
    expect(admin.news()).toMatchObject([{ op: op.streamRemoved, memId: "bob", pubSId: id }]);
    // In the meantime a new publication needs no id.
    await bob.publish("RTC4");
    await bob.ask({ ...bare, rtcId: "RTC4" });
    expect(await bob.publish("RTC6")).toMatchObject({ result: 0 });
  });

  it("again keeps the id, raises sver, and closes the former connection", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    const first = await bob.publish("r1");
    const id = idOf(first);
    await subscribe(admin, "s1", id);
    admin.news();
    const again = await bob.publish("r2", AV, { type: 0, id });
    expect(again).toMatchObject({ result: 0, rtcId: "r2", stream: { id } });
    const svers = [first, again].map((a) => (a["stream"] as { sver: number }).sver);
    expect((svers[1] ?? 0) > (svers[0] ?? 0)).toBe(true);
    expect(admin.news()).toMatchObject([{ op: op.streamAdded, pubS: { id } }]);
    expect([...(stage.nodes[0]?.open.values() ?? [])]).toEqual(["pub"]);
    // A restarted server gives the same id, and accepts it only from its owner.
    const restarted = createStage();
    const other = await restarted.enter("mallory");
    const taken = await other.publish("r9", AV, { type: 0, id });
    expect(taken).toMatchObject({ result: 0, stream: { memId: "mallory" } });
    expect(idOf(taken)).not.toBe(id);
    const back = await restarted.enter("bob");
    expect(await back.publish("r3", AV, { type: 0, id })).toMatchObject({ stream: { id } });
  });

  it("with the same rtcId and the same certificate is an ICE restart", async () => {
    const stage = createStage();
    const bob = await stage.enter("bob");
    await bob.publish("r1");
    bob.news();
    expect(await bob.publish("r1")).toMatchObject({ result: 0 });
    expect(bob.news()).toMatchObject([{ op: op.response }, { op: op.answer, rtcId: "r1" }]);
    expect(stage.nodes[0]?.calls).toEqual(["publish", "restart"]);
    expect(stage.conference().streams.size).toBe(1);
  });

  it("is answered -503 without a node, by a failing node, and by a node that never answers", async () => {
    const none = createStage({ nodes: [] });
    expect(await (await none.enter("bob")).publish("r1")).toMatchObject({ result: -503 });
    const stage = createStage();
    const bob = await stage.enter("bob");
    const node = stage.nodes[0];
    if (node === undefined) throw new Error("unreachable");
    node.fail = new AppError("conference.media-unavailable");
    expect(await bob.publish("r1")).toMatchObject({ result: -503 });
    node.fail = new AppError("conference.invalid");
    expect(await bob.publish("r2")).toMatchObject({ result: -9527 });
    node.fail = null;
    const release = node.stall();
    const before = bob.frames.length;
    void bob.publish("r3");
    await settle();
    // Other requests do not wait for the node.
    expect(await bob.ask({ op: op.ping })).toMatchObject({ op: op.pong });
    stage.clock.advance(MEDIA_TIMEOUT);
    await settle();
    expect(bob.frames.slice(before).at(-1)).toMatchObject({ op: op.response, result: -503 });
    expect(stage.conference().streams.size + stage.conference().publishing.size).toBe(0);
    expect(stage.connections.size).toBe(0);
    release();
    await settle();
    expect(node.open.size).toBe(0);
  });

  it("closes the node's result for a member that has meanwhile left or become audience", async () => {
    for (const how of ["leave", "cut", "degrade"] as const) {
      const stage = createStage();
      await stage.enter("admin");
      const bob = await stage.enter("bob");
      const release = stage.nodes[0]?.stall();
      void bob.publish("r1");
      await settle();
      if (how === "leave") await bob.ask({ op: op.leave });
      if (how === "cut") {
        bob.cut();
        stage.clock.advance(10_000);
      }
      if (how === "degrade") {
        expect(setRoles(stage.conference(), ["bob"], 1, true)).toMatchObject({ result: 0 });
      }
      release?.();
      await settle();
      // A disconnected member keeps its stream.
      const streams = how === "cut" ? 1 : 0;
      expect(stage.conference().streams.size, how).toBe(streams);
      expect(stage.nodes[0]?.open.size, how).toBe(streams);
      expect(stage.conference().publishing.size).toBe(0);
      if (how === "degrade") {
        expect(bob.frames.at(-1)).toMatchObject({
          result: -405,
          msg: "Audience not allow publish",
        });
      }
    }
  });
});

describe("Subscribing", () => {
  it("is refused by the rules, and a refusal changes nothing", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    const id = idOf(await admin.publish("r1"));
    const own = idOf(await bob.publish("r2"));
    await subscribe(bob, "s1", id);
    const before = stage.state();
    expect(await subscribe(bob, "s2", "unknown")).toMatchObject({ result: -507 });
    expect(await subscribe(bob, "s2", own)).toMatchObject({ result: -405 });
    expect(await subscribe(bob, "r2", id)).toMatchObject({ result: -405 });
    expect(await bob.publish("s1", AV, { type: 1 })).toMatchObject({ result: -405 });
    expect(await bob.ask({ op: op.answer, rtcId: "none", sdp: ANSWER })).toMatchObject({
      result: -507,
    });
    expect(await bob.ask({ op: op.answer, rtcId: "r2", sdp: ANSWER })).toMatchObject({
      result: -507,
    });
    // A member cannot reach another member's connection by its rtcId.
    expect(await bob.ask({ op: op.terminate, rtcId: "r1", reason: 0 })).toMatchObject({
      result: -507,
    });
    expect(await bob.ask({ op: op.streamControl, rtcId: "r1", voff: 1, aoff: 1 })).toMatchObject({
      result: -507,
    });
    expect(await bob.ask({ op: op.candidates, rtcId: "r1", cands: [] })).toMatchObject({
      result: -507,
    });
    expect(stage.state()).toBe(before);
    expect(stage.connections.size).toBe(3);
  });

  it("to one stream twice keeps the later connection", async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const bob = await stage.enter("bob");
    const id = idOf(await admin.publish("r1"));
    await subscribe(bob, "s1", id);
    await subscribe(bob, "s2", id);
    expect([...(stage.nodes[0]?.open.values() ?? [])]).toEqual(["pub", "sub"]);
    expect(await bob.ask({ op: op.answer, rtcId: "s1", sdp: ANSWER })).toMatchObject({
      result: -507,
    });
    expect(await bob.ask({ op: op.answer, rtcId: "s2", sdp: ANSWER })).toMatchObject({ result: 0 });
  });

  it("The server first chooses a codec that all present members support", async () => {
    const stage = createStage();
    await stage.enter("old", { vcodes: ["H264"] });
    const bob = await stage.enter("bob");
    expect(await bob.publish("r1")).toMatchObject({ stream: { vcodes: ["H264"] } });
    // Otherwise the creator's preference among the publisher's codecs.
    const wished = createStage({ vcodes: ["H264"] });
    const carol = await wished.enter("carol");
    expect(await carol.publish("r1")).toMatchObject({ stream: { vcodes: ["H264"] } });
    const dave = await wished.enter("dave");
    expect(await dave.publish("r1", AV, { type: 0, vcodes: ["VP8"] })).toMatchObject({
      stream: { vcodes: ["VP8"] },
    });
  });
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "publish.audience-server, publish.repeat-server, publish.repeat-mixer, publish.mixed-desktop-server: Publishing is refused by the rules of the specification, and a refusal changes nothing":
    async () => {
      for (const type of [10, 11, 12, 14]) {
        const mixed = type === 11 || type === 12;
        const stage = createStage({ type });
        const admin = await stage.enter("admin");
        const viewer = await stage.enter("viewer", { role: 1 });
        const first = await admin.publish("r1");
        const refused: [Member, string, string, object, number, string | undefined][] = [
          [viewer, "x1", AV, { type: 0 }, -405, "Audience not allow publish"],
          [
            admin,
            "x2",
            AV,
            { type: 0 },
            -405,
            "Audio and video stream has been published. not allow repeat publish.",
          ],
          [admin, "x3", AV, { type: 0, id: "unknown" }, -405, undefined],
          [admin, "x6", AV, { type: 1, id: idOf(first) }, -507, undefined],
          [viewer, "x4", AV, { type: 0, id: idOf(first) }, -405, "Audience not allow publish"],
        ];
        if (mixed) {
          const msg = "confr mix. not allow desktop with audio.";
          refused.push([admin, "x5", AV, { type: 1 }, -405, msg]);
        }
        for (const [member, rtcId, sdp, pubS, result, msg] of refused) {
          const before = stage.state();
          const answer = await member.publish(rtcId, sdp, pubS);
          expect(answer, `${type} ${rtcId}`).toMatchObject({ result });
          if (msg !== undefined) expect(answer["msg"]).toBe(msg);
          expect(stage.state()).toBe(before);
        }
        expect(await admin.publish("d1", mixed ? VIDEO : AV, { type: 1 })).toMatchObject({
          result: 0,
        });
        expect(await admin.publish("d2", VIDEO, { type: 1 })).toMatchObject({
          result: -405,
          msg: "Desktop stream has been published. not allow repeat publish.",
        });
        // A mixer has no picture, although the library offers one.
        expect(await admin.publish("m1", AV, { type: 2 })).toMatchObject({
          result: 0,
          stream: { type: 2, hasVideo: false, voff: 1, aoff: 0 },
        });
        expect(await admin.publish("m2", AUDIO, { type: 2 })).toMatchObject({
          msg: "AudioMixerStreamRepeatPublish",
        });
        expect(stage.connections.size).toBe(3);
      }
    },

  "end.23-server, end.24-server: Publishing respects the limits of videos (23) and desktops (24), including streams that are being published":
    async () => {
      const stage = createStage({ limits: { maxVideoCount: 1, maxPubDesktopCount: 1 } });
      const admin = await stage.enter("admin");
      const bob = await stage.enter("bob");
      const release = stage.nodes[0]?.stall();
      const first = admin.publish("a1");
      const desktop = admin.publish("a2", VIDEO, { type: 1 });
      await settle();
      bob.news();
      expect(await bob.publish("b1")).toMatchObject({ result: -405, endReason: 23 });
      expect(bob.news()).toMatchObject([
        { op: op.response, sessId: bob.sessId, result: -405 },
        { op: op.terminate, rtcId: "b1", endReason: 23 },
      ]);
      expect(await bob.publish("b2", VIDEO, { type: 1 })).toMatchObject({
        result: -405,
        endReason: 24,
      });
      release?.();
      await Promise.all([first, desktop]);
      await settle();
      expect(stage.conference().streams.size).toBe(2);
      expect(await bob.publish("b3", AV, { type: 0, voff: 1 })).toMatchObject({ result: 0 });
      const before = stage.state();
      const on = { op: op.streamControl, rtcId: "b3", voff: 0, aoff: 0 };
      expect(await bob.ask(on)).toMatchObject({ result: -405, endReason: 23 });
      expect(stage.state()).toBe(before);
      await admin.ask({ op: op.streamControl, rtcId: "a1", voff: 1, aoff: 0 });
      expect(await bob.ask(on)).toMatchObject({ result: 0 });
    },

  "subscribe.same-rtc: Subscribing gets the answer to its offer, and changes the subscription without another offer":
    async () => {
      const stage = createStage();
      const admin = await stage.enter("admin");
      const bob = await stage.enter("bob");
      const id = idOf(await admin.publish("r1"));
      expect(await subscribe(bob, "s1", id)).toMatchObject({
        result: 0,
        rtcId: "s1",
        streamId: id,
      });
      const described = { op: op.answer, rtcId: "s1" };
      expect(bob.news().at(-1)).toMatchObject({
        ...described,
        sdp: writeDescription({ type: "ANSWER", sdp: `answer to ${AV}` }),
      });
      const cands = ['{"candidate":"c","mid":"0","mlineindex":0}', "no candidate"];
      expect(await bob.ask({ op: op.candidates, rtcId: "s1", cands })).toMatchObject({ result: 0 });
      const low = { subSVideo: false, layer: "low" };
      expect(await select(bob, "s1", id, low)).toMatchObject({ result: 0 });
      // The layer stays when a client does not know of layers.
      expect(await select(bob, "s1", id)).toMatchObject({ result: 0 });
      bob.news();
      expect(await subscribe(bob, "s1", id)).toMatchObject({ result: 0 });
      expect(bob.news()).toMatchObject([{ op: op.response }, described]);
      const node = stage.nodes[0];
      expect(node?.calls).toEqual([
        "publish",
        "subscribe",
        "candidates",
        'select {"video":false,"audio":true,"layer":"low"}',
        'select {"video":true,"audio":true,"layer":"low"}',
        "restart",
      ]);
      expect(await select(bob, "none", id)).toMatchObject({ result: -507 });
      expect(await bob.ask({ op: op.unsubscribe, rtcId: "s1", subSId: "x" })).toMatchObject({
        result: -507,
      });
      expect(await bob.ask({ op: op.unsubscribe, rtcId: "s1", subSId: id })).toMatchObject({
        result: 0,
      });
      expect([...(node?.open.values() ?? [])]).toEqual(["pub"]);
    },

  "end.21-server: Subscribing asks the publisher once for a codec that all subscribers support (21)":
    async () => {
      const stage = createStage();
      const admin = await stage.enter("admin", { vcodes: ["VP8", "H264"] });
      const id = idOf(await admin.publish("r1", AV, { type: 0, vcodes: ["VP8", "H264"] }));
      const bob = await stage.enter("bob", { vcodes: ["H264"] });
      admin.news();
      expect(await subscribe(bob, "s1", id)).toMatchObject({ result: -503 });
      await subscribe(bob, "s1", id);
      expect(admin.news()).toMatchObject([
        { op: op.terminate, rtcId: "r1", endReason: 21, useVCodes: ["H264"] },
      ]);
      expect(await subscribe(bob, "s1", id, { subSVideo: false })).toMatchObject({ result: 0 });
      // Sound continues, and its picture is requested later.
      expect(await select(bob, "s1", id)).toMatchObject({ result: -503 });
      expect(await admin.publish("r2", AV, { type: 0, id, vcodes: ["H264", "VP8"] })).toMatchObject(
        {
          stream: { vcodes: ["H264"] },
        },
      );
      expect(await subscribe(bob, "s2", id)).toMatchObject({ result: 0 });
    },

  "end.22-server: Subscribing reports to a subscriber that no codec suits it (22)": async () => {
    const stage = createStage();
    const admin = await stage.enter("admin");
    const old = await stage.enter("old", { vcodes: ["VP8"] });
    const id = idOf(await admin.publish("r1"));
    await subscribe(old, "s1", id);
    const bob = await stage.enter("bob", { vcodes: ["H264"] });
    admin.news();
    expect(await subscribe(bob, "s1", id)).toMatchObject({
      result: -405,
      msg: "SubFailNotSupportVCodes",
      endReason: 22,
    });
    expect(bob.news()[1]).toMatchObject({ op: op.terminate, rtcId: "s1", endReason: 22 });
    // A subscription to sound only continues when the picture is refused.
    expect(await subscribe(bob, "s2", id, { subSVideo: false })).toMatchObject({ result: 0 });
    bob.news();
    expect(await select(bob, "s2", id)).toMatchObject({ result: -405, endReason: 22 });
    expect(ops(bob.news())).toEqual([op.response]);
    expect(await bob.ask({ op: op.answer, rtcId: "s2", sdp: ANSWER })).toMatchObject({ result: 0 });
    expect(admin.news()).toEqual([]);
  },
});
