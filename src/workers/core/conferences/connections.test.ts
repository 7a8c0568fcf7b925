/** How connections of a conference recover, are rebuilt and end (docs/conferences.md#connections), and how a conference ends. */
import { describe, expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import type { Qoe } from "../qoe/contracts.ts";
import { CONFERENCE_CONFIG } from "./config.ts";
import {
  at,
  createConferenceWorld,
  ENTRY,
  joined,
  own,
  type PaperTab,
  type World,
} from "./conferences.harness.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";

const T1 = at("t1");
const publishes = (tab: PaperTab) => tab.orders.filter(({ t }) => t === "publish");
/** The connections whose ICE restarted since the first `before` orders. */
const restarts = (tab: PaperTab, before: number) =>
  tab.orders
    .slice(before)
    .flatMap((one) => ("restart" in one && one.restart ? [[one.t, one.rtcId]] : []));
const rtcIdOf = (tab: PaperTab, what: "publish" | "subscribe") =>
  [...tab.openConnections].find(([, kind]) => kind === what)?.[0] ?? "";
const end = (world: World, rtcId: string, endReason: number, more: object = {}) =>
  world.server.socket?.receive({
    op: 107,
    sessId: world.server.sessId,
    rtcId,
    endReason,
    ...more,
  });

/** Enters a conference in which another member's stream is subscribed. */
async function watching(over: Parameters<typeof joined>[0] = {}) {
  const one = await joined(over);
  one.world.server.enter("b");
  one.world.server.publish("b", "sb");
  await one.world.run(100);
  return one;
}

describe("states of a connection", () => {
  it("A published stream that is silent is weak at once; after 500 ms its ICE restarts, once, unless something arrives", async () => {
    const { world, tab } = await joined();
    const rtcId = rtcIdOf(tab, "publish");
    tab.emitConferenceEvent({ t: "silent", rtcId });
    await world.run();
    expect(own(world)?.connection).toBe("weak");
    tab.emitConferenceEvent({ t: "heard", rtcId });
    await world.run(CONFERENCE_CONFIG.iceRestartDelayMillis + 100);
    expect([own(world)?.connection, publishes(tab).length]).toEqual(["connected", 1]);
    tab.auto = false;
    for (let times = 0; times < 3; times += 1) {
      tab.emitConferenceEvent({ t: "silent", rtcId });
      await world.run(CONFERENCE_CONFIG.iceRestartDelayMillis);
    }
    expect([own(world)?.connection, publishes(tab).length]).toEqual(["restarting", 2]);
    tab.emitConferenceEvent({ t: "heard", rtcId });
    await world.run();
    expect(own(world)?.connection).toBe("connected");
  });

  it("A subscription that the server refuses is tried again as long as its stream exists", async () => {
    const { world, tab } = await joined();
    world.server.refuse[102] = { result: -405, msg: "现在不行" };
    world.server.enter("b");
    world.server.publish("b", "sb");
    const offers = () => world.server.requestsOfOp(102).length;
    await world.run(60_000);
    const often = offers();
    expect(often).toBeGreaterThan(10);
    world.server.refuse = {};
    await world.run(CONFERENCE_CONFIG.retryFailedMillis + 1000);
    expect([...tab.openConnections.values()].toSorted()).toEqual(["publish", "subscribe"]);
    expect(world.slice.streams["sb"]?.connection).toBe("connected");
  });

  it("When the socket does not answer during a silence, all connections restart over the next one at once", async () => {
    const { world, tab } = await watching();
    tab.auto = false;
    const [pub, sub] = [rtcIdOf(tab, "publish"), rtcIdOf(tab, "subscribe")];
    const before = tab.orders.length;
    world.server.mute = true;
    tab.emitConferenceEvent({ t: "silent", rtcId: pub });
    await world.run(CONFERENCE_CONFIG.silencePingMillis - 50);
    expect(restarts(tab, before)).toEqual([]);
    world.server.mute = false;
    await world.run(100);
    expect(restarts(tab, before)).toEqual([
      ["publish", pub],
      ["subscribe", sub],
    ]);
  });

  it("When the tab found other addresses, the socket is replaced at once and all connections are built again over it", async () => {
    const { world, tab } = await watching();
    tab.auto = false;
    const [pub, sub] = [rtcIdOf(tab, "publish"), rtcIdOf(tab, "subscribe")];
    const before = tab.orders.length;
    world.server.mute = true;
    tab.emitConferenceEvent({ t: "silent", rtcId: pub });
    await world.run(20);
    world.server.mute = false;
    tab.emitConferenceEvent({ t: "moved", rtcId: pub });
    await world.run(CONFERENCE_CONFIG.silencePingMillis - 50);
    const made = tab.orders.slice(before);
    const closed = made.flatMap((order) => (order.t === "close" ? [order.rtcId] : []));
    expect(closed).toEqual([pub, sub]);
    const opened = made.filter(({ t }) => t === "publish" || t === "subscribe");
    expect(opened).toMatchObject([
      { t: "publish", restart: false },
      { t: "subscribe", restart: false },
    ]);
    // The ping of the silence, which nobody answered, does not replace the next socket.
    const sockets = world.server.requestsOfOp(200).length;
    await world.run(CONFERENCE_CONFIG.silencePingMillis * 2);
    expect(world.server.requestsOfOp(200)).toHaveLength(sockets);
    expect(tab.orders.slice(before)).toHaveLength(made.length);
  });

  it("A silence right after the socket was replaced restarts all connections, a second one does not", async () => {
    const { world, tab } = await watching();
    tab.auto = false;
    world.server.socket?.end(1006);
    await world.run(100);
    const [pub, sub] = [rtcIdOf(tab, "publish"), rtcIdOf(tab, "subscribe")];
    const before = tab.orders.length;
    tab.emitConferenceEvent({ t: "silent", rtcId: sub });
    tab.emitConferenceEvent({ t: "silent", rtcId: sub });
    await world.run(100);
    expect(restarts(tab, before)).toEqual([
      ["publish", pub],
      ["subscribe", sub],
    ]);
  });

  it("When the tab found other addresses right after the socket was replaced, all connections are built again over that one", async () => {
    const { world, tab } = await watching();
    tab.auto = false;
    world.server.socket?.end(1006);
    await world.run(100);
    const rtcId = rtcIdOf(tab, "subscribe");
    tab.emitConferenceEvent({ t: "silent", rtcId });
    await world.run(20);
    const [before, sockets] = [tab.orders.length, world.server.requestsOfOp(200).length];
    tab.emitConferenceEvent({ t: "moved", rtcId });
    await world.run(20);
    expect(tab.orders.slice(before).filter(({ t }) => t !== "answer")).toMatchObject([
      { t: "close" },
      { t: "publish", restart: false },
      { t: "close" },
      { t: "subscribe", restart: false },
    ]);
    expect(world.server.requestsOfOp(200)).toHaveLength(sockets);
  });

  it.each(["publish", "subscribe"] as const)(
    "ICE that went over to another path by itself restarts at once (%s), because the node may not follow",
    async (kind) => {
      const { tab } = await watching();
      const [before, rtcId] = [tab.orders.length, rtcIdOf(tab, kind)];
      tab.emitConferenceEvent({ t: "fell", rtcId });
      expect(restarts(tab, before)).toEqual([[kind, rtcId]]);
    },
  );

  it("A subscribed stream that is silent may be muted: while the socket answers nothing happens, and pings are not repeated", async () => {
    const { world, tab } = await watching();
    const rtcId = rtcIdOf(tab, "subscribe");
    const [orders, pings] = [tab.orders.length, world.server.requestsOfOp(100).length];
    for (let times = 0; times < 3; times += 1) {
      tab.emitConferenceEvent({ t: "silent", rtcId });
      tab.emitConferenceEvent({ t: "heard", rtcId });
      await world.run(100);
    }
    expect(world.slice.streams["sb"]?.connection).toBe("connected");
    expect([tab.orders.length, world.server.requestsOfOp(100).length]).toEqual([orders, pings + 1]);
  });

  it("A restart whose request was lost with the session is asked for again when it is back", async () => {
    const { world, tab } = await joined();
    const rtcId = rtcIdOf(tab, "publish");
    tab.auto = false;
    tab.ice(rtcId, "failed");
    await world.run();
    expect(own(world)?.connection).toBe("restarting");
    world.server.socket?.end(1006);
    await world.run(CONFERENCE_CONFIG.rebuildAfterEnterMillis + 50);
    expect(publishes(tab)).toMatchObject([{}, { rtcId, restart: true }, { rtcId, restart: true }]);
  });
});

describe("end reasons of op 107", () => {
  it("The codec in use decides about a switch, not this browser's first one; the other codecs are still offered", async () => {
    const { world, tab } = await joined();
    const rtcId = rtcIdOf(tab, "publish");
    const stream = own(world);
    // The conference uses H264, for example because some member has no other codec.
    world.server.sendFrame({
      op: 302,
      memId: "me",
      pubS: { ...stream, vcodes: ["H264"] } as never,
    });
    await world.run(10);
    const before = publishes(tab).length;
    end(world, rtcId, 21, { useVCodes: ["H264"] });
    await world.run(1000);
    expect(publishes(tab)).toHaveLength(before);
    end(world, rtcId, 21, { useVCodes: ["VP8"] });
    await world.run(1000);
    expect(publishes(tab)).toHaveLength(before + 1);
    expect(publishes(tab).at(-1)).toMatchObject({ vcodes: ["VP8", "H264"], restart: false });
    expect(own(world)).toMatchObject({ id: stream?.id, connection: "connected" });
  });
});

describe("the session of a conference", () => {
  it("A socket that the server closes as replaced ends the conference with reason 10", async () => {
    const { world } = await joined();
    world.server.socket?.end(4409);
    await world.run();
    expect(world.slice).toMatchObject({ status: "idle", lastExit: { reason: 10, failed: true } });
  });

  it.each([
    [
      "is lost",
      (world: World) => {
        world.unreachable = true;
        world.server.socket?.end(1006);
      },
    ],
    [
      "does not answer",
      (world: World) => {
        world.server.mute = true;
      },
    ],
  ])(
    "session.disband: When the session %s, the conference is ended for all by REST",
    async (_what, fail) => {
      const { world, conferences } = await joined();
      fail(world);
      await world.run();
      await conferences.handlers.exit({ close: true }, T1);
      await world.run(CONFERENCE_CONFIG.exitDelayMillis + 50);
      const disbanded = world.calls.filter(({ path }) => path.endsWith("/disband/conference"));
      expect(disbanded.map(({ body }) => body)).toEqual([{ confrId: "c1", roleToken: "token" }]);
      expect(world.slice.lastExit).toMatchObject({ reason: 11, failed: false });
      expect(world.notices).toEqual([]);
    },
  );
});

/** A fake quality module. */
function watchedBy(
  event: (code: number, more?: { detail?: string; rtcId?: string }) => void,
  stop: () => void = () => undefined,
): Qoe {
  return { start: () => undefined, event, samples: () => undefined, stop } as unknown as Qoe;
}

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "ice.weak, time.networkWeakMillis: A connection is shown as weak after one second without a path, not earlier":
    async () => {
      const { world, tab } = await joined();
      tab.ice(rtcIdOf(tab, "publish"), "disconnected");
      await world.run(CONFERENCE_CONFIG.networkWeakMillis - 100);
      expect(own(world)?.connection).toBe("connected");
      await world.run(200);
      expect([CONFERENCE_CONFIG.networkWeakMillis, own(world)?.connection]).toEqual([1000, "weak"]);
      // It recovers without a new connection.
      tab.ice(rtcIdOf(tab, "publish"), "connected");
      await world.run();
      expect([own(world)?.connection, publishes(tab).length]).toEqual(["connected", 1]);
    },

  "ice.restart: An ICE restart keeps the same connection": async () => {
    const { world, tab } = await joined();
    const rtcId = rtcIdOf(tab, "publish");
    tab.ice(rtcId, "disconnected");
    await world.run(
      CONFERENCE_CONFIG.networkWeakMillis + CONFERENCE_CONFIG.iceRestartDelayMillis + 100,
    );
    expect(publishes(tab)).toMatchObject([
      { rtcId, restart: false },
      { rtcId, restart: true },
    ]);
    expect(own(world)?.connection).toBe("connected");
  },

  "ice.rebuild, time.iceRebuildIntervalMillis: A failed connection is closed, and another one is built after 500 ms":
    async () => {
      const { world, tab } = await joined();
      const rtcId = rtcIdOf(tab, "publish");
      tab.auto = false;
      tab.ice(rtcId, "failed");
      await world.run();
      expect(own(world)?.connection).toBe("restarting");
      // The restart does not help.
      tab.ice(rtcId, "failed");
      await world.run();
      expect([...tab.openConnections.keys()]).toEqual([]);
      expect(tab.orders.at(-1)).toEqual({ t: "close", rtcId });
      await world.run(CONFERENCE_CONFIG.iceRebuildIntervalMillis - 100);
      expect(publishes(tab).at(-1)).toMatchObject({ rtcId });
      tab.auto = true;
      await world.run(200);
      expect(CONFERENCE_CONFIG.iceRebuildIntervalMillis).toBe(500);
      expect(publishes(tab).at(-1)).not.toMatchObject({ rtcId });
      expect(own(world)?.connection).toBe("connected");
    },

  "ice.exhausted, time.iceRebuildCount, event.push-fail, event.sub-fail: A connection is rebuilt three times, then it is closed and the person gets a notice":
    async () => {
      const codes: [number, string | undefined][] = [];
      const { world, tab } = await watching({
        qoe: watchedBy((code, more) => codes.push([code, more?.detail])),
      });
      tab.auto = false;
      const before = tab.orders.length;
      for (const rtcId of tab.openConnections.keys()) tab.ice(rtcId, "failed");
      await world.run(24_000);
      expect(new Set(world.notices)).toEqual(
        new Set(["音视频发送失败，正在重试", "对方的音视频接收失败，正在重试"]),
      );
      expect([own(world)?.connection, world.slice.streams["sb"]?.connection]).toEqual([
        "failed",
        "failed",
      ]);
      const made = tab.orders.slice(before).flatMap((order) => {
        const isAnew = order.t === "publish" && !order.restart;
        return isAnew ? [order.rtcId] : [];
      });
      expect([CONFERENCE_CONFIG.iceRebuildCount, new Set(made).size]).toEqual([3, 3]);
      expect(codes).toEqual(
        expect.arrayContaining([
          [4, "push-fail"],
          [4, "sub-fail"],
        ]),
      );
      expect(tab.openConnections.size).toBe(0);
    },

  "ice.push, ice.sub: Each connection is recorded once, as published or as subscribed":
    async () => {
      const codes: [number, string | undefined][] = [];
      const { world, tab } = await watching({
        qoe: watchedBy((code, more) => codes.push([code, more?.rtcId])),
      });
      const pub = rtcIdOf(tab, "publish");
      const sub = rtcIdOf(tab, "subscribe");
      tab.ice(pub, "connected");
      await world.run();
      expect(codes.filter(([code]) => code === 14 || code === 16)).toEqual([
        [14, pub],
        [16, sub],
      ]);
    },

  "ice.closed: A connection that closes unexpectedly is rebuilt": async () => {
    const { world, tab } = await joined();
    const rtcId = rtcIdOf(tab, "publish");
    tab.emitConferenceEvent({ t: "ice", rtcId, state: "closed" });
    await world.run(5000);
    expect(own(world)?.connection).toBe("connected");
    expect(publishes(tab).length).toBeGreaterThan(1);
  },

  "session.rebuild, time.rebuildAfterEnterMillis: A connection that failed while the socket was lost is built 50 ms after the enter":
    async () => {
      const { world, tab } = await joined();
      const rtcId = rtcIdOf(tab, "publish");
      const entered = world.server.requestsOfOp(200).length;
      world.server.socket?.end(1006);
      tab.ice(rtcId, "failed");
      const before = publishes(tab).length;
      for (let ms = 0; world.server.requestsOfOp(200).length === entered && ms < 5000; ms += 50) {
        await world.run(50);
      }
      expect(world.server.requestsOfOp(200)).toHaveLength(entered + 1);
      await world.run(CONFERENCE_CONFIG.rebuildAfterEnterMillis + 50);
      expect(CONFERENCE_CONFIG.rebuildAfterEnterMillis).toBe(50);
      expect(publishes(tab).length).toBeGreaterThan(before);
      await world.run(100);
      expect(own(world)?.connection).toBe("connected");
    },

  "stream.reuse: Turning a subscription's video off and on uses the same connection": async () => {
    const { world, tab, conferences } = await watching();
    const rtcId = rtcIdOf(tab, "subscribe");
    for (const video of [false, true]) {
      await conferences.handlers.subscribe({ streamId: "sb", video, audio: true }, T1);
      await world.run(100);
      expect(world.server.requestsOfOp(205).at(-1)).toMatchObject({
        rtcId,
        subSVideo: video,
      });
    }
    expect(tab.orders.filter(({ t }) => t === "subscribe")).toHaveLength(1);
  },

  "stream.hangup: After unpublishing, camera and screen can be published again": async () => {
    const { world, tab, conferences } = await joined();
    for (const type of [0, 1] as const) {
      if (type === 1) {
        const shared = conferences.handlers.publish({ type, ext: "" }, T1);
        await world.run(200);
        await shared;
      }
      const id = Object.values(world.slice.streams).find(
        (one) => one.located && one.type === type,
      )?.id;
      await conferences.handlers.unpublish({ streamId: id ?? "" }, T1);
      await world.run(100);
      expect(world.server.requestsOfOp(107)).toHaveLength(type + 1);
      const again = conferences.handlers.publish({ type, ext: "" }, T1);
      await world.run(200);
      expect((await again).streamId).not.toBe("");
      if (type === 1) expect(world.slice.local.sharing).toBe(true);
    }
    expect([...tab.openConnections.values()]).toEqual(["publish", "publish"]);
  },

  "stream.control: The slice shows which media of other and own streams are off": async () => {
    const { world, conferences } = await watching();
    world.server.sendFrame({ op: 400, streamId: "sb", memId: "b", voff: 1, aoff: 0 });
    await conferences.handlers.setLocal({ audioMuted: true }, T1);
    await world.run(100);
    expect(world.slice.streams["sb"]).toMatchObject({ voff: 1, aoff: 0 });
    expect(world.server.requestsOfOp(400)).toMatchObject([{ voff: 0, aoff: 1 }]);
    expect(own(world)).toMatchObject({ voff: 0, aoff: 1 });
  },

  "end.21, end.21-skip, time.codecSwitchMillis: A publisher changes its codec only when the new first codec differs from its own":
    async () => {
      const { world, tab } = await joined();
      const rtcId = rtcIdOf(tab, "publish");
      const first = publishes(tab).length;
      end(world, rtcId, 21, { useVCodes: ["VP8", "H264"] });
      await world.run(1000);
      expect(publishes(tab)).toHaveLength(first);
      end(world, rtcId, 21, { useVCodes: ["H264", "VP8"] });
      await world.run(CONFERENCE_CONFIG.codecSwitchMillis - 100);
      expect(publishes(tab)).toHaveLength(first);
      await world.run(300);
      expect(CONFERENCE_CONFIG.codecSwitchMillis).toBe(300);
      expect(publishes(tab).at(-1)).toMatchObject({ vcodes: ["H264", "VP8"], restart: false });
      expect(publishes(tab).at(-1)).not.toMatchObject({ rtcId });
      expect(own(world)?.connection).toBe("connected");
    },

  "end.22, event.codecs: An unsupported codec closes the subscription with a notice and without another attempt":
    async () => {
      const { world, tab } = await watching();
      end(world, rtcIdOf(tab, "subscribe"), 22);
      await world.run(20_000);
      expect(world.notices).toEqual(["对方视频的编码不受支持"]);
      expect([...tab.openConnections.values()]).toEqual(["publish"]);
    },

  "end.24: When the screens are at their limit, the screen is not shared and the capture stops":
    async () => {
      const { world, tab, conferences } = await joined();
      world.server.refuse[102] = { result: -504, endReason: 24 };
      const shared = conferences.handlers
        .publish({ type: 1, ext: "" }, T1)
        .catch((e: unknown) => e);
      await world.run(200);
      expect(await shared).toMatchObject({
        code: "conference.refused",
        details: { endReason: 24 },
      });
      expect(world.notices).toEqual(["会议的共享屏幕路数已满"]);
      expect(world.slice.local.sharing).toBe(false);
      expect(tab.orders).toContainEqual({ t: "stop-screen" });
    },

  "end.other: Any other end reason closes the connection": async () => {
    const { world, tab } = await watching();
    const rtcId = rtcIdOf(tab, "subscribe");
    end(world, rtcId, 0);
    await world.run(5000);
    expect(tab.orders).toContainEqual({ t: "close", rtcId });
    expect([...tab.openConnections.values()]).toEqual(["publish"]);
  },

  "session.sync, time.getCopyIntervalMillis: The core asks for a copy every 30 s": async () => {
    const { world } = await joined();
    await world.run(CONFERENCE_CONFIG.getCopyIntervalMillis - 1000);
    expect(world.server.requestsOfOp(1000)).toHaveLength(0);
    await world.run(1000);
    expect(world.server.requestsOfOp(1000)).toHaveLength(1);
    await world.run(CONFERENCE_CONFIG.getCopyIntervalMillis);
    expect([
      CONFERENCE_CONFIG.getCopyIntervalMillis,
      world.server.requestsOfOp(1000).length,
    ]).toEqual([30_000, 2]);
  },

  "session.exit, session.close, time.sessionCloseMillis: An exit removes the streams at once and closes the socket after 500 ms at the latest":
    async () => {
      const { world, tab, conferences } = await watching();
      const { socket } = world.server;
      world.server.mute = true;
      await conferences.handlers.exit({ close: false }, T1);
      await world.run();
      expect(tab.openConnections.size).toBe(0);
      await world.run(CONFERENCE_CONFIG.sessionCloseMillis - 100);
      expect(socket?.closedWith).toBeNull();
      await world.run(200);
      expect(CONFERENCE_CONFIG.sessionCloseMillis).toBe(500);
      expect(socket?.closedWith).not.toBeNull();
      expect(world.slice).toMatchObject({ status: "idle", streams: {}, members: {} });
      expect(world.slice.lastExit).toMatchObject({ reason: 0, failed: false });
    },

  "session.disband, time.exitDelayMillis: Ending the conference for all sends op 204, has reason 11 and closes the socket after 100 ms at most":
    async () => {
      const { world, conferences } = await joined();
      const { socket } = world.server;
      world.server.mute = true;
      await conferences.handlers.exit({ close: true }, T1);
      await world.run();
      expect(world.server.requestsOfOp(204)).toMatchObject([{ reason: 11 }]);
      expect(world.server.requestsOfOp(201)).toEqual([]);
      expect(socket?.closedWith).toBeNull();
      await world.run(CONFERENCE_CONFIG.exitDelayMillis + 50);
      expect([CONFERENCE_CONFIG.exitDelayMillis, socket?.closedWith === null]).toEqual([
        100,
        false,
      ]);
      expect(world.slice.lastExit).toMatchObject({ reason: 11, failed: false });
    },

  "session.disband: The admin learns when the conference could not be ended for all, not when it had ended already":
    async () => {
      for (const [refusal, shown] of [
        [new AppError("network.offline"), ["会议未能为所有人结束，请重新进入后再试"]],
        [{ error: -410, errorMessage: "会议已结束" }, []],
      ] as const) {
        const { world, conferences } = await joined();
        world.refuseRest["/disband/conference"] = refusal;
        world.unreachable = true;
        world.server.socket?.end(1006);
        await world.run();
        await conferences.handlers.exit({ close: true }, T1);
        await world.run(100);
        expect(world.notices).toEqual(shown);
      }
    },

  "session.exit-callback: A conference ends once, and events after its end change nothing":
    async () => {
      let ends = 0;
      const { world, conferences } = await joined({
        qoe: watchedBy(
          () => undefined,
          () => (ends += 1),
        ),
      });
      const { socket, sessId } = world.server;
      socket?.receive({ op: 204, sessId, confrId: "c1", reason: 11 });
      await world.run(50);
      const { lastExit } = world.slice;
      socket?.receive({ op: 301, sessId, cver: 99, memId: "me", reason: 12 });
      socket?.end(1006);
      await conferences.handlers.exit({ close: false }, T1);
      await world.run(2000);
      expect([ends, world.slice.lastExit, world.slice.info]).toEqual([1, lastExit, null]);
    },

  "exit.6: A conference ends after ten minutes without a server": async () => {
    const { world } = await joined();
    world.server.socket?.end(1006);
    world.unreachable = true;
    await world.run(CONFERENCE_CONFIG.giveUpMillis + 1000);
    expect(world.slice).toMatchObject({ status: "idle", lastExit: { reason: 6, failed: true } });
  },

  "time.enterTimeout: Entering fails after 20 s without an answer": async () => {
    const world = createConferenceWorld();
    world.openTab("t1");
    world.server.mute = true;
    let failed: unknown = null;
    void world
      .make()
      .handlers.join({ confrId: "c1", password: "", ...ENTRY }, T1)
      .catch((error: unknown) => (failed = error));
    await world.run(CONFERENCE_CONFIG.enterTimeout - 500);
    expect([CONFERENCE_CONFIG.enterTimeout, failed]).toEqual([20_000, null]);
    await world.run(1000);
    expect(failed).toMatchObject({ code: "conference.refused", details: { result: -9527 } });
    expect(world.slice).toMatchObject({ status: "idle", lastExit: { reason: 4, failed: true } });
  },
});
