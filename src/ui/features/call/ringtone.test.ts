import { expect, test } from "vitest";
import { type RingContext, type RingWorld, startRingtone } from "./ringtone.ts";

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

function setUp(over: { device?: string; lost?: boolean; silent?: boolean } = {}) {
  const log: (string | number | number[])[] = [];
  const state: { tones: number; touch: (() => void) | null; tick: (() => void) | null } = {
    tones: 0,
    touch: null,
    tick: null,
  };
  const param = {
    value: 0,
    setValueAtTime: () => undefined,
    linearRampToValueAtTime: () => undefined,
    exponentialRampToValueAtTime: () => undefined,
  };
  const node = { connect: () => node, gain: param, frequency: param };
  const context = {
    state: "running",
    currentTime: 0,
    destination: {},
    createGain: () => node,
    createOscillator: () => ({
      ...node,
      start: () => void (state.tones += 1),
      stop: () => undefined,
    }),
    resume: async () => void log.push("resume"),
    close: async () => void log.push("close"),
    async setSinkId(device: string) {
      log.push(`sink ${device}`);
      if (over.lost === true) throw new Error("gone");
    },
  };
  const world: RingWorld = {
    openSound() {
      if (over.silent === true) throw new Error("no sound");
      return context as unknown as RingContext;
    },
    device: () => over.device ?? "",
    vibrate: (pattern) => void log.push(pattern),
    onceTouched(run) {
      state.touch = run;
      return () => (state.touch = null);
    },
    every(_ms, run) {
      state.tick = run;
      return () => (state.tick = null);
    },
  };
  return { log, state, world };
}

test("The ringtone plays on the chosen device and the phone vibrates, again and again, until the ring ends", async () => {
  const { log, state, world } = setUp({ device: "speaker" });
  const stop = startRingtone(world);
  expect(log).toEqual([]);
  state.touch?.();
  await settle();
  expect(log).toEqual(["sink speaker", [400, 200, 400], "resume"]);
  expect(state.tones).toBe(6);
  state.tick?.();
  expect(state.tones).toBe(12);
  expect(log.slice(3)).toEqual([[400, 200, 400]]);
  stop();
  expect(log.slice(4)).toEqual([0, "close"]);
  expect([state.touch, state.tick]).toEqual([null, null]);
});

test("A chosen device that is gone leaves the ringtone on the usual one", async () => {
  const { log, state, world } = setUp({ device: "headset", lost: true });
  const stop = startRingtone(world);
  state.touch?.();
  await settle();
  expect(log).toContain("resume");
  expect(state.tones).toBe(6);
  stop();
});

test("A machine without sound vibrates all the same, and a ring that ended before a touch does nothing", async () => {
  const silent = setUp({ silent: true });
  const stop = startRingtone(silent.world);
  silent.state.touch?.();
  expect(silent.log).toEqual([[400, 200, 400]]);
  stop();
  expect(silent.log).toEqual([[400, 200, 400], 0]);
  const early = setUp();
  startRingtone(early.world)();
  expect([early.log, early.state.touch]).toEqual([[], null]);
});
