import { expect, it } from "vitest";
import { createOwnListener, loudness } from "./listen.ts";

it("The loudness is the root mean square", () => {
  expect(loudness(new Float32Array([0.5, -0.5, 0.5, -0.5]))).toBeCloseTo(0.5);
  expect(loudness(new Float32Array([0, 0]))).toBe(0);
  expect(loudness(new Float32Array())).toBe(0);
});

it("The own listener listens to one track at a time and closes each listener", () => {
  const log: string[] = [];
  const own = createOwnListener((track) => {
    log.push(`open ${track.id}`);
    return { level: () => 0.25, close: () => void log.push(`close ${track.id}`) };
  });
  const [a, b] = [{ id: "a" }, { id: "b" }] as MediaStreamTrack[];
  expect(own.level(a!)).toBe(0.25);
  expect(own.level(a!)).toBe(0.25);
  expect(own.level(b!)).toBe(0.25);
  own.close();
  own.close();
  expect(log).toEqual(["open a", "close a", "open b", "close b"]);
});

it("The level is 0 without WebAudio", () => {
  expect(createOwnListener(() => null).level({ id: "a" } as MediaStreamTrack)).toBe(0);
});
