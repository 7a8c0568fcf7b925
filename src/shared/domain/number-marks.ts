/**
 * A 32-bit mark (FNV-1a) of a person's number. Few numbers share a mark, so a client asks the server only about numbers whose
 * mark it found.
 */
export function markOf(text: string): number {
  let mark = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    mark = Math.imul(mark ^ text.charCodeAt(i), 0x01000193);
  }
  return mark >>> 0;
}
