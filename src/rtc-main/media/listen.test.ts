import { expect, it } from "vitest";
import { createOwnListener } from "./listen.ts";

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
