import { expect, it } from "vitest";
import { fakeWorld } from "../browser.fake.ts";
import { settle } from "../clock.fake.ts";
import { createEffects } from "../effects/effects.ts";
import type { LocalTracks } from "../engine.ts";
import { createTally } from "../tally.ts";
import { createOwnDevices } from "./own-devices.ts";

/** Own devices of a person who wants both effects. */
async function opened() {
  const world = fakeWorld();
  const tally = createTally();
  const effectsOfTab = createEffects(world.deps, tally, () => undefined);
  effectsOfTab.want({ background: true, noise: true });
  let sent: LocalTracks = { audio: null, video: null };
  const own = createOwnDevices({ ...world.deps, effectsOfTab }, tally, false, {
    isWanted: () => true,
    fallback: () => Promise.resolve({ alone: [], one: false }),
    mayRetry: () => true,
    tracks: (tracks) => (sent = tracks),
    tried: () => undefined,
    switched: () => undefined,
    mutedVoice: () => undefined,
  });
  own.start();
  await settle();
  const { started } = world.effects;
  const run = (): void => started.filter(({ closed }) => !closed).forEach((one) => one.running());
  const labels = () => [sent.audio?.label ?? null, sent.video?.label ?? null];
  return { world, tally, own, effectsOfTab, started, run, labels, sent: () => sent };
}

it("The changed tracks are sent, and the devices keep their names and ids", async () => {
  const { own, run, labels } = await opened();
  expect(labels()).toEqual(["fake audio", null]);
  run();
  expect(labels()).toEqual(["changed noise", "changed background"]);
  expect([own.tracks.audio?.label, own.tracks.video?.getSettings().deviceId]).toEqual([
    "fake audio",
    "video-1",
  ]);
});

it("Mute silences the changed sound and the microphone, also a sound that is changed later", async () => {
  const { own, run, sent, effectsOfTab } = await opened();
  run();
  own.mute(true);
  expect([own.tracks.audio?.enabled, sent().audio?.enabled]).toEqual([false, false]);
  effectsOfTab.want({ background: true, noise: false });
  effectsOfTab.want({ background: true, noise: true });
  expect(sent().audio?.enabled).toBe(false);
  run();
  expect([sent().audio?.label, sent().audio?.enabled]).toEqual(["changed noise", false]);
  own.mute(false);
  expect([own.tracks.audio?.enabled, sent().audio?.enabled]).toEqual([true, true]);
});

it("Another camera and a camera that comes back are blurred too, and are not seen before", async () => {
  const { world, own, run, labels, started } = await opened();
  run();
  await own.use("video", { deviceId: "video-2" });
  expect(labels()).toEqual(["changed noise", null]);
  run();
  expect(labels()).toEqual(["changed noise", "changed background"]);
  world.devices.tracks.find((track) => track.kind === "video" && !track.stopped)?.end();
  await settle();
  expect(labels()).toEqual(["changed noise", null]);
  run();
  expect(labels()).toEqual(["changed noise", "changed background"]);
  expect(started.map(({ kind, closed }) => `${kind} ${closed}`)).toEqual([
    "noise false",
    "background true",
    "background true",
    "background false",
  ]);
});

it("Closing ends the effects, the changed tracks and the devices", async () => {
  const { world, own, run, started, tally } = await opened();
  run();
  expect(tally.read()).toMatchObject({ tracks: 4, workers: 2 });
  own.close();
  expect(started.map(({ closed, track }) => [closed, track.stopped])).toEqual([
    [true, true],
    [true, true],
  ]);
  expect(world.devices.tracks.every(({ stopped }) => stopped)).toBe(true);
  expect(tally.read()).toMatchObject({ tracks: 0, workers: 0, listeners: 0 });
});
