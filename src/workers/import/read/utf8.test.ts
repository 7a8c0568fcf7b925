import { expect, test } from "vitest";
import { createUtf8Mender } from "./utf8.ts";

const decodes = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};
/** The text of all bytes, mended in chunks of `size`, and where the first broken byte was found. */
function mended(bytes: Uint8Array, size: number): { readonly text: string; readonly at: number } {
  const mender = createUtf8Mender();
  const all: number[] = [];
  let at = -1;
  for (let from = 0; from < bytes.length; from += size) {
    const last = from + size >= bytes.length;
    const { bytes: some, brokenAt } = mender.mend(bytes.subarray(from, from + size), last);
    if (brokenAt >= 0 && at < 0) at = all.length + brokenAt;
    all.push(...some);
  }
  return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(all)), at };
}

test("Broken bytes are mended as the platform's decoder does it, however the bytes are cut", () => {
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
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const isGood = decodes(bytes);
    if (!isGood) bad += 1;
    const before = new TextEncoder().encode(text.slice(0, text.indexOf("\ufffd"))).length;
    for (const size of [1, 2, 3, 4, 5, 100]) {
      const want = { text, at: isGood ? -1 : before };
      expect({ bytes, size, ...mended(bytes, size) }).toEqual({ bytes, size, ...want });
    }
  }
  expect(bad).toBeGreaterThan(100);
});
