import { expect, it } from "vitest";
import { shownText } from "./conference-message.ts";

it("A text of the platform's SDK is shown without its JSON, any other text as it is", () => {
  expect(shownText(JSON.stringify({ text: "你好" }))).toBe("你好");
  for (const arg of ["你好", "{你好", "{}", '{"text":5}', '{"op":1}', '["text"]', '"text"']) {
    expect(shownText(arg)).toBe(arg);
  }
});
