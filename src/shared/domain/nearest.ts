/** Finds what a person probably meant among known choices. */

/** Edit distance in characters; anything above `most` is returned as most + 1. */
export function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
    }
    row = next;
  }
  return row[b.length] ?? most + 1;
}

/** The most similar choice; undefined when none is similar. */
export function nearest(text: string, choices: readonly string[]): string | undefined {
  const bare = text.replace(/\s+/g, "").toLowerCase();
  const most = Math.max(1, Math.floor(bare.length / 2));
  let best: string | undefined;
  let least = most + 1;
  for (const choice of choices) {
    const other = choice.replace(/\s+/g, "").toLowerCase();
    if (other === bare) return choice;
    const found =
      other.includes(bare) || bare.includes(other) ? 1 : distance(bare, other, Math.min(most, 4));
    if (found < least) {
      least = found;
      best = choice;
    }
  }
  return best;
}
