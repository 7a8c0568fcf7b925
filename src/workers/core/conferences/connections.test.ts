/** How connections of a conference end, are mended and built anew (docs/conferences.md#connections); and how a conference ends. */
import { describe, expect, it } from "vitest";
import { coversRow } from "../../../shared/domain/conference-catalogue.harness.ts";
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

const T1 = at("t1");
const publishes = (tab: PaperTab) => tab.orders.filter(({ t }) => t === "publish");
const rtcIdOf = (tab: PaperTab, what: "publish" | "subscribe") =>
  [...tab.links].find(([, kind]) => kind === what)?.[0] ?? "";
const end = (world: World, rtcId: string, endReason: number, more: object = {}) =>
  world.server.socket?.receive({
    op: 107,
    sessId: world.server.sessId,
    rtcId,
    endReason,
    ...more,
  });

/** Inside, with a stream of somebody else that is subscribed. */
async function watching(over: Parameters<typeof joined>[0] = {}) {
  const one = await joined(over);
  one.world.server.enter("b");
  one.world.server.publish("b", "sb");
  await one.world.run(100);
  return one;
}

describe("states of a connection", () => {
  it(
    coversRow(["ice.weak", "time.networkWeakMillis"], "a second of silence, no less"),
    async () => {
      const { world, tab } = await joined();
      tab.ice(rtcIdOf(tab, "publish"), "disconnected");
      await world.run(CONFERENCE_CONFIG.networkWeakMillis - 100);
      expect(own(world)?.link).toBe("connected");
      await world.run(200);
      expect([CONFERENCE_CONFIG.networkWeakMillis, own(world)?.link]).toEqual([1000, "weak"]);
      // and back by itself
      tab.ice(rtcIdOf(tab, "publish"), "connected");
      await world.run();
      expect([own(world)?.link, publishes(tab).length]).toEqual(["connected", 1]);
    },
  );

  it(coversRow("ice.restart", "the same connection, asked for again"), async () => {
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
    expect(own(world)?.link).toBe("connected");
  });

  it(
    coversRow(["ice.rebuild", "time.iceRebuildIntervalMillis"], "another one after 500 ms"),
    async () => {
      const { world, tab } = await joined();
      const rtcId = rtcIdOf(tab, "publish");
      tab.auto = false;
      tab.ice(rtcId, "failed");
      await world.run();
      expect(own(world)?.link).toBe("restarting");
      // which does not mend it
      tab.ice(rtcId, "failed");
      await world.run();
      expect([...tab.links.keys()]).toEqual([]);
      expect(tab.orders.at(-1)).toEqual({ t: "close", rtcId });
      await world.run(CONFERENCE_CONFIG.iceRebuildIntervalMillis - 100);
      expect(publishes(tab).at(-1)).toMatchObject({ rtcId });
      tab.auto = true;
      await world.run(200);
      expect(CONFERENCE_CONFIG.iceRebuildIntervalMillis).toBe(500);
      expect(publishes(tab).at(-1)).not.toMatchObject({ rtcId });
      expect(own(world)?.link).toBe("connected");
    },
  );

  it(
    coversRow(
      ["ice.exhausted", "time.iceRebuildCount", "event.push-fail", "event.sub-fail"],
      "three times anew, then it is closed and the person told",
    ),
    async () => {
      const codes: [number, string | undefined][] = [];
      const { world, tab } = await watching({
        qoe: watchedBy((code, more) => codes.push([code, more?.detail])),
      });
      tab.auto = false;
      const before = tab.orders.length;
      for (const rtcId of tab.links.keys()) tab.ice(rtcId, "failed");
      await world.run(24_000);
      expect(new Set(world.notices)).toEqual(
        new Set(["音视频发送失败，正在重试", "对方的音视频接收失败，正在重试"]),
      );
      expect([own(world)?.link, world.slice.streams["sb"]?.link]).toEqual(["failed", "failed"]);
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
      expect(tab.links.size).toBe(0);
    },
  );

  it(coversRow(["ice.push", "ice.sub"], "each is recorded once, with its kind"), async () => {
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
  });

  it(coversRow("ice.closed"), async () => {
    const { world, tab } = await joined();
    const rtcId = rtcIdOf(tab, "publish");
    tab.confr({ t: "ice", rtcId, state: "closed" });
    await world.run(5000);
    expect(own(world)?.link).toBe("connected");
    expect(publishes(tab).length).toBeGreaterThan(1);
  });

  it(
    coversRow(
      ["session.rebuild", "time.rebuildAfterEnterMillis"],
      "what failed while the socket was away is built 50 ms after it is back",
    ),
    async () => {
      const { world, tab } = await joined();
      const rtcId = rtcIdOf(tab, "publish");
      const entered = world.server.of(200).length;
      world.server.socket?.end(1006);
      tab.ice(rtcId, "failed");
      const before = publishes(tab).length;
      for (let ms = 0; world.server.of(200).length === entered && ms < 5000; ms += 50) {
        await world.run(50);
      }
      expect(world.server.of(200)).toHaveLength(entered + 1);
      await world.run(CONFERENCE_CONFIG.rebuildAfterEnterMillis + 50);
      expect(CONFERENCE_CONFIG.rebuildAfterEnterMillis).toBe(50);
      expect(publishes(tab).length).toBeGreaterThan(before);
      await world.run(100);
      expect(own(world)?.link).toBe("connected");
    },
  );

  it(coversRow("stream.reuse", "video off and on again asks for no other connection"), async () => {
    const { world, tab, conferences } = await watching();
    const rtcId = rtcIdOf(tab, "subscribe");
    for (const video of [false, true]) {
      await conferences.handlers.subscribe({ streamId: "sb", video, audio: true }, T1);
      await world.run(100);
      expect(world.server.of(205).at(-1)).toMatchObject({
        rtcId,
        subSVideo: video,
        restart: false,
      });
    }
    expect(tab.orders.filter(({ t }) => t === "subscribe")).toHaveLength(1);
  });

  it(
    coversRow("stream.hangup", "the slot of the camera, and of the screen, is free again"),
    async () => {
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
        expect(world.server.of(107)).toHaveLength(type + 1);
        const again = conferences.handlers.publish({ type, ext: "" }, T1);
        await world.run(200);
        expect((await again).streamId).not.toBe("");
        if (type === 1) expect(world.slice.local.sharing).toBe(true);
      }
      expect([...tab.links.values()]).toEqual(["publish", "publish"]);
    },
  );

  it(coversRow("stream.control", "others' and one's own"), async () => {
    const { world, conferences } = await watching();
    world.server.tell({ op: 400, streamId: "sb", memId: "b", voff: 1, aoff: 0 });
    await conferences.handlers.setLocal({ audioMuted: true }, T1);
    await world.run(100);
    expect(world.slice.streams["sb"]).toMatchObject({ voff: 1, aoff: 0 });
    expect(world.server.of(400)).toMatchObject([{ voff: 0, aoff: 1 }]);
    expect(own(world)).toMatchObject({ voff: 0, aoff: 1 });
  });
});

