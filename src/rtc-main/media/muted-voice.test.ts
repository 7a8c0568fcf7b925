import { expect, it } from "vitest";
import { fakeWorld } from "../browser.fake.ts";
import { createTally } from "../tally.ts";
import { FakeTrack } from "./devices.fake.ts";
import { createMutedVoice, MUTED_VOICE_MS } from "./muted-voice.ts";

function listening() {
  const world = fakeWorld();
  const tally = createTally();
  const heard: boolean[] = [];
  const voice = createMutedVoice(world.deps, tally, (speaks) => heard.push(speaks));
  const track = new FakeTrack("audio");
  track.enabled = false;
  voice.listen(track as unknown as MediaStreamTrack);
  /** The microphone has this level for so many measurements. */
  const sound = (level: number, times: number): void => {
    world.loudness = level;
    world.clock.pass(times * MUTED_VOICE_MS);
  };
  return { world, tally, heard, voice, track, sound };
}

it("The muted track stays silent: an enabled copy of it is analysed", () => {
  const { track } = listening();
  expect(track.enabled).toBe(false);
  expect(track.clones.map(({ enabled, stopped }) => [enabled, stopped])).toEqual([[true, false]]);
});

it("A voice is three loud measurements within 2000 ms, and ends 4000 ms after the last one", () => {
  const { heard, sound } = listening();
  sound(0.1, 2);
  expect(heard).toEqual([]);
  sound(0.1, 1);
  expect(heard).toEqual([true]);
  sound(0.01, 19);
  expect(heard).toEqual([true]);
  sound(0.01, 1);
  expect(heard).toEqual([true, false]);
});

it("A knock now and then is no voice", () => {
  const { heard, sound } = listening();
  for (let knock = 0; knock < 5; knock += 1) {
    sound(0.5, 1);
    sound(0, 9);
  }
  expect(heard).toEqual([]);
});

it("The copy and the timer end with the mute, and the voice counts as silent", () => {
  const { world, tally, heard, voice, track, sound } = listening();
  sound(0.1, 3);
  voice.listen(null);
  expect(heard).toEqual([true, false]);
  expect(track.clones[0]?.stopped).toBe(true);
  expect(track.stopped).toBe(false);
  expect(tally.read().tracks).toBe(0);
  expect([world.clock.pending, world.listening.size]).toEqual([0, 0]);
});

it("A browser that cannot measure keeps no copy", () => {
  const world = fakeWorld();
  const tally = createTally();
  const voice = createMutedVoice({ ...world.deps, listen: () => null }, tally, () => undefined);
  const track = new FakeTrack("audio");
  voice.listen(track as unknown as MediaStreamTrack);
  expect(track.clones[0]?.stopped).toBe(true);
  expect(tally.read().tracks).toBe(0);
});
