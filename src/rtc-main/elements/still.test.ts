import { expect, it } from "vitest";
import { frameRequest } from "./still.ts";

/** A canvas stream whose `requestFrame` is on the track, on the stream, or missing, depending on the browser. */
function streamOf(where: "track" | "stream" | "nowhere") {
  const asked: string[] = [];
  const request = (name: string) => ({ requestFrame: () => void asked.push(name) });
  const track = where === "track" ? request("track") : {};
  const stream = {
    ...(where === "stream" ? request("stream") : {}),
    getVideoTracks: () => [track as MediaStreamTrack],
  };
  return { asked, stream };
}

it.each([
  ["track", ["track"]],
  ["stream", ["stream"]],
  ["nowhere", []],
] as const)("a frame is asked of the %s", (where, expected) => {
  const { asked, stream } = streamOf(where);
  frameRequest(stream)();
  expect(asked).toEqual(expected);
});
