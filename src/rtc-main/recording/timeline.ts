/** Where the segments of a recording lie in the joined file. Pure; all times in s. */
import type { Segment } from "./types.ts";

export interface Placed {
  readonly segment: Pick<Segment, "at" | "run">;
  /** From the first to the end of the last packet. */
  readonly length: number;
}

/**
 * Time passes between segments of a run, as while another tab took the recording over: the gap stays, so that the file is as long as what
 * it shows. Nothing lies between two runs: that was a pause. A clock that was set back makes no overlap.
 *
 * @returns the beginning of each segment
 */
export function offsets(placed: readonly Placed[]): number[] {
  const found: number[] = [];
  let end = 0;
  for (const [i, { segment, length }] of placed.entries()) {
    const before = placed[i - 1]?.segment;
    const begin =
      before === undefined || before.run !== segment.run
        ? end
        : Math.max(end, (found[i - 1] as number) + (segment.at - before.at) / 1000);
    found.push(begin);
    end = begin + length;
  }
  return found;
}

/** An Opus packet of 20 ms of silence. */
export const OPUS_SILENCE = new Uint8Array([0xf8, 0xff, 0xfe]);
export const OPUS_PACKET = 0.02;

/** ms of an Opus frame by the configuration in the first byte of a packet (RFC 6716, 3.1). */
function frameMs(config: number): number {
  if (config < 12) return [10, 20, 40, 60][config % 4] as number;
  if (config < 16) return config % 2 === 0 ? 10 : 20;
  return [2.5, 5, 10, 20][config % 4] as number;
}
/** How long the sound of an Opus packet is, s. A container need not say it. */
export function opusLength(packet: Uint8Array): number {
  const [toc = 0, count = 0] = packet;
  const code = toc & 3;
  const frames = code === 0 ? 1 : code === 3 ? count & 63 : 2;
  return (frameMs(toc >> 3) * frames) / 1000;
}

/** Part of a packet that a gap may be too short, because times are rounded to ms. */
const ROUNDING = 0.1;

/** When the packets of silence begin that fill a gap of sound. A player that counts samples would lose the picture's time otherwise. */
export function silences(from: number, to: number): number[] {
  const count = Math.max(0, Math.floor((to - from) / OPUS_PACKET + ROUNDING));
  return Array.from({ length: count }, (_, i) => from + i * OPUS_PACKET);
}
