/** The ladder with samples of the test's own: each poll is 2000 ms of wall clock. */
import { describe, expect, it } from "vitest";
import type { PictureLevel } from "../../../shared/domain/picture-levels.ts";
import type { StreamSample } from "../../../shared/protocol/qoe.ts";
import { createLadder } from "./ladder.ts";

function network() {
  let level: PictureLevel = "full";
  let sends = true;
  let at = 1_700_000_000_000;
  let packets = 0;
  let lost = 0;
  let rtcId = "r1";
  const applied: string[] = [];
  const steps: (readonly [seconds: number, PictureLevel])[] = [];
  const begin = at;
  const ladder = createLadder({
    level: () => level,
    sends: () => sends,
    apply: (next) => applied.push(next),
    changed(next) {
      level = next;
      steps.push([(at - begin) / 1000, next]);
    },
  });
  const poll = (loss: number, kbps: number | null): void => {
    at += 2000;
    packets += 100;
    lost += loss;
    const sample = {
      rtcId,
      direction: "local",
      kind: "audio",
      at,
      packets,
      packetsLost: lost,
      availableKbps: kbps,
    };
    ladder.addSamples([sample as StreamSample]);
  };
  return {
    ladder,
    steps,
    applied,
    level: () => level,
    /** Polls for so many seconds of a network that loses so many % and carries so many kbit/s. */
    run(seconds: number, loss: number, kbps: number | null = null) {
      for (let n = 0; n < seconds / 2; n += 1) poll(loss, kbps);
    },
    cameraOff: () => (sends = false),
    rebuilt() {
      rtcId = "r2";
      packets = 0;
      lost = 0;
    },
  };
}

it("A good network changes nothing", () => {
  const { run, steps, applied } = network();
  run(120, 2, 900);
  expect([steps, applied]).toEqual([[], []]);
});

it("10 % loss makes the picture small after 4000 ms of it and leaves it so; 30 % ends it", () => {
  const { run, steps, applied } = network();
  run(60, 10, 220);
  expect(steps).toEqual([[10, "small"]]);
  run(20, 30, 60);
  expect(steps.map(([, level]) => level)).toEqual(["small", "off"]);
  expect(applied).toEqual(["small", "off"]);
});

it("A bandwidth below 200 kbit/s makes the picture small, below 50 kbit/s ends it", () => {
  const { run, steps } = network();
  run(12, 0, 150);
  run(20, 0, 40);
  expect(steps.map(([, level]) => level)).toEqual(["small", "off"]);
});

describe("the way back", () => {
  it("goes by one step each 10,000 ms of a good network", () => {
    const { run, steps } = network();
    run(30, 40);
    expect(steps.at(-1)?.[1]).toBe("off");
    const down = steps.length;
    run(60, 0, 400);
    const back = steps.slice(down);
    expect(back.map(([, level]) => level)).toEqual(["small", "full"]);
    const [small, full] = back;
    // a window of 4000 ms, then 10,000 ms of good figures in it
    expect((full?.[0] ?? 0) - (small?.[0] ?? 0)).toBe(16);
  });

  it("takes twice as long after each relapse less than 20,000 ms later, and at most 120,000 ms", () => {
    const { run, steps, level } = network();
    const gaps: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      run(10, 12, 300);
      if (level() === "full") run(2, 12, 300);
      expect(level()).toBe("small");
      const down = steps.at(-1)?.[0] ?? 0;
      while (level() === "small") run(2, 0, 300);
      gaps.push((steps.at(-1)?.[0] ?? 0) - down);
    }
    const waits = gaps.map((gap) => gap - (gaps[0] ?? 0));
    expect(waits).toEqual([0, 10, 30, 70, 110, 110]);
  });
});

it("A camera that is turned off ends the ladder with the whole picture", () => {
  const { run, steps, cameraOff, applied } = network();
  run(20, 10);
  cameraOff();
  run(2, 10);
  expect(steps.map(([, level]) => level)).toEqual(["small", "full"]);
  expect(applied.at(-1)).toBe("full");
});

it("A connection that was rebuilt gets the same picture, and its counters begin again", () => {
  const { run, steps, rebuilt, applied } = network();
  run(20, 10);
  rebuilt();
  run(2, 0);
  expect(applied).toEqual(["small", "small"]);
  expect(steps).toHaveLength(1);
});
