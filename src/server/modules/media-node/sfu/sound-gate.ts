/**
 * Turns a sound that has no place into silence without a break in its numbers. A receiver sees what it sees of a microphone with
 * discontinuous transmission: a packet of silence each 400 ms. So its statistics, its decoder and older clients need to know nothing.
 */
import { findExtension, parseRtp, rewriteRtp, seqDiff, type RtpHeader } from "../rtp/header.ts";
import { SILENCE } from "./loudest.ts";

/** ms between two packets of silence, as Opus sends them. */
export const SILENCE_MS = 400;
/** An Opus packet of 20 ms of silence. */
export const OPUS_SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);

export interface SoundGate {
  /** @returns what goes to the subscribers; null: nothing */
  pass(
    packet: Buffer,
    header: RtpHeader,
    forwarded: boolean,
    now: number,
  ): { readonly packet: Buffer; readonly header: RtpHeader } | null;
}

/** @param levelId id of the header extension with the level; 0: none */
export function createSoundGate(levelId: number): SoundGate {
  /** From the numbers that come to those that go out. */
  let offset = 0;
  let highest: number | null = null;
  let lastOut = 0;
  let silentAt: number | null = null;
  /** The number at which the last change came. What comes late from before it has no number. */
  let since: number | null = null;

  const renumbered = (packet: Buffer, header: RtpHeader, begins: boolean) => {
    if (offset === 0 && !begins) return { packet, header };
    const copy = Buffer.from(packet);
    rewriteRtp(copy, { ...header, sequence: header.sequence - offset });
    if (begins) copy.writeUInt8(copy.readUInt8(1) | 0x80, 1);
    return { packet: copy, header: parseRtp(copy) ?? header };
  };
  const silence = (packet: Buffer, header: RtpHeader) => {
    const made = Buffer.concat([packet.subarray(0, header.payloadStart), OPUS_SILENCE]);
    // Padding went with the payload.
    made.writeUInt8(made.readUInt8(0) & ~0x20, 0);
    rewriteRtp(made, { ...header, sequence: header.sequence - offset });
    made.writeUInt8(made.readUInt8(1) & 0x7f, 1);
    const level = levelId === 0 ? -1 : findExtension(made, header, levelId, 1);
    if (level !== -1) made.writeUInt8(SILENCE, level);
    return { packet: made, header: parseRtp(made) ?? header };
  };

  return {
    pass(packet, header, forwarded, now) {
      const { sequence } = header;
      if (highest !== null && seqDiff(sequence, highest) <= 0) {
        const isOld = since !== null && seqDiff(sequence, since) < 0;
        return isOld || silentAt !== null ? null : renumbered(packet, header, false);
      }
      highest = sequence;
      if (forwarded && silentAt === null) {
        lastOut = sequence - offset;
        return renumbered(packet, header, false);
      }
      if (!forwarded && silentAt !== null && now - silentAt < SILENCE_MS) return null;
      // What was left out between two packets leaves no gap.
      if (silentAt !== null) offset = sequence - (lastOut + 1);
      since = sequence;
      lastOut = sequence - offset;
      silentAt = forwarded ? null : now;
      return forwarded ? renumbered(packet, header, true) : silence(packet, header);
    },
  };
}
