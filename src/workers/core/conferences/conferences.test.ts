import { describe, expect, it } from "vitest";
import { at, createConferenceWorld, ENTRY, errorOf, joined, own } from "./conferences.harness.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";

describe("a conference in the core", () => {
  it("The core asks for a copy when it missed a version", async () => {
    const { world } = await joined();
    world.server.cver += 3;
    world.server.enter("b");
    await world.run(100);
    expect(world.server.requestsOfOp(1000)).toHaveLength(1);
    expect(Object.keys(world.slice.members).toSorted()).toEqual(["b", "me"]);
  });

  it("After a lost socket the session is resumed and the connections stay", async () => {
    const { world, tab } = await joined();
    const orders = tab.orders.length;
    world.server.socket?.end(1006);
    await world.run();
    expect(world.slice.status).not.toBe("idle");
    await world.run(3000);
    expect(world.slice.status).toBe("joined");
    expect([world.server.sessions, tab.orders.length]).toEqual([1, orders]);
  });

  it("The core publishes under the same stream id when the server has forgotten the session", async () => {
    const { world, tab } = await joined();
    const id = own(world)?.id;
    world.server.resumes = false;
    world.server.socket?.end(1006);
    await world.run(4000);
    expect(world.slice.status).toBe("joined");
    expect(own(world)).toMatchObject({ id, connection: "connected" });
    expect(tab.openConnections.size).toBe(1);
  });

  it("A weak connection first restarts ICE, is then rebuilt, and is still tried again after it failed", async () => {
    const { world, tab } = await joined();
    tab.auto = false;
    const [rtcId = ""] = tab.openConnections.keys();
    tab.ice(rtcId, "disconnected");
    await world.run(1100);
    expect(own(world)?.connection).toBe("weak");
    await world.run(600);
    expect(own(world)?.connection).toBe("restarting");
    expect(tab.orders.at(-1)).toMatchObject({ t: "answer" });
    expect(tab.orders.filter((o) => o.t === "publish" && o.restart)).toHaveLength(1);
    await world.run(40_000);
    expect(world.notices).toContain("音视频发送失败，正在重试");
    tab.auto = true;
    await world.run(15_000);
    expect(own(world)?.connection).toBe("connected");
  });

  it("A notice says that sharing ended because the tab that shared was closed", async () => {
    const { world, tab, conferences } = await joined();
    world.openTab("t2");
    const shared = conferences.handlers.publish({ type: 1, ext: "" }, at("t1"));
    await world.run(200);
    await shared;
    world.closeTab(tab);
    await world.run(500);
    expect([world.slice.local.sharing, world.notices.at(-1)]).toEqual([
      false,
      "共享屏幕的标签页已关闭或不再使用，共享已停止；需要时请重新共享",
    ]);
  });

  it("A restarted core continues the conference with the same session and the same stream", async () => {
    const { world, tab, conferences } = await joined();
    const id = own(world)?.id;
    const claim = tab.claim;
    conferences.stop();
    world.server.socket?.end(1006);
    tab.handlers = new Set();
    world.forget();
    const next = world.make();
    world.tabs.splice(0);
    const again = world.openTab("t1", claim);
    again.epoch = claim?.ownerEpoch ?? null;
    await world.run(1500);
    expect(world.slice).toMatchObject({
      status: "joined",
      owner: { tabId: "t1", ready: true },
      local: { microphone: "on", camera: "on" },
    });
    // The others were never shown that the camera is off.
    expect(own(world)).toMatchObject({ voff: 0, aoff: 0 });
    expect(world.server.requestsOfOp(400)).toEqual([]);
    expect(own(world)).toMatchObject({ id, connection: "connected" });
    expect(world.server.sessions).toBe(1);
    expect(next.active()).toBe(true);
  });

  it("A hundred joins and exits leave no timer, listener, connection or socket", async () => {
    const world = createConferenceWorld();
    const tab = world.openTab("t1");
    const conferences = world.make();
    await world.run();
    const before = { timers: world.env.clock.pending, listeners: world.listeners() };
    for (let i = 0; i < 100; i += 1) {
      const began = conferences.handlers.join({ confrId: "c1", password: "", ...ENTRY }, at("t1"));
      await world.run(100);
      await began;
      await conferences.handlers.exit({ close: false }, at("t1"));
      await world.run(600);
    }
    await world.run(1000);
    expect({ timers: world.env.clock.pending, listeners: world.listeners() }).toEqual(before);
    expect(tab.openConnections.size).toBe(0);
    expect(world.env.sockets.filter((socket) => socket.closedWith === null)).toEqual([]);
  });
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "role.ids, role.entered: A conference is created and entered, and the tab of the click publishes to it":
    async () => {
      const { world, tab, conferences } = await joined();
      expect(world.slice).toMatchObject({
        status: "joined",
        info: { confrId: "c1", name: "例会", type: 10, isCreator: true },
        self: { memId: "me", role: 7 },
        owner: { tabId: "t1", ready: true },
        local: { publishing: true, microphone: "on", camera: "on" },
      });
      expect(own(world)).toMatchObject({ connection: "connected", type: 0, voff: 0, aoff: 0 });
      expect([...tab.openConnections.values()]).toEqual(["publish"]);
      expect(conferences.active()).toBe(true);
    },

  "stream.published, stream.removed: The core subscribes to each published stream in the layer that the tiles need, and closes the connections of removed streams":
    async () => {
      const { world, tab } = await joined();
      world.server.enter("b");
      world.server.publish("b", "sb");
      await world.run(100);
      expect(world.slice.streams["sb"]).toMatchObject({
        connection: "connected",
        video: true,
        audio: true,
      });
      tab.emitConferenceEvent({ t: "wish", streamId: "sb", layer: "low" });
      await world.run(200);
      expect(world.server.requestsOfOp(205).at(-1)).toMatchObject({ subSId: "sb", layer: "low" });
      tab.emitConferenceEvent({ t: "talking", streamIds: ["sb", "self"] });
      expect([world.slice.streams["sb"]?.talking, own(world)?.talking]).toEqual([true, true]);
      world.server.streams.delete("sb");
      world.server.sendFrame({ op: 303, pubSId: "sb", memId: "b" });
      world.server.sendFrame({ op: 301, memId: "b", reason: 0 });
      await world.run(100);
      expect([Object.keys(world.slice.members), tab.openConnections.size]).toEqual([["me"], 1]);
    },

  "stream.republished: A republished stream is subscribed again": async () => {
    const { world, tab } = await joined();
    world.server.enter("b");
    world.server.publish("b", "sb");
    await world.run(100);
    const before = tab.orders.filter(({ t }) => t === "subscribe").length;
    world.server.publish("b", "sb");
    await world.run(100);
    expect(tab.orders.filter(({ t }) => t === "subscribe")).toHaveLength(before + 1);
    expect([...tab.openConnections.values()].toSorted()).toEqual(["publish", "subscribe"]);
  },

  "ice.moved: When the owner tab closes, another tab takes over: the stream id stays and every connection is built again":
    async () => {
      const { world, tab } = await joined();
      const second = world.openTab("t2");
      world.server.enter("b");
      world.server.publish("b", "sb");
      await world.run(100);
      const id = own(world)?.id;
      world.closeTab(tab);
      await world.run(500);
      expect(world.slice.owner).toMatchObject({ tabId: "t2", ready: true });
      expect(own(world)).toMatchObject({ id, connection: "connected" });
      expect(world.slice.streams["sb"]?.connection).toBe("connected");
      expect([...second.openConnections.values()].toSorted()).toEqual(["publish", "subscribe"]);
    },

  "end.lost: A connection that the media node lost is rebuilt at once": async () => {
    const { world, tab } = await joined();
    const [rtcId = ""] = tab.openConnections.keys();
    world.server.socket?.receive({
      op: 107,
      sessId: world.server.sessId,
      rtcId,
      endReason: 21,
      useVCodes: ["H264", "VP8"],
      lost: true,
    });
    await world.run(200);
    expect([...tab.openConnections.keys()]).not.toContain(rtcId);
    expect(own(world)?.connection).toBe("connected");
  },

  "exit.0: A core that starts right after an exit does not continue the conference": async () => {
    const { world, conferences } = await joined();
    world.server.mute = true;
    await conferences.handlers.exit({ close: false }, at("t1"));
    conferences.stop();
    world.forget();
    world.make();
    await world.run(500);
    expect(world.slice.status).toBe("idle");
    expect(world.server.requestsOfOp(200)).toHaveLength(1);
  },

  "exit.0, exit.11, exit.12: The conference ends by a command, by the server and by a logout, and the slice shows the reason":
    async () => {
      const first = await joined();
      await first.conferences.handlers.exit({ close: false }, at("t1"));
      await first.world.run(600);
      expect(first.world.slice).toMatchObject({
        status: "idle",
        lastExit: { reason: 0, failed: false },
      });
      expect([first.world.server.requestsOfOp(201).length, first.tab.openConnections.size]).toEqual(
        [1, 0],
      );

      const kicked = await joined();
      kicked.world.server.sendFrame({ op: 301, memId: "me", reason: 12 });
      await kicked.world.run(100);
      expect(kicked.world.slice).toMatchObject({ status: "idle", lastExit: { reason: 12 } });

      const over = await joined();
      over.world.server.socket?.receive({
        op: 204,
        sessId: over.world.server.sessId,
        confrId: "c1",
        reason: 11,
      });
      await over.world.run(100);
      expect(over.world.slice.lastExit).toMatchObject({ reason: 11, failed: false });

      // The own exit comes before the end of the conference, with the same reason.
      const closed = await joined();
      closed.world.server.sendFrame({ op: 301, memId: "me", reason: 11 });
      await closed.world.run(100);
      expect(closed.world.slice.lastExit).toMatchObject({ reason: 11, failed: false });

      const out = await joined();
      out.world.logOut();
      await out.world.run(100);
      expect(out.world.slice.status).toBe("idle");
    },

  "role.event, stream.audience, publish.audience: A member who becomes audience stops publishing; a later speaker role publishes nothing until the person does":
    async () => {
      const { world, tab, conferences } = await joined();
      world.server.change("me", { role: 1 }, "less");
      await world.run(100);
      expect([
        world.slice.self?.role,
        world.slice.local.publishing,
        tab.openConnections.size,
      ]).toEqual([1, false, 0]);
      expect(await errorOf(conferences.handlers.publish({ type: 0, ext: "" }, at("t1")))).toBe(
        "conference.invalid: Audience not allow publish",
      );
      expect(own(world)).toBeUndefined();
      world.server.change("me", { role: 3 }, "more");
      await world.run(200);
      expect(world.slice.local).toMatchObject({
        publishing: false,
        microphone: "off",
        camera: "off",
      });
      expect([tab.openConnections.size, world.notices.at(-1)]).toEqual([
        0,
        "您现在可以发言：需要时请打开麦克风或摄像头",
      ]);
      // Only the microphone is turned on. The camera was on before and stays off.
      await conferences.handlers.setLocal({ audioMuted: false, publish: true }, at("t1"));
      await world.run(200);
      expect(own(world)).toMatchObject({ connection: "connected", aoff: 0, voff: 1 });
      expect(world.slice.local).toMatchObject({ microphone: "on", camera: "off" });
    },

  "mute.all, mute.one: A member muted by an admin gets the earlier state back afterwards; an admin is never muted":
    async () => {
      const { world } = await joined();
      world.server.change("me", { role: 3 });
      world.server.sendFrame({ op: 402, cattrs: [], cstate: { muteAll: true } });
      await world.run(100);
      expect(world.slice).toMatchObject({ muteAll: true, local: { audioMuted: true } });
      expect(world.server.requestsOfOp(400).at(-1)).toMatchObject({ aoff: 1 });
      world.server.sendFrame({ op: 402, cattrs: [], cstate: { muteAll: false } });
      await world.run(100);
      expect(world.slice.local.audioMuted).toBe(false);
      world.server.enter("b", 7);
      const ask = { op: 1002, tsxId: "x", sessId: world.server.sessId, memId: "b" };
      world.server.socket?.receive({ ...ask, arg: JSON.stringify({ op2: 23 }) });
      await world.run(100);
      expect(world.slice).toMatchObject({ mutedByAdmin: true, local: { audioMuted: true } });
      expect(world.server.requestsOfOp(1001).at(-1)).toMatchObject({
        tsxId: "x",
        memId: "b",
        result: 0,
      });

      const admin = await joined();
      admin.world.server.sendFrame({ op: 402, cattrs: [], cstate: { muteAll: true } });
      await admin.world.run(100);
      expect(admin.world.slice.local.audioMuted).toBe(false);
    },

  "request.agree: An admin sees a request, and the answer reaches the member": async () => {
    const { world, conferences } = await joined();
    world.server.enter("b", 1);
    const { sessId } = world.server;
    world.server.socket?.receive({
      op: 1002,
      tsxId: "q",
      sessId,
      memId: "b",
      arg: JSON.stringify({ op2: 21 }),
    });
    await world.run();
    expect(world.slice.requests).toMatchObject({ q: { kind: "talker", memId: "b" } });
    const agreed = conferences.handlers.answerRequest({ id: "q", agree: true }, at("t1"));
    await world.run(100);
    await agreed;
    expect(world.calls.at(-1)).toMatchObject({
      path: "/easemob/rtc/chanage/roles",
      body: { confrId: "c1", uids: ["b"], role: 3, roleToken: "token" },
    });
    expect(world.server.requestsOfOp(1001).at(-1)).toMatchObject({ tsxId: "q", result: 0 });
    expect(world.slice.requests).toEqual({});
  },

  "request.talker: A request to an admin ends when the admin refuses it, and when the admin leaves":
    async () => {
      const { world, conferences } = await joined();
      world.server.enter("boss", 7);
      world.server.change("me", { role: 1 });
      await world.run(100);
      await conferences.handlers.request({ kind: "talker" }, at("t1"));
      await world.run();
      expect(world.slice.asked).toBe("talker");
      const asked = world.server.requestsOfOp(1002).at(-1);
      expect(asked).toMatchObject({ memId: "boss", arg: expect.stringContaining('"op2":21') });
      const { sessId } = world.server;
      world.server.socket?.receive({
        op: 1001,
        tsxId: asked?.tsxId,
        sessId,
        memId: "boss",
        result: 1,
      });
      await world.run();
      expect([world.slice.asked, world.notices.at(-1)]).toEqual([null, "主持人拒绝了您的发言申请"]);
      await conferences.handlers.request({ kind: "admin" }, at("t1"));
      world.server.members.delete("boss");
      world.server.sendFrame({ op: 301, memId: "boss", reason: 0 });
      await world.run();
      expect(world.slice.asked).toBeNull();
    },

  "publish.repeat-desktop: The tab with the capture shares the screen, and the share ends with the capture":
    async () => {
      const { world, tab, conferences } = await joined();
      const shared = conferences.handlers.publish({ type: 1, ext: "" }, at("t1"));
      await world.run(200);
      const { streamId } = await shared;
      expect(world.slice.streams[streamId]).toMatchObject({ type: 1, located: true });
      expect(world.slice.local.sharing).toBe(true);
      expect(await errorOf(conferences.handlers.publish({ type: 1, ext: "" }, at("t1")))).toContain(
        "not allow repeat publish",
      );
      tab.emitConferenceEvent({ t: "screen", on: false, audio: false });
      await world.run(100);
      expect([world.slice.local.sharing, world.server.requestsOfOp(107).length]).toEqual([
        false,
        1,
      ]);
    },

  "end.23: The person gets a notice when the conference has reached its limit of pictures":
    async () => {
      const world = createConferenceWorld();
      world.openTab("t1");
      world.server.refuse[102] = { result: -405, endReason: 23, msg: "full" };
      const conferences = world.make();
      const began = conferences.handlers.join({ confrId: "c1", password: "", ...ENTRY }, at("t1"));
      await world.run(400);
      await began;
      expect(world.slice.local.publishing).toBe(false);
      expect(world.notices).toContain("会议的视频路数已满，未能发布画面");
    },

  "session.one, event.calling, join.twice, join.type, publish.repeat, text.confr, text.current-closed: Commands that do not fit the state are refused with the texts of the specification":
    async () => {
      const busy = createConferenceWorld({ busy: () => true });
      busy.openTab("t1");
      const create = { type: 10 as const, name: "x", password: "", limits: {}, ...ENTRY };
      expect(await errorOf(busy.make().handlers.create(create, at("t1")))).toBe(
        "conference.current-calling",
      );
      const { world, conferences } = await joined();
      expect(await errorOf(conferences.handlers.create(create, at("t1")))).toBe(
        "conference.current-calling: had joined confr c1 please call exitConference",
      );
      expect(await errorOf(conferences.handlers.publish({ type: 0, ext: "" }, at("t1")))).toBe(
        "conference.invalid: Audio and video stream has been published. not allow repeat publish.",
      );
      const idle = createConferenceWorld();
      idle.openTab("t1");
      const none = idle.make().handlers;
      expect(await errorOf(none.create({ ...create, type: 13 }, at("t1")))).toBe(
        "conference.invalid: not support conf type",
      );
      expect(await errorOf(none.muteAll({ on: true }, at("t1")))).toBe(
        "conference.not-joined: confr is not exist",
      );
      await conferences.handlers.exit({ close: false }, at("t1"));
      await world.run(600);
      const subscribing = { streamId: "x", video: true, audio: true };
      expect(await errorOf(conferences.handlers.subscribe(subscribing, at("t1")))).toBe(
        "conference.not-joined: current closed",
      );
    },
});