describe("end reasons of op 107", () => {
  it(
    coversRow(["end.21", "end.21-skip", "time.codecSwitchMillis"], "to another first codec alone"),
    async () => {
      const { world, tab } = await joined();
      const rtcId = rtcIdOf(tab, "publish");
      const first = publishes(tab).length;
      end(world, rtcId, 21, { vcodes: ["VP8", "H264"] });
      await world.run(1000);
      expect(publishes(tab)).toHaveLength(first);
      end(world, rtcId, 21, { vcodes: ["H264", "VP8"] });
      await world.run(CONFERENCE_CONFIG.codecSwitchMillis - 100);
      expect(publishes(tab)).toHaveLength(first);
      await world.run(300);
      expect(CONFERENCE_CONFIG.codecSwitchMillis).toBe(300);
      expect(publishes(tab).at(-1)).toMatchObject({ vcodes: ["H264", "VP8"], restart: false });
      expect(publishes(tab).at(-1)).not.toMatchObject({ rtcId });
      expect(own(world)?.link).toBe("connected");
    },
  );

  it("the codec in use counts, not the one that this browser likes best; what it has besides is offered on", async () => {
    const { world, tab } = await joined();
    const rtcId = rtcIdOf(tab, "publish");
    const stream = own(world);
    // the conference wants H264, or all that were there had it alone
    world.server.tell({ op: 302, stream: { ...stream, vcodec: "H264" } as never });
    await world.run(10);
    const before = publishes(tab).length;
    end(world, rtcId, 21, { vcodes: ["H264"] });
    await world.run(1000);
    expect(publishes(tab)).toHaveLength(before);
    end(world, rtcId, 21, { vcodes: ["VP8"] });
    await world.run(1000);
    expect(publishes(tab)).toHaveLength(before + 1);
    expect(publishes(tab).at(-1)).toMatchObject({ vcodes: ["VP8", "H264"], restart: false });
    expect(own(world)).toMatchObject({ id: stream?.id, link: "connected" });
  });

  it(coversRow(["end.22", "event.codecs"], "closed, told, and not tried again"), async () => {
    const { world, tab } = await watching();
    end(world, rtcIdOf(tab, "subscribe"), 22);
    await world.run(20_000);
    expect(world.notices).toEqual(["对方视频的编码不受支持"]);
    expect([...tab.links.values()]).toEqual(["publish"]);
  });

  it(coversRow("end.24", "the screen is not shared, the capture let go"), async () => {
    const { world, tab, conferences } = await joined();
    world.server.refuse[102] = { result: -504, endReason: 24 };
    const shared = conferences.handlers.publish({ type: 1, ext: "" }, T1).catch((e: unknown) => e);
    await world.run(200);
    expect(await shared).toMatchObject({ code: "conference.refused", details: { endReason: 24 } });
    expect(world.notices).toEqual(["会议的共享屏幕路数已满"]);
    expect(world.slice.local.sharing).toBe(false);
    expect(tab.orders).toContainEqual({ t: "stop-screen" });
  });

  it(coversRow("end.other", "any other closes the connection"), async () => {
    const { world, tab } = await watching();
    const rtcId = rtcIdOf(tab, "subscribe");
    end(world, rtcId, 0);
    await world.run(5000);
    expect(tab.orders).toContainEqual({ t: "close", rtcId });
    expect([...tab.links.values()]).toEqual(["publish"]);
  });
});

