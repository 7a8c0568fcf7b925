/**
 * A mark of 32 bits for a number that a person bears (FNV-1a). Few numbers share one: whoever finds a mark asks about the number
 * itself, and about no other.
 */
export function markOf(text: string): number {
  let mark = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    mark = Math.imul(mark ^ text.charCodeAt(i), 0x01000193);
  }
  return mark >>> 0;
}
