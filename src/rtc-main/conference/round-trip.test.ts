import { describe, expect, it } from "vitest";
import { askRoundTrip } from "./round-trip.ts";

const ANSWER = "m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=rtcp-fb:96 nack\r\na=rtcp-fb:96 nack pli\r\n";

describe("the way to the node", () => {
  it("is asked for where the node offers to tell it", () => {
    expect(askRoundTrip(ANSWER, "a=rtcp-fb:96 rrtr\r\n")).toBe(
      ANSWER.replace("nack\r\n", "nack\r\na=rtcp-fb:96 rrtr\r\n"),
    );
  });

  it("is not asked of a node that does not, nor for another codec", () => {
    expect(askRoundTrip(ANSWER, "a=rtcp-fb:96 nack\r\n")).toBe(ANSWER);
    expect(askRoundTrip(ANSWER, "a=rtcp-fb:97 rrtr\r\n")).toBe(ANSWER);
  });
});
