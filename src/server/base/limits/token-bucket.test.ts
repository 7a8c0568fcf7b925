import { expect, it } from "vitest";
import { createManualClock } from "../../host.harness.ts";
import { createTokenBucket, createTokenBuckets } from "./token-bucket.ts";

const LIMITS = { burst: 3, perSecond: 2 };
const taken = (tryConsume: () => boolean, tries: number): number =>
  Array.from({ length: tries }, tryConsume).filter(Boolean).length;

it("A bucket gives its burst at once, then its rate, and never holds more than the burst", () => {
  const clock = createManualClock();
  const bucket = createTokenBucket(clock, LIMITS);
  expect(taken(bucket.tryConsume, 10)).toBe(3);
  clock.advance(500);
  expect(taken(bucket.tryConsume, 10)).toBe(1);
  clock.advance(250);
  expect(taken(bucket.tryConsume, 10)).toBe(0);
  clock.advance(250);
  expect(taken(bucket.tryConsume, 10)).toBe(1);
  clock.advance(60_000);
  expect(taken(bucket.tryConsume, 10)).toBe(3);
});

it("Granted tokens come on top of the rate, and outlast a full bucket", () => {
  const clock = createManualClock();
  const bucket = createTokenBucket(clock, LIMITS);
  bucket.grant(2);
  expect(taken(bucket.tryConsume, 10)).toBe(5);
  bucket.grant(1);
  clock.advance(60_000);
  expect(taken(bucket.tryConsume, 10)).toBe(4);
});

it("Each key has a bucket of its own, and a swept key starts with a full one", () => {
  const clock = createManualClock();
  const buckets = createTokenBuckets(clock, LIMITS);
  expect(taken(() => buckets.tryConsume("a"), 10)).toBe(3);
  expect(taken(() => buckets.tryConsume("b"), 10)).toBe(3);
  // The bucket of a is not full again yet, so the sweep must keep it.
  clock.advance(1000);
  buckets.sweep();
  expect(taken(() => buckets.tryConsume("a"), 10)).toBe(2);
  clock.advance(1501);
  buckets.sweep();
  expect(taken(() => buckets.tryConsume("a"), 10)).toBe(3);
});
