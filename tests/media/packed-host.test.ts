/** A host page of another origin, built from the packed library alone: it joins, sends its own canvas, changes devices, reads typed events. */
import { chromium, type Browser, type Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  create,
  enter,
  heardIn,
  type PackedWorld,
  packedWorld,
  withDevices,
} from "../conference/packed-page.ts";
import { loginIdentity } from "../emedia/identity.ts";
import { launchOptions } from "../support/chromium.ts";
import { until } from "./rig.ts";

let world: PackedWorld;
let browser: Browser;
beforeAll(async () => {
  world = await packedWorld();
  browser = await chromium.launch(
    launchOptions([
      "--autoplay-policy=no-user-gesture-required",
      "--use-fake-device-for-media-stream=device-count=2",
    ]),
  );
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const heard = (page: Page, ...events: string[]) =>
  until(
    () => heardIn(page),
    (all) => events.every((event) => all.includes(event)),
    events.join(", "),
    30_000,
  );
/** The picture that the page shows of another's stream; null without one. */
const shownOfOther = (page: Page) =>
  page.evaluate(() => {
    const stream = globalThis.client.streams().find((one) => !one.located());
    const video = stream === undefined ? null : globalThis.client.getBindVideoBy(stream);
    return video === null ? null : { w: video.videoWidth, hash: globalThis.pictureHash(video) };
  });

it("Its canvas is seen by the other member; another one replaces it, and a second tab never opens the camera for it", async () => {
  const a = await world.open(await withDevices(browser), "zhangwei");
  const b = await world.open(await withDevices(browser), "lina");
  const confrId = await create(a);
  await enter(b, confrId);
  await a.evaluate(async () => {
    await globalThis.client.publish({ audio: false, video: globalThis.noise(320, 180) });
  });
  await heard(a, "onConnectionChanged: connected", "onStreamConnection: PushSuccess");
  await heard(b, "onStreamConnection: SubSuccess");
  await until(
    () => heardIn(b),
    (all) => all.some((one) => one.startsWith("onTracksChanged: ") && one.endsWith("v")),
    "the tracks of the stream",
  );
  await until(
    () => shownOfOther(b),
    (picture) => picture?.w === 320 && picture.hash !== null,
    "the canvas at the other member",
    30_000,
  );
  // The tracks are read, and the page may use them: a clone of the received one is live.
  expect(
    await b.evaluate(() => {
      const stream = globalThis.client.streams().find((one) => !one.located());
      return stream === undefined ? null : globalThis.client.tracksOf(stream).video?.readyState;
    }),
  ).toBe("live");
  await a.evaluate(() => globalThis.client.changeTrack("video", globalThis.noise(640, 360)));
  await until(
    () => shownOfOther(b),
    (picture) => picture?.w === 640,
    "the other canvas",
    30_000,
  );
  // Another tab of the person carries the media from now on: the canvas cannot follow.
  const second = await world.open(a.context(), null);
  await until(
    () => second.evaluate(() => globalThis.client.streams().length),
    (count) => count === 1,
    "the state in the second tab",
  );
  await a.close();
  await heard(second, "onDeviceError: OwnTracksLost");
  await until(
    () => b.evaluate(() => globalThis.client.streams().length),
    (count) => count === 0,
    "the stream ends",
    30_000,
  );
  const opened = await second.evaluate(() =>
    (globalThis.peerConnections ?? []).flatMap((pc) =>
      pc.getSenders().flatMap(({ track }) => (track === null ? [] : [track.label])),
    ),
  );
  expect(opened).toEqual([]);
  await second.evaluate(() => globalThis.client.destroyConference());
  await heard(second, "onConnectionChanged: closed");
  for (const page of [second, b]) await page.context().close();
});

it("It changes devices, hears another's volume, and reads what becomes of device, socket and subscription", async () => {
  const a = await world.open(await withDevices(browser), "zhangwei");
  const b = await world.open(await browser.newContext({ permissions: ["microphone"] }), "lina");
  const confrId = await create(a);
  await enter(b, confrId);
  const cameras = await a.evaluate(() => globalThis.client.mediaDevices("videoinput"));
  expect(cameras).toHaveLength(2);
  await a.evaluate(
    (cameraId) =>
      globalThis.client.publish({ cameraId, resolution: { w: 320, h: 240 }, frameRate: 15 }),
    cameras[1]?.deviceId ?? "",
  );
  const own = () =>
    a.evaluate(() => {
      const stream = globalThis.client.streams().find((one) => one.located());
      const track = stream === undefined ? null : globalThis.client.tracksOf(stream).video;
      const { deviceId = "", width = 0, frameRate = 0 } = track?.getSettings() ?? {};
      return { deviceId, width, frameRate };
    });
  await until(own, ({ deviceId }) => deviceId === cameras[1]?.deviceId, "the named camera");
  expect(await own()).toMatchObject({ width: 320, frameRate: 15 });
  expect(await a.evaluate(() => globalThis.client.changeCamera())).toBe(true);
  await until(own, ({ deviceId }) => deviceId === cameras[0]?.deviceId, "the other camera");
  // What the page asked for holds for the other camera too.
  expect(await own()).toMatchObject({ width: 320, frameRate: 15 });
  await a.evaluate(() =>
    globalThis.client.changeConstraints("video", {
      width: { ideal: 640 },
      height: { ideal: 480 },
      frameRate: 10,
    }),
  );
  await until(own, ({ width, frameRate }) => width === 640 && frameRate === 10, "the other size");
  const impossible = await a.evaluate(() =>
    globalThis.client.changeConstraints("video", { width: { exact: 100_000 } }).then(
      () => null,
      (error: { details?: { error?: number } }) => error.details?.error,
    ),
  );
  expect(impossible).toBe(-203);
  expect(await own()).toMatchObject({ width: 640, frameRate: 10 });
  const microphones = await a.evaluate(() => globalThis.client.mediaDevices("audioinput"));
  await a.evaluate(
    (id) => globalThis.client.changeMicrophone(id),
    microphones.at(-1)?.deviceId ?? "",
  );
  // The camera and the microphone; when the devices opened, the stream was not there yet.
  await until(
    () => heardIn(a),
    (all) => all.filter((one) => one.startsWith("onTracksChanged: own")).length >= 2,
    "both changes of devices",
  );

  // The other member names a camera that is not there.
  await b
    .evaluate(() => globalThis.client.publish({ video: { deviceId: { exact: "there-is-none" } } }))
    .catch(() => undefined);
  await heard(b, "onDeviceError: OpenMediaError");

  const volumes = await b.evaluate(async () => {
    const stream = globalThis.client.streams().find((one) => !one.located());
    if (stream === undefined) return null;
    globalThis.client.setVolume(stream, 0.25);
    const element = document.createElement("audio");
    globalThis.client.streamBindAudio(stream, element);
    await new Promise((resolve) => setTimeout(resolve, 0));
    return [element.volume, element.srcObject !== null];
  });
  expect(volumes).toEqual([0.25, true]);

  await world.server.kill("SIGKILL");
  await heard(a, "onConnectionChanged: WSClose", "onConnectionChanged: reconnecting");
  await world.server.start();
  await heard(a, "onConnectionChanged: reconnected");
  await a.evaluate(() => globalThis.client.destroyConference());
  for (const page of [a, b]) await page.context().close();
});

it("A mixer stream is published and played by nobody, and its refusals are events", async () => {
  const a = await world.open(await withDevices(browser), "zhangwei");
  const b = await world.open(await withDevices(browser), "lina");
  const confrId = await create(a);
  await enter(b, confrId);
  const id = await a.evaluate(() =>
    globalThis.client.publish({ audioMixer: true, maxAudioBitrate: 32 }),
  );
  await heard(a, "onStreamConnection: PushSuccess");
  const seen = () => b.evaluate((one) => globalThis.client.getStream(one)?.type, id);
  await until(seen, (type) => type === 2, "the mixer stream at the other member");
  const refusals = await b.evaluate(async (one) => {
    const said = async (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => "none",
        (error: { message: string }) => error.message,
      );
    const { client } = globalThis;
    return [
      await said(client.subscribe(null, one)),
      await said(client.subscribe(null, one, true, false)),
    ];
  }, id);
  expect(refusals).toEqual(["AudioMixerStreamNotAllowSub", "AudioMixerStreamNotAllowOnlySubVideo"]);
  await heard(
    b,
    "onStreamConnection: AudioMixerStreamNotAllowSub",
    "onStreamConnection: AudioMixerStreamNotAllowOnlySubVideo",
  );
  const again = await a.evaluate(() =>
    globalThis.client.publish({ audioMixer: true }).then(
      () => "none",
      (error: { message: string }) => error.message,
    ),
  );
  expect(again).toBe("AudioMixerStreamRepeatPublish");
  await heard(a, "onStreamConnection: AudioMixerStreamRepeatPublish");
  // Its section can bring a mix; this server sends none, so no element plays one.
  expect(
    await a.evaluate(() =>
      (globalThis.peerConnections ?? []).flatMap((pc) =>
        pc
          .getTransceivers()
          .flatMap(({ direction, receiver }) =>
            receiver.track.kind === "audio" ? [direction] : [],
          ),
      ),
    ),
  ).toEqual(["sendrecv"]);
  expect(await b.evaluate(() => document.querySelectorAll("audio").length)).toBe(0);
  await a.evaluate(() => globalThis.client.destroyConference());
  for (const page of [a, b]) await page.context().close();
});

it("Two clients of one page are two people, each with a picture of its own, and one leaves without the other", async () => {
  const page = await world.open(await withDevices(browser), "zhangwei");
  const confrId = await create(page);
  const { name, token } = await loginIdentity(world.server.url, "lina");
  const pictures = await page.evaluate(
    async ({ id, me }) => {
      const second = globalThis.furtherClient("second");
      await second.setIdentity(me.name, me.token);
      await second.joinConference(id);
      const first = globalThis.client;
      await first.publish({ audio: false, video: globalThis.noise(320, 180) });
      await second.publish({ audio: false, video: globalThis.noise(640, 360) });
      const widthAt = async (client: typeof first): Promise<number> => {
        for (let tries = 0; tries < 300; tries += 1) {
          const stream = client.streams().find((one) => !one.located());
          const width =
            stream === undefined ? 0 : client.tracksOf(stream).video?.getSettings().width;
          if (width !== undefined && width > 0) return width;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        return 0;
      };
      return [await widthAt(first), await widthAt(second)];
    },
    { id: confrId, me: { name, token } },
  );
  expect(pictures).toEqual([640, 320]);
  await page.evaluate(() => globalThis.client.exitConference());
  await heard(page, "onConnectionChanged: closed");
  expect(await page.evaluate(() => globalThis.client.streams().length)).toBe(0);
  await page.context().close();
});
