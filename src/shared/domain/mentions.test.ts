import { expect, test } from "vitest";
import { mentionedIn } from "./mentions.ts";

test("The people whose names stand after an @ are meant, or everybody", () => {
  const names = { lina: "李娜", zhangwei: "张伟", x: "" };
  expect(mentionedIn("@李娜 和＠张伟 请看", names)).toEqual(["lina", "zhangwei"]);
  expect(mentionedIn("@lina 请看", names)).toEqual(["lina"]);
  expect(mentionedIn("@所有人 集合", names)).toBe("ALL");
  expect(mentionedIn("李娜 a@b.cn @", names)).toEqual([]);
});
