import { expect, it } from "vitest";
import { browserVideoCodecs } from "./codecs.ts";

const side = (...mimeTypes: string[]) => ({
  getCapabilities: () => ({ codecs: mimeTypes.map((mimeType) => ({ mimeType })) }),
});

it("names what the browser says, in the order of preference, and leaves out what is not used here", () => {
  expect(
    browserVideoCodecs(
      side("video/AV1", "video/H264", "video/VP8", "video/rtx"),
      side("video/vp8"),
    ),
  ).toEqual({ receive: ["VP8", "H264"], send: ["VP8"] });
  expect(browserVideoCodecs(side("video/VP8"), side("video/VP8"))).toEqual({
    receive: ["VP8"],
    send: ["VP8"],
  });
});

it("says nothing where the browser cannot be asked", () => {
  expect(browserVideoCodecs(undefined, undefined)).toBeUndefined();
  expect(browserVideoCodecs({}, {})).toBeUndefined();
  expect(browserVideoCodecs({ getCapabilities: () => null }, side("video/VP8"))).toBeUndefined();
});
