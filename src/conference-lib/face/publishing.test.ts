/** What a host page may publish, and what the core and this tab get of it. */
import { describe, expect, it } from "vitest";
import { rowChecks } from "../../shared/row-checks.harness.ts";
import { stream } from "../../shared/protocol/stream.harness.ts";
import { settle } from "../../rtc-main/clock.fake.ts";
import { faceWorld, fakeTrack } from "./face.harness.ts";
import type { PublishOptions } from "./publishing.ts";

/** Publishes, with the answer of the core and the stream in the state. */
async function published(options: PublishOptions) {
  const world = faceWorld();
  world.inside();
  world.answers.set("publish", { streamId: "s1" });
  const work = world.face.publish(options);
  await settle();
  world.set({
    streams: { s1: stream("s1", "m1", { located: true }) },
    local: { ...world.state.local, publishing: true },
  });
  expect(await work).toBe("s1");
  return world;
}
const sentBy = async (options: PublishOptions): Promise<unknown> =>
  (await published(options)).calls.find(([name]) => name === "publish")?.[1];
const head = { type: 0, audioMuted: false, videoOff: false, ext: "" };

describe("devices", () => {
  it("come from the constraints, the chosen devices, the size and the rate", async () => {
    const options = {
      audio: { echoCancellation: false },
      video: { facingMode: "user" },
      cameraId: "c2",
      microphoneId: "m2",
      resolution: { w: 1280, h: 720 },
      frameRate: 15,
    };
    expect(await sentBy(options)).toEqual({
      ...head,
      sources: {
        audio: { deviceId: { exact: "m2" }, echoCancellation: false },
        video: {
          deviceId: { exact: "c2" },
          width: { ideal: 1280 },
          height: { ideal: 720 },
          frameRate: { ideal: 15 },
          facingMode: "user",
        },
      },
    });
  });

  it("are the default ones without a word about them", async () => {
    const world = await published({});
    expect([world.calls, world.media]).toEqual([[["publish", head]], []]);
  });
});

it.each<[PublishOptions, string]>([
  [{ maxVideoBitrate: 29 }, "maxVideoBitrate"],
  [{ maxVideoBitrate: 20_001 }, "maxVideoBitrate"],
  [{ maxAudioBitrate: 5 }, "maxAudioBitrate"],
  [{ forceAudioBitrate: 511 }, "forceAudioBitrate"],
  [{ forceVideoBitrate: 1.5 }, "forceVideoBitrate"],
  [{ codecs: [] }, "codecs"],
  [{ video: { width: (() => 1) as never } }, "video"],
])("%j is refused by its name", async (options, field) => {
  const world = faceWorld();
  world.inside();
  await expect(world.face.publish(options)).rejects.toMatchObject({
    code: "request.invalid",
    details: { field },
  });
  expect(world.calls).toEqual([]);
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts). */
export const checks = rowChecks({
  "publish.constraints: Are asked of the device first, and kept by the core for those that open later":
    async () => {
      const world = await published({ video: true });
      world.calls.length = 0;
      const constraints = { width: { ideal: 320 }, frameRate: 10 };
      await world.face.changeConstraints("video", constraints);
      expect(world.media.at(-1)).toEqual(["constrain", "video", constraints]);
      expect(world.calls).toEqual([["constrain", { kind: "video", constraints }]]);
    },
  "publish.constraints-fail: That it cannot give change nothing": async () => {
    const world = await published({ video: true });
    world.calls.length = 0;
    world.refuseConstraints();
    await expect(
      world.face.changeConstraints("video", { width: { exact: 9 } }),
    ).rejects.toMatchObject({
      code: "media.open-failed",
      details: { error: -203, errorType: "ChanageVideoConstraints_fail" },
    });
    expect(world.calls).toEqual([]);
  },
  "publish.tracks: Are given to this tab before the core is asked, and given back when the person stops publishing":
    async () => {
      const video = fakeTrack("video");
      const world = await published({ video, audio: false });
      expect(world.calls).toEqual([
        ["publish", { ...head, audioMuted: true, sources: { video: "own" } }],
      ]);
      expect(world.media).toEqual([["provideTracks", { audio: null, video }]]);
      const other = fakeTrack("video");
      world.face.changeTrack("video", other);
      expect(world.media.at(-1)).toEqual(["provideTracks", { video: other }]);
      // The stream is only published again.
      world.set({ streams: {} });
      expect(world.media).toHaveLength(2);
      world.set({ local: { ...world.state.local, publishing: false } });
      expect(world.media.at(-1)).toEqual(["provideTracks", { audio: null, video: null }]);
      expect(() => world.face.changeTrack("video", other)).toThrow("no own video track");
    },
  "publish.first-fail: Are given back when the server refuses": async () => {
    const world = faceWorld();
    world.inside();
    world.answers.set("publish", new Error("refused"));
    const heard: unknown[] = [];
    world.face.on("onStreamConnection", ({ code, details }) => heard.push([code, details]));
    await expect(world.face.publish({ video: fakeTrack("video") })).rejects.toThrow("refused");
    expect(heard).toEqual([["PushFail", { streamId: "" }]]);
    expect(world.media.at(-1)).toEqual(["provideTracks", { audio: null, video: null }]);
  },
  "publish.bitrates, publish.forced: Bitrates have the specification's names, in kbit/s, and go to the core":
    async () => {
      const settings = {
        maxVideoBitrate: 800,
        maxAudioBitrate: 32,
        forceVideoBitrate: 600,
        forceMinVideoBitrate: 300,
        forceAudioBitrate: 24,
        codecs: ["H264"] as const,
        dtx: true,
        simulcast: false,
      };
      expect(await sentBy(settings)).toEqual({ ...head, settings });
    },
  "settings.bitrates: Those of the client hold for each stream that does not say otherwise":
    async () => {
      const world = faceWorld({ sendDefaults: { maxVideoBitrate: 900, maxAudioBitrate: 48 } });
      world.inside();
      world.answers.set("publish", { streamId: "s1" });
      const publishing = world.face.publish({ maxVideoBitrate: 300 });
      await settle();
      world.set({ streams: { s1: stream("s1", "m1", { located: true }) } });
      await publishing;
      const sharing = world.face.shareDesktop({ confrId: "c1" });
      await settle();
      world.answers.set("publish", { streamId: "s1" });
      await sharing;
      const sent = world.calls.map(([, input]) => (input as { settings: object }).settings);
      expect(sent).toEqual([
        { maxVideoBitrate: 300, maxAudioBitrate: 48 },
        { maxVideoBitrate: 900, maxAudioBitrate: 48 },
      ]);
    },
});

describe("Constraints of an own device that is open", () => {
  it.each([
    ["another device", { deviceId: "other" }],
    ["the other side", { facingMode: "user" }],
    ["no constraint", { width: { ideal: [[1]] } } as unknown as MediaTrackConstraints],
  ])("%s is refused before anything is asked", async (_, constraints) => {
    const world = await published({ video: true });
    world.media.length = 0;
    await expect(world.face.changeConstraints("video", constraints)).rejects.toMatchObject({
      code: "request.invalid",
      details: { field: "video" },
    });
    expect(world.media).toEqual([]);
  });
});
