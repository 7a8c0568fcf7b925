/**
 * Measures the round-trip time to the node. A browser that only receives does not know it and repeats a NACK only after 100 ms.
 * With `rrtr` (RFC 3611) in the answer, it asks the node.
 */

/** Adds the offer's `rrtr` lines to the answer. @param answer the SDP of createAnswer, which leaves them out */
export function askRoundTrip(answer: string, offer: string): string {
  const offered = new Set([...offer.matchAll(/^a=rtcp-fb:(\d+) rrtr\r?$/gm)].map(([, pt]) => pt));
  if (offered.size === 0) return answer;
  return answer.replace(/^a=rtcp-fb:(\d+) nack\r\n/gm, (line, pt: string) =>
    offered.has(pt) ? `${line}a=rtcp-fb:${pt} rrtr\r\n` : line,
  );
}
