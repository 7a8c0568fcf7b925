/**
 * How long the way to the node is. A browser that only receives does not know it, and waits 100 ms before it asks again for a packet
 * that is lost; told to by `rrtr` (RFC 3611), it asks the node.
 */

/** The answer as it is used here, which takes up what the offer has. @param answer as createAnswer made it */
export function askRoundTrip(answer: string, offer: string): string {
  const offered = new Set([...offer.matchAll(/^a=rtcp-fb:(\d+) rrtr\r?$/gm)].map(([, pt]) => pt));
  if (offered.size === 0) return answer;
  return answer.replace(/^a=rtcp-fb:(\d+) nack\r\n/gm, (line, pt: string) =>
    offered.has(pt) ? `${line}a=rtcp-fb:${pt} rrtr\r\n` : line,
  );
}
