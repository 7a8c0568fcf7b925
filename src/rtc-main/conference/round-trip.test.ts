import { expect, it } from "vitest";
import { askRoundTrip } from "./round-trip.ts";

it("asks for the round-trip time to the node for every format that repeats packets", () => {
  const sdp = "a=rtcp-fb:96 nack\r\na=rtcp-fb:96 nack pli\r\na=rtcp-fb:111 transport-cc\r\n";
  expect(askRoundTrip(sdp)).toBe(sdp.replace("96 nack\r\n", "96 nack\r\na=rtcp-fb:96 rrtr\r\n"));
});
