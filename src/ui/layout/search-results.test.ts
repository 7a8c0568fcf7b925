import { expect, it } from "vitest";
import { type Found, keyOf, readChoices, shownGroups, withChoice } from "./search-results.ts";

const one = (group: Found["group"], id: string, title = id, detail = ""): Found => ({
  group,
  id,
  title,
  detail,
  to: `/${group}/${id}`,
  external: false,
  chat: null,
});
const shown = (...args: Parameters<typeof shownGroups>) =>
  shownGroups(...args).map(({ key, found }) => [key, ...found.map(keyOf)]);

it("The newest choice comes first, is kept once, and ten are kept", () => {
  const [a, b] = [one("page", "a"), one("employee", "a")];
  expect(withChoice([a, b], b).map(keyOf)).toEqual(["employee:a", "page:a"]);
  const many = Array.from({ length: 12 }, (_, n) => one("page", String(n)));
  const kept = many.reduce<readonly Found[]>(withChoice, []);
  expect(kept.map(({ id }) => id)).toEqual(["11", "10", "9", "8", "7", "6", "5", "4", "3", "2"]);
});

it("Without a text the choices stand before the pages; with one, the three newest that fit stand before what was found", () => {
  const choices = [
    one("employee", "7", "李娜", "客服部"),
    one("page", "config", "参数配置"),
    one("department", "3", "李家部"),
    one("bulletin", "4", "李"),
    one("bulletin", "5", "李李"),
  ];
  const page = [one("page", "config", "参数配置"), one("page", "dict", "字典管理")];
  expect(shown("", choices, { page })).toEqual([
    ["recent", ...choices.map(keyOf)],
    ["page", "page:dict"],
  ]);
  const employee = [one("employee", "7", "李娜", "安保部"), one("employee", "8", "李四")];
  expect(shown("李", choices, { employee })).toEqual([
    ["recent", "employee:7", "department:3", "bulletin:4"],
    ["employee", "employee:8"],
  ]);
  // What was found now replaces what was kept of it.
  expect(shownGroups("李", choices, { employee })[0]?.found[0]?.detail).toBe("安保部");
  expect(shown("nothing", choices, {})).toEqual([]);
});

it("What is kept and is no list of choices is no choice", () => {
  expect(readChoices(null)).toEqual([]);
  expect(readChoices([{ group: "page" }])).toEqual([]);
  expect(readChoices([one("page", "a")])).toEqual([one("page", "a")]);
});
