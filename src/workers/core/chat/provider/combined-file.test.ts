import { expect, test } from "vitest";
import { packMessages, unpackMessages } from "./combined-file.ts";

const messages = [Uint8Array.of(1, 2, 3), Uint8Array.of(), Uint8Array.of(9, 8, 7, 6)];

test("A file begins with its mark, has each message after its length, and ends with the check of the odd bytes", () => {
  expect([...packMessages([Uint8Array.of(5, 6)])]).toEqual([
    0x63,
    0x6d,
    0,
    0,
    0,
    2,
    5,
    6,
    0 ^ 2 ^ 6,
  ]);
});

test("What was packed is unpacked, from the middle of a buffer as well", () => {
  const file = packMessages(messages);
  expect(unpackMessages(file, 3)).toEqual(messages);
  const around = new Uint8Array(file.length + 10);
  around.set(file, 5);
  expect(unpackMessages(around.subarray(5, 5 + file.length), 3)).toEqual(messages);
});

test("Damaged, cut, overlong and foreign files are refused", () => {
  const file = packMessages(messages);
  expect(unpackMessages(file, 2)).toBeNull();
  expect(unpackMessages(new TextEncoder().encode("no such file"), 3)).toBeNull();
  for (let size = 0; size < file.length; size += 1) {
    const cut = unpackMessages(file.subarray(0, size), 3);
    // the check of a cut file may fit by chance, but never its lengths
    expect(cut === null || cut.length < messages.length).toBe(true);
  }
  const changed = file.slice();
  changed[7] = 200;
  expect(unpackMessages(changed, 3)).toBeNull();
  // a length that reaches beyond the end, with a check that fits
  const long = packMessages([Uint8Array.of(1, 2)]);
  long[4] = 255;
  expect(unpackMessages(long, 3)).toBeNull();
});
