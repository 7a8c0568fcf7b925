/** The messages are those of RFC 5769, 2.1 and 2.2. */
import { describe, expect, it } from "vitest";
import {
  hasZeroTieBreaker,
  isProven,
  readBinding,
  setMapped,
  setTieBreaker,
  type Binding,
} from "./binding.ts";
import { REQUEST, RESPONSE, RFC_PASSWORD } from "./binding.harness.ts";

const read = (packet: Buffer): Binding => {
  const binding = readBinding(packet);
  if (binding === null) throw new Error("no binding");
  return binding;
};

describe("A binding message", () => {
  it("is read with the receiver's name and the proof of its password", () => {
    const packet = REQUEST();
    const binding = read(packet);
    expect(binding).toMatchObject({ kind: "request", ufrag: "evtj", mapped: null });
    expect(isProven(packet, binding, RFC_PASSWORD)).toBe(true);
    expect(isProven(packet, binding, "another")).toBe(false);
    expect(hasZeroTieBreaker(packet, binding)).toBe(false);
  });

  it("that was changed and changed back has the bytes of the RFC again", () => {
    const packet = REQUEST();
    const binding = read(packet);
    const was = packet.readBigUInt64BE(binding.tieBreaker ?? 0);
    setTieBreaker(packet, binding, RFC_PASSWORD, 0n);
    expect(hasZeroTieBreaker(packet, binding)).toBe(true);
    expect(isProven(packet, read(packet), RFC_PASSWORD)).toBe(true);
    expect(packet.equals(REQUEST())).toBe(false);
    setTieBreaker(packet, binding, RFC_PASSWORD, was);
    expect(packet.equals(REQUEST())).toBe(true);

    const answer = RESPONSE();
    setMapped(answer, read(answer), RFC_PASSWORD, { address: "198.51.100.7", port: 9 });
    expect(answer.equals(RESPONSE())).toBe(false);
    setMapped(answer, read(answer), RFC_PASSWORD, { address: "192.0.2.1", port: 32_853 });
    expect(answer.equals(RESPONSE())).toBe(true);
  });

  it("is nothing else: no other bytes, no part of one, no length that lies, no message without a proof", () => {
    expect(readBinding(Buffer.alloc(0))).toBeNull();
    expect(readBinding(Buffer.alloc(100, 0x80))).toBeNull();
    const whole = REQUEST();
    for (let length = 0; length < whole.length; length += 1) {
      expect(readBinding(whole.subarray(0, length))).toBeNull();
    }
    const indication = REQUEST();
    indication.writeUInt16BE(0x0011, 0);
    expect(readBinding(indication)).toBeNull();
    const long = REQUEST();
    long.writeUInt16BE(2000, 22);
    expect(readBinding(long)).toBeNull();
    const bare = Buffer.from(whole.subarray(0, 20));
    bare.writeUInt16BE(0, 2);
    expect(readBinding(bare)).toBeNull();
  });
});
