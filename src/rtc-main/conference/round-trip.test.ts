import { describe, expect, it } from "vitest";
import { askRoundTrip } from "./round-trip.ts";

const ANSWER = "m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=rtcp-fb:96 nack\r\na=rtcp-fb:96 nack pli\r\n";

describe("the round-trip time to the node", () => {
  it("is requested when the node offers rrtr", () => {
    expect(askRoundTrip(ANSWER, "a=rtcp-fb:96 rrtr\r\n")).toBe(
      ANSWER.replace("nack\r\n", "nack\r\na=rtcp-fb:96 rrtr\r\n"),
    );
  });

  it("is not requested when the node does not offer rrtr, nor for another codec", () => {
    expect(askRoundTrip(ANSWER, "a=rtcp-fb:96 nack\r\n")).toBe(ANSWER);
    expect(askRoundTrip(ANSWER, "a=rtcp-fb:97 rrtr\r\n")).toBe(ANSWER);
  });
});
