/** How an own stream is published: the tab gets it each time, and own tracks of a host page end with their tab. */
import { expect, it } from "vitest";
import { at, createConferenceWorld, ENTRY, own, type PaperTab } from "./conferences.harness.ts";
import { codecsFor } from "./publication.ts";

/** A member who has published nothing yet, with two tabs; t1 has the media. */
async function watching() {
  const world = createConferenceWorld();
  const [t1, t2] = [world.openTab("t1"), world.openTab("t2")];
  world.server.role = 3;
  const { handlers } = world.make();
  const began = handlers.join({ confrId: "c1", password: "", ...ENTRY, publish: false }, at("t1"));
  await world.run(200);
  await began;
  return { world, t1, t2, handlers };
}
type Watching = Awaited<ReturnType<typeof watching>>;
const published = (tab: PaperTab) => tab.orders.filter(({ t }) => t === "publish");
async function publish({ world, handlers }: Watching, more: object, from = "t1"): Promise<void> {
  const given = { type: 0 as const, ext: "", audioMuted: false, videoOff: false, ...more };
  const work = handlers.publish(given, at(from));
  await world.run(200);
  await work;
}
const signals = ({ world }: Watching) =>
  world.slice.signals.map(({ code, details }) => [code, details]);

it("Bitrates, codecs and layers go to the tab in bit/s, again after every loss", async () => {
  const inside = await watching();
  const settings = {
    maxVideoBitrate: 800,
    forceAudioBitrate: 24,
    codecs: ["H264" as const],
    dtx: true,
    simulcast: false,
  };
  await publish(inside, { settings });
  const wanted = {
    vcodes: ["H264", "VP8"],
    simulcast: false,
    maxVideoBitrate: 800_000,
    maxAudioBitrate: null,
    forced: { audio: 24_000, dtx: true },
  };
  expect(published(inside.t1)).toMatchObject([wanted]);
  await inside.handlers.bringHere({}, at("t2"));
  await inside.world.run(500);
  expect(published(inside.t2)).toMatchObject([wanted]);
  // The next publication has settings of its own.
  await inside.handlers.unpublish({ streamId: own(inside.world)?.id ?? "" }, at("t2"));
  await inside.world.run(200);
  await publish(inside, {}, "t2");
  expect(published(inside.t2).at(-1)).toMatchObject({ simulcast: true, maxVideoBitrate: null });
  expect(published(inside.t2).at(-1)).not.toHaveProperty("forced");
});

it("Own tracks bring the media to their tab; the tab knows where sound and picture come from", async () => {
  const inside = await watching();
  const sources = { video: "own" as const, audio: { echoCancellation: false } };
  await publish(inside, { sources }, "t2");
  expect(inside.world.slice.owner?.tabId).toBe("t2");
  expect([published(inside.t1).length, published(inside.t2).length]).toEqual([0, 1]);
  expect(inside.t2.sources).toEqual(sources);
  expect(own(inside.world)).toMatchObject({ voff: 0, aoff: 0, connection: "connected" });
});

it("When the media move, a stream of own tracks alone ends, and says so; no camera opens", async () => {
  const inside = await watching();
  await publish(inside, { sources: { video: "own" as const }, audioMuted: true });
  await inside.handlers.bringHere({}, at("t2"));
  await inside.world.run(500);
  expect(own(inside.world)).toBeUndefined();
  expect(signals(inside)).toEqual([["OwnTracksLost", { kinds: ["video"] }]]);
  expect(inside.world.slice.local).toMatchObject({ publishing: false, camera: "off" });
  expect(inside.t2.opened).toEqual([]);
  // Back in the first tab nothing is published by itself either.
  await inside.handlers.bringHere({}, at("t1"));
  await inside.world.run(500);
  expect([own(inside.world), signals(inside).length]).toEqual([undefined, 1]);
});

it("When the media move, the microphone beside an own picture goes on, and the picture is off", async () => {
  const inside = await watching();
  await publish(inside, { sources: { video: "own" as const } });
  const id = own(inside.world)?.id;
  inside.world.closeTab(inside.t1);
  await inside.world.run(500);
  expect(own(inside.world)).toMatchObject({ id, voff: 1, aoff: 0, connection: "connected" });
  expect(signals(inside)).toEqual([["OwnTracksLost", { kinds: ["video"] }]]);
  expect(inside.t2.opened).toEqual(["audio"]);
  // The person turns the picture on: it is the camera's.
  await inside.handlers.setLocal({ videoOff: false, publish: true }, at("t2"));
  await inside.world.run(200);
  expect(own(inside.world)).toMatchObject({ voff: 0 });
  expect(inside.t2.sources).toBeUndefined();
});

it("Only codecs that the browser can send are preferred", () => {
  expect(codecsFor(["VP8", "H264"], { codecs: ["H264"] })).toEqual(["H264", "VP8"]);
  expect(codecsFor(["VP8"], { codecs: ["H264"] })).toEqual(["VP8"]);
  expect(codecsFor(["VP8", "H264"], {})).toEqual(["VP8", "H264"]);
});

it("What an open device was asked for later is asked of the devices of the next tab too", async () => {
  const inside = await watching();
  await publish(inside, { sources: { video: { width: { ideal: 1280 }, frameRate: 30 } } });
  const asked = { kind: "video" as const, constraints: { frameRate: 10 } };
  await inside.handlers.constrain(asked, at("t1"));
  await inside.handlers.constrain(
    { kind: "audio", constraints: { echoCancellation: false } },
    at("t1"),
  );
  const now = {
    video: { width: { ideal: 1280 }, frameRate: 10 },
    audio: { echoCancellation: false },
  };
  expect(inside.t1.sources).toEqual(now);
  await inside.handlers.bringHere({}, at("t2"));
  await inside.world.run(500);
  expect(inside.t2.sources).toEqual(now);
});

it("A track of the page is asked for nothing", async () => {
  const inside = await watching();
  await publish(inside, { sources: { video: "own" as const } });
  const asked = { kind: "video" as const, constraints: { frameRate: 10 } };
  await inside.handlers.constrain(asked, at("t1"));
  expect(inside.t1.sources).toEqual({ video: "own" });
});
