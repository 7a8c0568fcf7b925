/**
 * Transport-wide feedback (draft-holmer-rmcat-transport-wide-cc-extensions-01): reports to the sender when each packet of a
 * connection arrived. The sender estimates its bandwidth from that; the node only reports arrival and loss.
 */
import { seqDiff } from "./header.ts";

export interface ArrivalLog {
  /** @param at arrival time, monotonic ms with fractions */
  record(sequence: number, at: number): void;
  /** @returns the next report; null when nothing arrived since the last one */
  build(sender: number, media: number): Buffer | null;
}

const TICK_MS = 0.25;
const REFERENCE_MS = 64;
const MAX_PACKETS = 512;
const NOT_RECEIVED = 0;
const SMALL = 1;
const LARGE = 2;

export function createArrivalLog(): ArrivalLog {
  const arrived = new Map<number, number>();
  /** Extended sequence number, which does not wrap. */
  let highest: number | null = null;
  let base: number | null = null;
  let count = 0;

  return {
    record(sequence, at) {
      highest ??= sequence;
      const extended = highest + seqDiff(sequence, highest & 0xffff);
      if (base !== null && extended < base) return;
      // No network causes such a jump: restart from this number.
      if (base !== null && extended - base > 0x4000) {
        arrived.clear();
        base = null;
      }
      base ??= extended;
      highest = Math.max(highest, extended);
      arrived.set(extended, at);
    },

    build(sender, media) {
      if (arrived.size === 0 || base === null) return null;
      const last = Math.min(Math.max(...arrived.keys()), base + MAX_PACKETS - 1);
      const statuses: number[] = [];
      const deltas: number[] = [];
      let reference = -1;
      let previous = 0;
      for (let sequence = base; sequence <= last; sequence += 1) {
        const at = arrived.get(sequence);
        if (at === undefined) {
          statuses.push(NOT_RECEIVED);
          continue;
        }
        if (reference === -1) {
          reference = Math.floor(at / REFERENCE_MS);
          previous = reference * REFERENCE_MS;
        }
        const ticks = Math.round((at - previous) / TICK_MS);
        if (ticks < -32_768 || ticks > 32_767) {
          // The delta does not fit into this report; the next report begins here.
          break;
        }
        // Count from the reported time, so that rounding errors do not add up.
        previous += ticks * TICK_MS;
        statuses.push(ticks >= 0 && ticks <= 255 ? SMALL : LARGE);
        deltas.push(ticks);
      }
      const first = base;
      base = first + statuses.length;
      for (const sequence of arrived.keys()) if (sequence < base) arrived.delete(sequence);
      if (arrived.size === 0 && statuses.length === 0) return null;
      if (deltas.length === 0) return null;
      return write({ sender, media, first, reference, number: count++, statuses, deltas });
    },
  };
}

function write(report: {
  sender: number;
  media: number;
  first: number;
  reference: number;
  number: number;
  statuses: readonly number[];
  deltas: readonly number[];
}): Buffer {
  const chunks = Math.ceil(report.statuses.length / 7);
  const received = report.statuses.filter((s) => s !== NOT_RECEIVED);
  const deltaBytes = received.reduce((sum, s) => sum + s, 0);
  const bytes = 20 + chunks * 2 + deltaBytes;
  const whole = Math.ceil(bytes / 4) * 4;
  const b = Buffer.alloc(whole);
  b.writeUInt8(0x80 | 15, 0);
  b.writeUInt8(205, 1);
  b.writeUInt16BE(whole / 4 - 1, 2);
  b.writeUInt32BE(report.sender >>> 0, 4);
  b.writeUInt32BE(report.media >>> 0, 8);
  b.writeUInt16BE(report.first & 0xffff, 12);
  b.writeUInt16BE(report.statuses.length, 14);
  b.writeUIntBE(report.reference & 0xffffff, 16, 3);
  b.writeUInt8(report.number & 0xff, 19);
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    // A status vector chunk of seven two-bit symbols.
    let word = 0xc000;
    for (let i = 0; i < 7; i += 1) {
      word |= (report.statuses[chunk * 7 + i] ?? NOT_RECEIVED) << (12 - 2 * i);
    }
    b.writeUInt16BE(word, 20 + chunk * 2);
  }
  let at = 20 + chunks * 2;
  received.forEach((status, i) => {
    const ticks = report.deltas[i] ?? 0;
    if (status === SMALL) {
      b.writeUInt8(ticks, at);
      at += 1;
    } else {
      b.writeInt16BE(ticks, at);
      at += 2;
    }
  });
  return b;
}
