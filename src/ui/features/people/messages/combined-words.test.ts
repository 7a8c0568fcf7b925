import { expect, test } from "vitest";
import { combinedWords, cutAt } from "./combined-words.ts";

test("The summary has the first four messages, each in a line of at most 60 characters", () => {
  const messages = ["一", "二", "三", "四", "五"].map((text) => ({ name: "李娜", text }));
  expect(combinedWords("记录", messages)).toEqual({
    title: "记录",
    summary: "李娜：一\n李娜：二\n李娜：三\n李娜：四",
  });
  const long = combinedWords("长".repeat(200), [{ name: "李娜", text: "字".repeat(100) }]);
  expect(long.title).toHaveLength(100);
  expect(long.summary).toBe(`李娜：${"字".repeat(57)}…`);
});

test("An emoji at the limit is left out as a whole", () => {
  expect(cutAt("ab😀", 3)).toBe("ab");
  expect(cutAt("ab😀", 4)).toBe("ab😀");
});
