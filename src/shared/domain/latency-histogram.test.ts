import { expect, test } from "vitest";
import {
  addSparse,
  bucketOf,
  countIn,
  emptyHistogram,
  isSparseHistogram,
  LATENCY_BUCKETS,
  quantile,
  toSparse,
} from "./latency-histogram.ts";

const histogramOf = (durations: readonly number[]): number[] => {
  const histogram = emptyHistogram();
  for (const ms of durations) {
    const bucket = bucketOf(ms);
    histogram[bucket] = (histogram[bucket] ?? 0) + 1;
  }
  return histogram;
};

test("the histograms of many cores added up have the quantiles of all durations together, within 10 %", () => {
  // Most cores are quick and a few are slow, so that the mean of their p99 would be far off.
  const cores = Array.from({ length: 50 }, (_, core) =>
    Array.from({ length: 400 }, (__, i) => (core === 7 ? 900 + i : 1 + (i % 40) / 4)),
  );
  const sum = emptyHistogram();
  for (const durations of cores) addSparse(sum, toSparse(histogramOf(durations)));
  const sorted = cores.flat().toSorted((a, b) => a - b);
  expect(countIn(sum)).toBe(sorted.length);
  for (const share of [0.5, 0.9, 0.99, 0.999]) {
    const exact = sorted[Math.floor(share * sorted.length)] ?? 0;
    const found = quantile(sum, share) ?? 0;
    expect(Math.abs(found - exact) / exact).toBeLessThan(0.1);
  }
});

test("durations outside the range count at its ends, and an empty histogram has no quantile", () => {
  expect([0, -1, Number.NaN, 0.05].map(bucketOf)).toEqual([0, 0, 0, 0]);
  expect(bucketOf(Number.POSITIVE_INFINITY)).toBe(LATENCY_BUCKETS - 1);
  const histogram = histogramOf([0, 3, 3, 1e9]);
  const back = emptyHistogram();
  addSparse(back, toSparse(histogram));
  expect(back).toEqual(histogram);
  expect(bucketOf(1e9)).toBe(LATENCY_BUCKETS - 1);
  expect(quantile(emptyHistogram(), 0.5)).toBeNull();
});

test("only rising buckets with positive counts are a sparse histogram", () => {
  expect(isSparseHistogram([])).toBe(true);
  expect(isSparseHistogram([0, 1, 80, 2])).toBe(true);
  expect(isSparseHistogram([5, 1, 1, 1, 30, 9])).toBe(true);
  for (const bad of [[1], [3, 0], [5, 1, 0, 1], [5, 1, -1, 1], [40, 1, 41, 1], [-1, 1]]) {
    expect(isSparseHistogram(bad)).toBe(false);
  }
});
