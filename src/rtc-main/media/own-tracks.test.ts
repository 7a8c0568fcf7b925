/** The host page's own tracks are sent in place of devices, and stay the page's. */
import { expect, it } from "vitest";
import { settle } from "../clock.fake.ts";
import { conference } from "../conference/engine.harness.ts";
import { FakeElement } from "../element.fake.ts";
import { FakeTrack } from "./devices.fake.ts";

const real = (track: FakeTrack): MediaStreamTrack => track as unknown as MediaStreamTrack;
type World = Awaited<ReturnType<typeof conference>>;
/** Says to the tab what the person wants, with the picture from the page. */
const wish = async ({ port }: World, more: Record<string, unknown> = {}): Promise<void> => {
  port.send({
    t: "local",
    epoch: 1,
    audioMuted: false,
    audioOff: false,
    videoOff: false,
    sources: { video: "own" },
    ...more,
  });
  await settle();
};
const states = ({ port }: World): unknown[] =>
  port.sentOfType("capture").map(({ audio, video }) => `${String(audio)} ${String(video)}`);
const sent = (pc: Awaited<ReturnType<World["publish"]>>): unknown[] =>
  pc.getTransceivers().map(({ sender }) => sender.track);

async function withCanvas() {
  const all = await conference();
  const canvas = new FakeTrack("video", "canvas");
  all.host.provideTracks({ video: real(canvas) });
  await wish(all);
  const pc = await all.publish("r1", { simulcast: false });
  return { ...all, canvas, pc };
}

it("A canvas is sent and shown in place of the camera, which closes", async () => {
  const all = await withCanvas();
  const { pc, canvas, world, host } = all;
  expect(sent(pc).at(-1)).toBe(canvas);
  expect(host.tracksOf("self").video).toBe(canvas);
  const camera = world.devices.tracks.find(({ kind }) => kind === "video");
  expect([camera?.stopped, states(all).at(-1)]).toEqual([true, "on on"]);
});

it("The page's track is neither stopped nor muted: while it is off, nothing of it is sent", async () => {
  const all = await withCanvas();
  const { pc, canvas, host } = all;
  const voice = new FakeTrack("audio", "page");
  host.provideTracks({ audio: real(voice) });
  const sources = { audio: "own", video: "own" };
  await wish(all, { sources });
  expect(sent(pc)).toEqual([voice, canvas]);
  await wish(all, { sources, audioMuted: true, videoOff: true });
  expect(sent(pc)).toEqual([null, null]);
  await wish(all, { sources });
  expect(sent(pc)).toEqual([voice, canvas]);
  host.dispose();
  expect([voice, canvas].map(({ stopped, enabled }) => [stopped, enabled])).toEqual([
    [false, true],
    [false, true],
  ]);
  expect(host.debugCounts()).toMatchObject({ tracks: 0, peers: 0, listeners: 0 });
});

it("Another track replaces it without a new connection; one that ends is no picture, and no camera opens for it", async () => {
  const all = await withCanvas();
  const { pc, world, host, canvas } = all;
  const other = new FakeTrack("video", "other");
  host.provideTracks({ video: real(other) });
  expect([sent(pc).at(-1), world.connections.length]).toEqual([other, 1]);
  const asked = world.devices.asked.length;
  Object.assign(other, { readyState: "ended" });
  other.end();
  await settle();
  expect([sent(pc).at(-1), states(all).at(-1)]).toEqual([null, "on unplugged"]);
  canvas.end();
  await wish(all);
  expect(world.devices.asked).toHaveLength(asked);
});

it("A tab that lacks the track opens no camera in its place", async () => {
  const all = await conference();
  await wish(all, { videoOff: true });
  const asked = all.world.devices.asked.length;
  await wish(all);
  expect([states(all).at(-1), all.world.devices.asked.length]).toEqual(["on missing", asked]);
});

it("A track of the other kind, or one that has ended, is refused", async () => {
  const { host } = await conference();
  const refused = expect.objectContaining({ code: "media.open-failed" });
  expect(() => host.provideTracks({ audio: real(new FakeTrack("video")) })).toThrow(refused);
  const ended = Object.assign(new FakeTrack("video"), { readyState: "ended" });
  expect(() => host.provideTracks({ video: real(ended) })).toThrow(refused);
});

it("The tracks are given back when the media leave the tab", async () => {
  const all = await withCanvas();
  all.port.send({ t: "release", epoch: 1 });
  await settle();
  expect(all.host.tracksOf("self")).toEqual({ audio: null, video: null });
  all.own();
  await wish(all);
  expect(states(all).at(-1)).toBe("on missing");
});

it("Constraints go to the device; a device that the person chooses later replaces the one that they name", async () => {
  const all = await conference();
  const { world, host } = all;
  await wish(all, { sources: {}, videoOff: true });
  const video = { deviceId: { exact: "c1" }, width: { ideal: 1280 }, frameRate: 12 };
  await wish(all, { sources: { video } });
  expect(world.devices.constraints.at(-1)?.video).toMatchObject(video);
  await host.changeDevice("videoinput", "c2");
  expect(world.devices.constraints.at(-1)?.video).toMatchObject({
    deviceId: { exact: "c2" },
    width: { ideal: 1280 },
    frameRate: 12,
  });
  await wish(all, { sources: { video }, videoOff: true });
  await wish(all, { sources: { video } });
  expect(world.devices.constraints.at(-1)?.video).toMatchObject({
    deviceId: { ideal: "c2" },
    width: { ideal: 1280 },
  });
});