describe("the session of a conference", () => {
  it(coversRow(["session.sync", "time.getCopyIntervalMillis"], "a copy every 30 s"), async () => {
    const { world } = await joined();
    await world.run(CONFERENCE_CONFIG.getCopyIntervalMillis - 1000);
    expect(world.server.of(1000)).toHaveLength(0);
    await world.run(1000);
    expect(world.server.of(1000)).toHaveLength(1);
    await world.run(CONFERENCE_CONFIG.getCopyIntervalMillis);
    expect([CONFERENCE_CONFIG.getCopyIntervalMillis, world.server.of(1000).length]).toEqual([
      30_000, 2,
    ]);
  });

  it(
    coversRow(
      ["session.exit", "session.close", "time.sessionCloseMillis"],
      "streams go at once, the socket 500 ms later at the latest",
    ),
    async () => {
      const { world, tab, conferences } = await watching();
      const { socket } = world.server;
      world.server.mute = true;
      await conferences.handlers.exit({ close: false }, T1);
      await world.run();
      expect(tab.links.size).toBe(0);
      await world.run(CONFERENCE_CONFIG.sessionCloseMillis - 100);
      expect(socket?.closedWith).toBeNull();
      await world.run(200);
      expect(CONFERENCE_CONFIG.sessionCloseMillis).toBe(500);
      expect(socket?.closedWith).not.toBeNull();
      expect(world.slice).toMatchObject({ status: "idle", streams: {}, members: {} });
      expect(world.slice.lastExit).toMatchObject({ reason: 0, failed: false });
    },
  );

  it(
    coversRow(["session.disband", "time.exitDelayMillis"], "op 204, reason 11, 100 ms at most"),
    async () => {
      const { world, conferences } = await joined();
      const { socket } = world.server;
      world.server.mute = true;
      await conferences.handlers.exit({ close: true }, T1);
      await world.run();
      expect([world.server.of(204).length, world.server.of(201).length]).toEqual([1, 0]);
      expect(socket?.closedWith).toBeNull();
      await world.run(CONFERENCE_CONFIG.exitDelayMillis + 50);
      expect([CONFERENCE_CONFIG.exitDelayMillis, socket?.closedWith === null]).toEqual([
        100,
        false,
      ]);
      expect(world.slice.lastExit).toMatchObject({ reason: 11, failed: false });
    },
  );

  it(coversRow("session.exit-callback", "whatever comes after the first end"), async () => {
    let ends = 0;
    const { world, conferences } = await joined({
      qoe: watchedBy(
        () => undefined,
        () => (ends += 1),
      ),
    });
    const { socket, sessId } = world.server;
    socket?.receive({ op: 204, sessId, endReason: 11 });
    await world.run(50);
    const { lastExit } = world.slice;
    socket?.receive({ op: 301, sessId, cver: 99, memId: "me", endReason: 12 });
    socket?.end(1006);
    await conferences.handlers.exit({ close: false }, T1);
    await world.run(2000);
    expect([ends, world.slice.lastExit, world.slice.info]).toEqual([1, lastExit, null]);
  });

  it(coversRow("exit.6", "no server for ten minutes"), async () => {
    const { world } = await joined();
    world.server.socket?.end(1006);
    world.unreachable = true;
    await world.run(CONFERENCE_CONFIG.giveUpMillis + 1000);
    expect(world.slice).toMatchObject({ status: "idle", lastExit: { reason: 6, failed: true } });
  });

  it(coversRow("time.enterTimeout", "20 s of no answer at the door"), async () => {
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
  });
});

/** A quality room on paper. */
function watchedBy(
  event: (code: number, more?: { detail?: string; rtcId?: string }) => void,
  stop: () => void = () => undefined,
): Qoe {
  return { start: () => undefined, event, samples: () => undefined, stop } as unknown as Qoe;
}
