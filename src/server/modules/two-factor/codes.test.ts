import { expect, test } from "vitest";
import { createFactorCodes } from "./codes.ts";

test("A text that is not six digits is a wrong code, whatever its bytes", () => {
  const codes = createFactorCodes("a secret of at least thirty-two characters");
  const secret = codes.newSecret();
  for (const text of ["‹zé&-y", "１２３４５６", "12345", "1234567", "", "abcdef"]) {
    expect(codes.stepOf(secret, text, 0), text).toBeNull();
  }
});