it("The camera opens again for another picture, once; the next one is asked for it too", async () => {
  const all = await conference();
  const { world, host } = all;
  const first = { width: { ideal: 1280 }, frameRate: 30 };
  await wish(all, { sources: { video: first } });
  const camera = world.devices.tracks.findLast(({ kind }) => kind === "video");
  if (camera !== undefined) camera.settings = { deviceId: "c1" };
  await all.publish("r1");
  const opened = world.devices.constraints.length;
  /** Of the track that is sent as the small picture. It would keep the camera open, which then gives no larger picture. */
  const copiesOpen = (): number => camera?.clones.filter(({ stopped }) => !stopped).length ?? 0;
  expect(copiesOpen()).toBe(1);
  world.devices.refuseWhen = () => (copiesOpen() > 0 ? "NotReadableError" : undefined);
  await host.constrain("video", { frameRate: 10 });
  const both = { ...first, frameRate: 10 };
  expect(world.devices.constraints.at(-1)?.video).toMatchObject({
    deviceId: { exact: "c1" },
    ...both,
  });
  // The core says the same a moment later.
  await wish(all, { sources: { video: both } });
  expect([camera?.stopped, world.devices.constraints.length]).toEqual([true, opened + 1]);
  await host.changeDevice("videoinput", "c2");
  expect(world.devices.constraints.at(-1)?.video).toMatchObject(both);
});

it("Constraints that the camera cannot meet, and those for a track of the page or outside a conference, change nothing", async () => {
  const all = await withCanvas();
  const { host, world, canvas } = all;
  await expect(host.constrain("video", { frameRate: 10 })).rejects.toMatchObject({
    code: "media.open-failed",
  });
  expect(canvas.constraints).toEqual([]);
  await wish(all, { sources: {} });
  const camera = world.devices.tracks.findLast(({ kind }) => kind === "video");
  if (camera !== undefined) camera.settings = { deviceId: "c1" };
  const cameras = (): unknown[] =>
    world.devices.tracks.filter(({ kind, stopped }) => kind === "video" && !stopped);
  world.devices.refuseWhen = ({ video }) =>
    typeof video === "object" && JSON.stringify(video.width) === '{"exact":9}'
      ? "OverconstrainedError"
      : undefined;
  await expect(host.constrain("video", { width: { exact: 9 } })).rejects.toMatchObject({
    details: { device: "video" },
  });
  // The former picture is back.
  expect(cameras()).toHaveLength(1);
  expect(states(all).at(-1)).toBe("on on");
  await host.changeDevice("videoinput", "c2");
  expect(world.devices.constraints.at(-1)?.video).not.toMatchObject({ width: { exact: 9 } });
  all.port.send({ t: "release", epoch: 1 });
  await settle();
  await expect(host.constrain("video", { frameRate: 10 })).rejects.toMatchObject({
    code: "media.open-failed",
  });
});

it("Tracks of streams are read, and each change is said by the name of the stream", async () => {
  const { host, subscribe, flow, sendCommand } = await conference();
  const changed: string[] = [];
  const stop = host.onTracks((id) => changed.push(id));
  const pc = await subscribe("r1", "st1");
  await flow(pc);
  const [audio, video] = pc.getTransceivers().map(({ receiver }) => receiver.track);
  expect(host.tracksOf("st1")).toEqual({ audio, video });
  expect(new Set(changed)).toEqual(new Set(["st1"]));
  changed.length = 0;
  // The connection is built again.
  const next = await subscribe("r2", "st1");
  await flow(next);
  sendCommand({ t: "close", rtcId: "r1" });
  expect(host.tracksOf("st1").video).toBe(next.getTransceivers()[1]?.receiver.track);
  expect(changed).toContain("st1");
  stop();
  changed.length = 0;
  host.dispose();
  expect([changed, host.tracksOf("st1")]).toEqual([[], { audio: null, video: null }]);
});

it("A stream has a volume, also on a later connection, and may play in an element of the page", async () => {
  const { host, world, subscribe, flow, sendCommand } = await conference();
  host.setVolume("st1", 0.3);
  await flow(await subscribe("r1", "st1"));
  const [hidden] = world.audio;
  expect(hidden).toMatchObject({ volume: 0.3, removed: false });
  host.setVolume("st1", 0.5);
  expect(hidden).toMatchObject({ volume: 0.5 });
  const page = new FakeElement();
  const undo = host.bindSound("st1", page as unknown as HTMLAudioElement);
  expect([hidden?.removed, hidden?.srcObject]).toEqual([true, null]);
  expect(page).toMatchObject({ volume: 0.5, removed: false });
  expect(page.srcObject).not.toBeNull();
  undo();
  expect([page.srcObject, page.removed, world.audio.length]).toEqual([null, false, 2]);
  sendCommand({ t: "close", rtcId: "r1" });
  expect(world.audio.map(({ removed }) => removed)).toEqual([true, true]);
});
