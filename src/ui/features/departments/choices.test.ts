import { expect, it } from "vitest";
import { departmentTree, shownDepartments } from "./choices.ts";

const ROWS = [
  { id: "1", parentId: null, name: "总部" },
  { id: "2", parentId: "1", name: "甲组" },
  { id: "3", parentId: "2", name: "一班" },
  { id: "4", parentId: null, name: "工程部" },
];
const shown = (word: string, ...folded: string[]) =>
  shownDepartments(ROWS, word, new Set(folded)).map(({ row }) => row.name);

it("The tree to choose from has each department below its parent, without one and what is below it", () => {
  const leaf = (value: string, label: string) => ({ value, label, children: [] });
  expect(departmentTree(ROWS)).toEqual([
    {
      value: "1",
      label: "总部",
      children: [{ value: "2", label: "甲组", children: [leaf("3", "一班")] }],
    },
    leaf("4", "工程部"),
  ]);
  expect(departmentTree(ROWS, "2")).toEqual([leaf("1", "总部"), leaf("4", "工程部")]);
});

it("What is below a folded department is hidden, unless a search finds it", () => {
  expect(shown("")).toEqual(["总部", "甲组", "一班", "工程部"]);
  expect(shown("", "2")).toEqual(["总部", "甲组", "工程部"]);
  expect(shown("", "1")).toEqual(["总部", "工程部"]);
  expect(shown(" 一班", "1")).toEqual(["总部", "甲组", "一班"]);
  expect(shown("没有")).toEqual([]);
});
