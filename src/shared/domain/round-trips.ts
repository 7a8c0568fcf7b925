/**
 * Whether long round trips come from a long path or from a queue before a narrow network (docs/calls.md#causes). A long path keeps even
 * its least round trip long. A queue makes the round trip swing well above the least one, or overflows and loses packets. Pure.
 */
import type { Moment } from "./call-moments.ts";

export const ROUND_TRIP = {
  /** ms. A queue adds at least so much to the least round trip. */
  queue: 100,
  /** The same as a part of the least round trip: measures of a very long path differ by more among themselves. */
  noise: 0.2,
  /** Part of the moments that show a queue, at least: one late measure is none. */
  share: 0.25,
  /** Fewer moments with a round trip say nothing. */
  leastMoments: 3,
} as const;

/** `both`: a queue stands before a path that is long by itself. */
export type RoundTrips = "path" | "queue" | "both";

export interface RoundTripLimits {
  /** ms; a least round trip of so much is long by itself. */
  readonly long: number;
  /** %; a queue that overflows loses so much. */
  readonly loss: number;
}

/**
 * @param moments of what one side sends, while its round trips are long
 * @returns null when there are too few of them
 */
export function roundTripsOf(
  moments: readonly Moment[],
  { long, loss }: RoundTripLimits,
): RoundTrips | null {
  const { queue, noise, share, leastMoments } = ROUND_TRIP;
  const known = moments.flatMap(({ rtt }) => (rtt === null ? [] : [rtt]));
  if (known.length < leastMoments) return null;
  const least = Math.min(...known);
  const above = least + Math.max(queue, least * noise);
  if (known.filter((rtt) => rtt >= above).length >= share * known.length)
    return least >= long ? "both" : "queue";
  // A full queue is as steady as a path, and gives itself away by what it drops.
  const losing = moments.filter((now) => now.loss !== null && now.loss >= loss);
  return losing.length >= share * moments.length ? "queue" : "path";
}
