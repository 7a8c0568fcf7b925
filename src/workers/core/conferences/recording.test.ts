/** The own recording in the core: what it needs, what the owner tab is asked for, and how it goes on. */
import { expect, it } from "vitest";
import type { ConferenceMediaCommand } from "../../../shared/protocol/confr-media.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";
import { at, errorOf, joined, type PaperTab } from "./conferences.harness.ts";

const T1 = at("t1");
const RECORD = 500;

type Recorded = Extract<ConferenceMediaCommand, { t: "record" }>;
const recordsOf = ({ orders }: PaperTab): Recorded[] =>
  orders.filter((one): one is Recorded => one.t === "record");
const on = (tab: PaperTab, id: string, bytes = 0): void =>
  tab.emitConferenceEvent({
    t: "recording",
    id,
    state: "on",
    type: "video/webm;codecs=vp8",
    size: { w: 1280, h: 720 },
    bytes,
  });
const stopped = (tab: PaperTab, id: string, bytes: number): void =>
  tab.emitConferenceEvent({ t: "recording", id, state: "stopped", type: null, size: null, bytes });

async function recording() {
  const one = await joined();
  await one.world.run(200);
  const asked = one.conferences.handlers.record({}, T1);
  await one.world.run(100);
  const { id } = await asked;
  on(one.tab, id);
  await one.world.run(10);
  return { ...one, id, asked: () => one.world.server.requestsOfOp(RECORD) };
}

it("The whole conference is recorded with names, and follows who comes and whose camera is off", async () => {
  const { world, tab } = await recording();
  world.server.enter("bob");
  world.server.publish("bob", "st-bob");
  await world.run(300);
  const last = recordsOf(tab).at(-1);
  expect(last).toMatchObject({ whole: true, type: "video/webm;codecs=vp8", run: 0 });
  expect(last?.tiles).toContainEqual({
    streamId: "st-bob",
    name: "bob",
    picture: true,
    screen: false,
  });
  expect(last?.tiles[0]).toMatchObject({ streamId: "self" });
  world.server.sendFrame({ op: 400, streamId: "st-bob", memId: "bob", voff: 1, aoff: 0 });
  await world.run(10);
  expect(recordsOf(tab).at(-1)?.tiles).toContainEqual(
    expect.objectContaining({ streamId: "st-bob", picture: false }),
  );
});

it("Time counts by the clock and stands still in a pause; bytes add up over segments", async () => {
  const { world, tab, conferences, id } = await recording();
  expect(world.slice.recording).toMatchObject({ id, state: "on", elapsed: 0 });
  await world.run(3000);
  on(tab, id, 500);
  await conferences.handlers.pauseRecording({ on: true }, T1);
  stopped(tab, id, 700);
  expect(tab.orders.at(-1)).toEqual({ t: "record-stop", id });
  const { elapsed = 0 } = world.slice.recording ?? {};
  expect(elapsed).toBeGreaterThanOrEqual(3000);
  expect(world.slice.recording).toMatchObject({ state: "paused", since: null, bytes: 700 });
  await world.run(60_000);
  await conferences.handlers.pauseRecording({ on: false }, T1);
  expect(recordsOf(tab).at(-1)).toMatchObject({ run: 1 });
  on(tab, id, 5);
  expect(world.slice.recording).toMatchObject({ state: "on", elapsed, bytes: 705 });
});

it("Another owner goes on in the same run with the same type and size", async () => {
  const { world, tab, id } = await recording();
  on(tab, id, 100);
  const second = world.openTab("t2");
  await world.run(10);
  world.closeTab(tab);
  await world.run(1000);
  expect(recordsOf(second).at(-1)).toMatchObject({
    id,
    run: 0,
    type: "video/webm;codecs=vp8",
    size: { w: 1280, h: 720 },
  });
  expect(world.slice.recording).toMatchObject({ state: "waiting", bytes: 100 });
  on(second, id, 7);
  expect(world.slice.recording).toMatchObject({ state: "on", bytes: 107 });
});

it("The end waits for the last part and the server learns it", async () => {
  const { world, tab, conferences, id, asked } = await recording();
  let ended = false;
  const end = Promise.resolve(conferences.handlers.stopRecording({}, T1)).then((answer) => {
    ended = true;
    return answer;
  });
  await world.run(100);
  expect([ended, world.slice.recording?.state]).toEqual([false, "stopping"]);
  stopped(tab, id, 9);
  expect(await end).toEqual({ id });
  await world.run(10);
  expect(asked().map((one) => (one as { flag?: number }).flag)).toEqual([1, 0]);
  expect(world.slice.recording).toBeNull();
  expect(await errorOf(conferences.handlers.stopRecording({}, T1))).toBe(
    "conference.invalid: no recording",
  );
});

it("A failed recording ends and the person reads it", async () => {
  const { world, tab, id } = await recording();
  tab.emitConferenceEvent({
    t: "recording",
    id,
    state: "failed",
    type: null,
    size: null,
    bytes: 0,
  });
  await world.run(10);
  expect(world.slice.recording).toBeNull();
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "record.stream-connected: Recording requires a connected stream, a role that may, and no other recording":
    async () => {
      const { world, conferences, tab } = await joined();
      await world.run(200);
      world.server.enter("bob");
      world.server.publish("bob", "st-bob");
      tab.auto = false;
      await world.run(300);
      const start = async (streamId?: string) => {
        const given = streamId === undefined ? {} : { streamId };
        const asked = errorOf(conferences.handlers.record(given, T1));
        await world.run(100);
        return asked;
      };
      world.server.publish("bob", "st-unconnected");
      await world.run(300);
      expect(await start("st-unconnected")).toBe(
        "conference.invalid: record requires a linked stream",
      );
      expect(await start("nothing")).toBe("conference.invalid: Bad stream");
      expect(await start()).toBe("none");
      expect(await start()).toBe(
        "conference.invalid: a recording goes on. not allow repeat record.",
      );
      world.server.change("me", { role: 1 });
      await world.run(20_000);
      expect(world.slice.recording, "an audience records no longer").toBeNull();
      expect(await start()).toBe("conference.invalid: Audience not allow record.");
    },

  "record.restart: A recording is restarted if its connection changed, without a moment in which none is marked":
    async () => {
      const { world, asked, id } = await recording();
      const [first] = asked() as { rtcId: string }[];
      world.server.resumes = false;
      world.server.socket?.end(1006);
      await world.run(5000);
      const all = asked().map((one) => one as unknown as { rtcId: string; flag: number });
      const again = all.filter(({ flag, rtcId }) => flag === 1 && rtcId !== first?.rtcId);
      expect(again).not.toEqual([]);
      // What the server learns of the former connection comes after the new one is recorded.
      const ends = all.findIndex(({ flag }) => flag === 0);
      if (ends !== -1) expect(ends).toBeGreaterThan(all.indexOf(again[0]!));
      expect(world.slice.recording).toMatchObject({ id });
    },
});
