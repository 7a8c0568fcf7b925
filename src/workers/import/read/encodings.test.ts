import { expect, test } from "vitest";
import { encodingOfSamples, isMostlyWhole } from "./encodings.ts";

const TEXT = "姓名,工号,备注\n张伟,E1,长期在总公司工作的员工\n李娜,E2,没有问题\n";
const TRADITIONAL = "姓名,工號,備註\n陳志明,E1,長期在總公司工作的員工\n林美玲,E2,沒有問題\n";

/** Bytes of a text in an encoding of two bytes per sign. */
function encoded(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const pairs = new Map<string, number[]>();
  for (let first = 0x81; first < 0xff; first += 1) {
    for (let second = 0x40; second < 0xff; second += 1) {
      const sign = decoder.decode(Uint8Array.of(first, second));
      if (!pairs.has(sign)) pairs.set(sign, [first, second]);
    }
  }
  return Uint8Array.from(
    Array.from(text, (sign) =>
      sign < "\u0080" ? [sign.charCodeAt(0)] : (pairs.get(sign) ?? []),
    ).flat(),
  );
}
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
/** The bytes with one that is broken at the end of the first half. */
const spoilt = (bytes: Uint8Array): Uint8Array => {
  const at = bytes.indexOf(10, bytes.length / 2);
  return Uint8Array.from([...bytes.subarray(0, at), 0xff, ...bytes.subarray(at)]);
};

test.each([
  ["UTF-8", utf8(TEXT), "utf-8", false],
  ["UTF-8 with a broken byte", spoilt(utf8(TEXT)), "utf-8", false],
  ["ASCII", utf8("name,no\nx,1\n"), "utf-8", false],
  ["GB18030", encoded(TEXT, "gb18030"), "gb18030", false],
  ["GB18030 with a broken byte", spoilt(encoded(TEXT, "gb18030")), "gb18030", false],
  ["Big5", encoded(TRADITIONAL, "big5"), "big5", false],
  ["Big5 with a broken byte", spoilt(encoded(TRADITIONAL, "big5")), "big5", false],
  ["Shift_JIS", encoded("氏名,備考\n山田,えいぎょうのしごと\n", "shift_jis"), null, true],
  ["Latin letters", Uint8Array.of(0x52, 0x65, 0x6e, 0xe9, 0x2c, 0x31, 10), null, true],
  [
    "two encodings",
    Uint8Array.from([...utf8("姓名,部门,市场部\n"), ...encoded("姓名,部门,市场部\n", "gb18030")]),
    null,
    true,
  ],
] as const)("%s is found", (_, bytes, encoding, isGuess) => {
  const found = encodingOfSamples([bytes]);
  expect(found).toEqual({ encoding: encoding ?? expect.any(String), isGuess });
});

test("A text of mostly broken signs shows that its encoding was chosen wrongly", () => {
  const bytes = encoded(TEXT, "gb18030");
  expect(isMostlyWhole(new TextDecoder("utf-8").decode(bytes))).toBe(false);
  expect(isMostlyWhole(new TextDecoder("gb18030").decode(spoilt(bytes)))).toBe(true);
  expect(isMostlyWhole("")).toBe(true);
});
