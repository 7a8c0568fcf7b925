import { expect, test } from "vitest";
import { mentionable, mentionWord } from "./mention-word.ts";

test("A word after an @ is found up to the caret; an address, a gap and a long word are none", () => {
  expect(mentionWord("@", 1)).toEqual({ from: 0, word: "" });
  expect(mentionWord("请 @李娜看", 5)).toEqual({ from: 2, word: "李娜" });
  expect(mentionWord("＠李", 2)).toEqual({ from: 0, word: "李" });
  expect(mentionWord("你好@李", 4)).toEqual({ from: 2, word: "李" });
  for (const none of ["你好", "a@b.cn", "@李 娜", `@${"长".repeat(21)}`]) {
    expect(mentionWord(none, none.length)).toBeNull();
  }
});

test("Everybody stands first, oneself is left out, and names in the group count too", () => {
  const member = (userName: string, name: string, card = "") => ({
    userName,
    name,
    card,
    avatar: "",
    owner: false,
    role: "member" as const,
    mutedUntil: null,
    allowed: false,
  });
  const all = [
    member("zhangwei", "张伟"),
    member("lina", "李娜", "值班"),
    member("admin", "管理员"),
  ];
  const names = (word: string) =>
    mentionable(all, word, { self: "zhangwei", all: "所有人" }).map(({ name }) => name);
  expect(names("")).toEqual(["所有人", "李娜", "管理员"]);
  expect(names("值")).toEqual(["李娜"]);
  expect(names("所")).toEqual(["所有人"]);
  expect(names("张")).toEqual([]);
});
