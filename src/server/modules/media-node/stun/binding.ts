/** STUN binding messages as ICE sends them (RFC 8489, RFC 8445). Reading never throws, whatever the bytes are. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";

const HEADER = 20;
const COOKIE = 0x2112a442;
const BINDING = { request: 0x0001, response: 0x0101 } as const;
const USERNAME = 0x0006;
const INTEGRITY = 0x0008;
const MAPPED = 0x0020;
const FINGERPRINT = 0x8028;
const CONTROLLED = 0x8029;
const CONTROLLING = 0x802a;
const FINGERPRINT_XOR = 0x5354554e;
const IPV4 = 1;

/** Offsets of the attributes' values within the packet. */
export interface Binding {
  readonly kind: keyof typeof BINDING;
  /** The part of the user name that names the receiver of the request; null in a response. */
  readonly ufrag: string | null;
  /** Where the eight bytes of the tie-breaker are, of whichever role; null without one. */
  readonly tieBreaker: number | null;
  /** Where a mapped address of IPv4 is; null without one. */
  readonly mapped: number | null;
  readonly integrity: number;
  /** Null without one. */
  readonly fingerprint: number | null;
}

/** @returns null when the bytes are no binding request or success response with a proof of the password */
export function readBinding(packet: Buffer): Binding | null {
  if (packet.length < HEADER || packet.readUInt32BE(4) !== COOKIE) return null;
  const type = packet.readUInt16BE(0);
  const kind = type === BINDING.request ? "request" : "response";
  if (type !== BINDING[kind] || packet.readUInt16BE(2) !== packet.length - HEADER) return null;
  const found = new Map<number, { readonly at: number; readonly length: number }>();
  for (let at = HEADER; at < packet.length;) {
    if (at + 4 > packet.length) return null;
    const [attribute, length] = [packet.readUInt16BE(at), packet.readUInt16BE(at + 2)];
    if (at + 4 + length > packet.length) return null;
    // What follows the proof is not covered by it.
    if (attribute === FINGERPRINT || !found.has(INTEGRITY)) {
      found.set(attribute, { at: at + 4, length });
    }
    at += 4 + Math.ceil(length / 4) * 4;
  }
  const valueOf = (attribute: number, length: number): number | null => {
    const value = found.get(attribute);
    return value?.length === length ? value.at : null;
  };
  const integrity = valueOf(INTEGRITY, 20);
  if (integrity === null) return null;
  const name = found.get(USERNAME);
  const mapped = valueOf(MAPPED, 8);
  return {
    kind,
    ufrag:
      name === undefined
        ? null
        : (packet.toString("utf8", name.at, name.at + name.length).split(":")[0] ?? null),
    tieBreaker: valueOf(CONTROLLING, 8) ?? valueOf(CONTROLLED, 8),
    mapped: mapped !== null && packet[mapped + 1] === IPV4 ? mapped : null,
    integrity,
    fingerprint: valueOf(FINGERPRINT, 4),
  };
}

/** RFC 8489 §14.5: the length in the header counts up to the proof itself. */
function proofOf(packet: Buffer, { integrity }: Binding, password: string): Buffer {
  const covered = Buffer.from(packet.subarray(0, integrity - 4));
  covered.writeUInt16BE(integrity + 20 - HEADER, 2);
  return createHmac("sha1", password).update(covered).digest();
}

export const isProven = (packet: Buffer, binding: Binding, password: string): boolean =>
  timingSafeEqual(
    proofOf(packet, binding, password),
    packet.subarray(binding.integrity, binding.integrity + 20),
  );

/** RFC 8445 §16.1 allows a tie-breaker of zero. */
export const hasZeroTieBreaker = (packet: Buffer, { tieBreaker }: Binding): boolean =>
  tieBreaker !== null && packet.readBigUInt64BE(tieBreaker) === 0n;

/** Writes proof and checksum after a change of the attributes before them, in place. */
function prove(packet: Buffer, binding: Binding, password: string): void {
  proofOf(packet, binding, password).copy(packet, binding.integrity);
  const { fingerprint } = binding;
  if (fingerprint === null) return;
  const sum = crc32(packet.subarray(0, fingerprint - 4));
  packet.writeUInt32BE((sum ^ FINGERPRINT_XOR) >>> 0, fingerprint);
}

/** Changes the packet in place. Only for a binding with a tie-breaker. */
export function setTieBreaker(
  packet: Buffer,
  binding: Binding,
  password: string,
  to: bigint,
): void {
  if (binding.tieBreaker === null) return;
  packet.writeBigUInt64BE(to, binding.tieBreaker);
  prove(packet, binding, password);
}

/** Changes the packet in place. Only for a binding with a mapped address. */
export function setMapped(
  packet: Buffer,
  binding: Binding,
  password: string,
  to: { readonly address: string; readonly port: number },
): void {
  const { mapped } = binding;
  if (mapped === null) return;
  packet.writeUInt16BE(to.port ^ (COOKIE >>> 16), mapped + 2);
  const bytes = Buffer.from(to.address.split(".").map(Number));
  packet.writeUInt32BE((bytes.readUInt32BE(0) ^ COOKIE) >>> 0, mapped + 4);
  prove(packet, binding, password);
}
