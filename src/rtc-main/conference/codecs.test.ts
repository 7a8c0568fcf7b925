import { expect, it } from "vitest";
import { browserVideoCodecs } from "./codecs.ts";

const side = (...mimeTypes: string[]) => ({
  getCapabilities: () => ({ codecs: mimeTypes.map((mimeType) => ({ mimeType })) }),
});

it("The browser's codecs are listed in order of preference, without unused ones", () => {
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

it("The codecs are undefined when the browser does not report them", () => {
  expect(browserVideoCodecs(undefined, undefined)).toBeUndefined();
  expect(browserVideoCodecs({}, {})).toBeUndefined();
  expect(browserVideoCodecs({ getCapabilities: () => null }, side("video/VP8"))).toBeUndefined();
});
