import { expect, it } from "vitest";
import { firstFrame } from "./first-frame.ts";

it("Without requestVideoFrameCallback the loadeddata event counts as the first frame", async () => {
  const video = new EventTarget();
  const found = firstFrame(video as HTMLVideoElement);
  video.dispatchEvent(new Event("loadeddata"));
  expect(await found).toBe(true);
});

it("With requestVideoFrameCallback the painted frame counts", async () => {
  const callbacks: (() => void)[] = [];
  const video = Object.assign(new EventTarget(), {
    requestVideoFrameCallback: (run: () => void) => callbacks.push(run),
  });
  const found = firstFrame(video as unknown as HTMLVideoElement);
  expect(callbacks).toHaveLength(1);
  callbacks[0]?.();
  expect(await found).toBe(true);
});
