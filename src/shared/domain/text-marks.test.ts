import { expect, it } from "vitest";
import { isBare, isInvisible, trimMarks, trimText, unfitSign, withoutMarks } from "./text-marks.ts";
import { plain } from "./import-rules.ts";

it("a bare text is one that no rule of signs changes or refuses", () => {
  for (let code = 0; code < 0x10000; code += 1) {
    for (const text of [String.fromCharCode(code), `A${String.fromCharCode(code)}`]) {
      if (!isBare(text)) continue;
      // a sign that is not bare beside it, so that the patterns are asked
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
