/** How an own stream is published: the tab gets it each time, and own tracks of a host page end with their tab. */
import { expect, it } from "vitest";
import { rowChecks } from "../../../shared/row-checks.harness.ts";
import { at, createConferenceWorld, ENTRY, own, type PaperTab } from "./conferences.harness.ts";
import { codecsFor } from "./publication.ts";
import { endOfTicket, TICKET_WARNING_MILLIS } from "./signals.ts";

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

it("The end of a ticket is read from it, whatever it is", () => {
  const token = (claims: unknown): string => `h.${btoa(JSON.stringify(claims))}.s`;
  expect(endOfTicket(token({ exp: 12 }))).toBe(12_000);
  for (const other of ["", "x", "a.b.c", token(null), token({ exp: "12" })]) {
    expect(endOfTicket(other)).toBeNull();
  }
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts). */
export const checks = rowChecks({
  "signal.network: A change of the network is said once, however many connections notice it":
    async () => {
      const inside = await watching();
      for (const rtcId of ["a", "b"]) inside.t1.emitConferenceEvent({ t: "moved", rtcId });
      expect(signals(inside)).toEqual([["NetworkChanaged", {}]]);
      await inside.world.run(2_000);
      inside.t1.emitConferenceEvent({ t: "moved", rtcId: "a" });
      expect(signals(inside)).toHaveLength(2);
    },
  "signal.ticket: A ticket is said to end five minutes before, and at its end": async () => {
    const world = createConferenceWorld();
    world.openTab("t1");
    world.server.role = 3;
    const { handlers } = world.make();
    const ends = world.now() + TICKET_WARNING_MILLIS + 60_000;
    world.ticket.tktId = `h.${btoa(JSON.stringify({ exp: ends / 1000 }))}.s`;
    const began = handlers.join({ confrId: "c1", password: "", ...ENTRY }, at("t1"));
    await world.run(200);
    await began;
    const codes = () => world.slice.signals.map(({ code }) => code);
    expect(codes()).toEqual([]);
    await world.run(60_000);
    expect(codes()).toEqual(["TicketExpiring"]);
    await world.run(TICKET_WARNING_MILLIS);
    expect(codes()).toEqual(["TicketExpiring", "TicketExpired"]);
  },
});
