import { expect, it } from "vitest";
import { offsets, OPUS_PACKET, OPUS_SILENCE, opusLength, silences } from "./timeline.ts";

const placed = (at: number, run: number, length: number) => ({ segment: { at, run }, length });

it("Time passes between segments of a run, and none between runs", () => {
  expect(
    offsets([placed(1000, 0, 4), placed(7000, 0, 2), placed(60_000, 1, 3), placed(65_000, 1, 1)]),
  ).toEqual([0, 6, 8, 13]);
});

it("A clock that was set back makes no overlap", () => {
  expect(offsets([placed(9000, 0, 4), placed(1000, 0, 2)])).toEqual([0, 4]);
});

it("A gap is filled with packets of 20 ms, none of which reaches beyond it", () => {
  const times = silences(1, 1.5);
  expect(times).toHaveLength(25);
  expect(times.at(-1)! + 0.02).toBeLessThanOrEqual(1.5 + 1e-9);
  expect(silences(2, 1)).toEqual([]);
});

it("The length of an Opus packet is read from the packet", () => {
  expect(opusLength(OPUS_SILENCE)).toBe(OPUS_PACKET);
  expect(opusLength(new Uint8Array([(3 << 3) | 0]))).toBe(0.06);
  expect(opusLength(new Uint8Array([(31 << 3) | 3, 3]))).toBe(0.06);
  expect(opusLength(new Uint8Array([(16 << 3) | 1]))).toBe(0.005);
  expect(opusLength(new Uint8Array([(13 << 3) | 2]))).toBe(0.04);
});
