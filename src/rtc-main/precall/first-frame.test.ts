import { expect, it } from "vitest";
import { firstFrame } from "./first-frame.ts";

it("a browser without requestVideoFrameCallback tells by its first data", async () => {
  const video = new EventTarget();
  const found = firstFrame(video as HTMLVideoElement);
  video.dispatchEvent(new Event("loadeddata"));
  expect(await found).toBe(true);
});

it("with it, the painted frame counts", async () => {
  const callbacks: (() => void)[] = [];
  const video = Object.assign(new EventTarget(), {
    requestVideoFrameCallback: (run: () => void) => callbacks.push(run),
  });
  const found = firstFrame(video as unknown as HTMLVideoElement);
  expect(callbacks).toHaveLength(1);
  callbacks[0]?.();
  expect(await found).toBe(true);
});
