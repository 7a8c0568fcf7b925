/**
 * Measures the round-trip time to the node. A browser that only receives does not know it and repeats a NACK only after 100 ms.
 * With `rrtr` (RFC 3611) in its description, it asks the node.
 */

/** Adds `rrtr` to every format that has NACK. @param sdp of createOffer or createAnswer, which leave it out */
export const askRoundTrip = (sdp: string): string =>
  sdp.replace(/^(a=rtcp-fb:\d+) nack\r\n/gm, "$1 nack\r\n$1 rrtr\r\n");
