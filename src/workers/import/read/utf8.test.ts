import { expect, test } from "vitest";
import { createUtf8Check } from "./utf8.ts";

const decodes = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};
/** Checks all bytes in chunks of `size`. */
function checks(bytes: Uint8Array, size: number): boolean {
  const check = createUtf8Check();
  for (let at = 0; at < bytes.length; at += size) {
    if (!check(bytes.subarray(at, at + size), at + size >= bytes.length)) return false;
  }
  return true;
}

test("The check agrees with the platform's decoder, however the bytes are cut", () => {
  const good = [...new TextEncoder().encode("a王é😀\u0000\uffff\u{10ffff}z")];
  const cases: number[][] = [good];
  for (let at = 0; at < good.length; at += 1) {
    cases.push(good.toSpliced(at, 1), good.slice(0, at + 1));
    for (const byte of [0x00, 0x80, 0xbf, 0xc0, 0xc1, 0xe0, 0xed, 0xf0, 0xf4, 0xf5, 0xff]) {
      cases.push(good.with(at, byte), good.toSpliced(at, 0, byte));
    }
  }
  for (const first of [0xe0, 0xed, 0xf0, 0xf4]) {
    for (const second of [0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf])
      cases.push([first, second, 0x80, 0x80], [first, second, 0x80]);
  }
  let bad = 0;
  for (const bytes of cases.map((one) => Uint8Array.from(one))) {
    const want = decodes(bytes);
    if (!want) bad += 1;
    for (const size of [1, 2, 3, 4, 5, 100])
      expect([...bytes, checks(bytes, size)]).toEqual([...bytes, want]);
  }
  expect(bad).toBeGreaterThan(100);
});
