import { expect, it } from "vitest";
import { frameRequest } from "./still.ts";

/** A canvas's stream as a browser has it: `requestFrame` lies on the track, on the stream, or nowhere. */
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
