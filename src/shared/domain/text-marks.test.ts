import { expect, it } from "vitest";
import {
  isBare,
  isInvisible,
  plain,
  trimMarks,
  trimText,
  unfitSign,
  withoutMarks,
} from "./text-marks.ts";

it("no function of this file changes or refuses a bare text", () => {
  for (let code = 0; code < 0x10000; code += 1) {
    for (const text of [String.fromCharCode(code), `A${String.fromCharCode(code)}`]) {
      if (!isBare(text)) continue;
      // append a character that is not bare, so that the patterns run
      expect(plain(`${text}年`), text).toBe(`${text}年`);
      expect([isInvisible(text), unfitSign(`${text}年`, true)], text).toEqual([false, null]);
      expect([withoutMarks(text), trimText(`${text}年`), trimMarks(`${text}年`)]).toEqual([
        text,
        `${text}年`,
        `${text}年`,
      ]);
    }
  }
  expect(["", " ", "a b", "年", "​", "a​", "＃", "\u007f", "é"].filter(isBare)).toEqual([]);
});
