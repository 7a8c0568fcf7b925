/**
 * Small histograms of durations that can be added up (docs/server.md#reports-of-cores): the sum of the histograms of all cores and
 * hours has the same quantiles as all their durations together. A bucket ends 2^(1/4) times later than the one before it, so a
 * quantile is wrong by at most 10 %. Pure.
 */

/** From 0.1 ms to 105 s; what is outside counts in the first or the last bucket. */
export const LATENCY_BUCKETS = 81;
const LEAST_MS = 0.1;
const STEPS_PER_OCTAVE = 4;

/** Durations by bucket. */
export type LatencyHistogram = number[];
/**
 * Only the buckets that are not empty: gap, count, gap, count and so on, by bucket. A gap is how many buckets after the one before; the
 * first is the bucket itself. Small numbers make small reports.
 */
export type SparseHistogram = readonly number[];

export const emptyHistogram = (): LatencyHistogram => Array<number>(LATENCY_BUCKETS).fill(0);

export function bucketOf(ms: number): number {
  if (!(ms > LEAST_MS)) return 0;
  const bucket = Math.ceil(Math.log2(ms / LEAST_MS) * STEPS_PER_OCTAVE);
  return Math.min(bucket, LATENCY_BUCKETS - 1);
}

/** The ms in the middle of a bucket. */
const middleOf = (bucket: number): number => LEAST_MS * 2 ** ((bucket - 0.5) / STEPS_PER_OCTAVE);

/** Whether the numbers are a sparse histogram: buckets exist and rise, counts are positive. */
export function isSparseHistogram(flat: readonly number[]): boolean {
  if (flat.length % 2 !== 0) return false;
  let bucket = 0;
  for (let i = 0; i < flat.length; i += 2) {
    const [gap = -1, count = 0] = [flat[i], flat[i + 1]];
    bucket += gap;
    if (gap < (i === 0 ? 0 : 1) || bucket >= LATENCY_BUCKETS || count < 1) return false;
  }
  return true;
}

export function addSparse(into: LatencyHistogram, flat: SparseHistogram): void {
  let bucket = 0;
  for (let i = 0; i + 1 < flat.length; i += 2) {
    bucket += flat[i] ?? 0;
    into[bucket] = (into[bucket] ?? 0) + (flat[i + 1] ?? 0);
  }
}

export function toSparse(histogram: readonly number[]): number[] {
  let before = 0;
  return histogram.flatMap((count, bucket) => {
    if (count === 0) return [];
    const gap = bucket - before;
    before = bucket;
    return [gap, count];
  });
}

export const countIn = (histogram: readonly number[]): number =>
  histogram.reduce((sum, count) => sum + count, 0);

/**
 * @param share 0.99 for the 99th percentile
 * @returns ms; null for an empty histogram
 */
export function quantile(histogram: readonly number[], share: number): number | null {
  const all = countIn(histogram);
  if (all === 0) return null;
  // As stats/index.ts does it: the value at this place of all values in order.
  const place = Math.min(all - 1, Math.floor(share * all));
  let seen = 0;
  // Without an iterator, as this runs for each step of each chart.
  for (let bucket = 0; bucket < histogram.length; bucket += 1) {
    seen += histogram[bucket] ?? 0;
    if (seen > place) return Math.round(middleOf(bucket) * 100) / 100;
  }
  return null;
}
