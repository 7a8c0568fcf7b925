import { describe, expect, it } from "vitest";
import { candidatesOf, sectionsOf } from "./candidates.ts";

const contacts = [
  { userName: "lina", name: "李娜", avatar: "", department: "消防部" },
  { userName: "chen", name: "陈明", avatar: "", department: "安全部" },
  { userName: "sun", name: "孙丽", avatar: "", department: null },
];
const members = [
  { userName: "lina", name: "李娜" },
  { userName: "wang", name: "王芳" },
];

describe("People for a group call", () => {
  it("are the group's members first, then the others by department, and those without one last", () => {
    const all = candidatesOf(members, contacts, "", new Set());
    expect(
      sectionsOf(all, null).map(({ department, people }) => [
        department,
        people.map(({ userName }) => userName),
      ]),
    ).toEqual([
      [null, ["lina", "wang"]],
      ["安全部", ["chen"]],
      ["", ["sun"]],
    ]);
  });

  it("leave out who is inside, and members that a search does not fit", () => {
    const found = candidatesOf(members, contacts.slice(0, 1), "李", new Set(["chen"]));
    expect(found.map(({ userName }) => userName)).toEqual(["lina"]);
    expect(candidatesOf(members, contacts, "", new Set(["lina", "sun"]))).toMatchObject([
      { userName: "wang", member: true },
      { userName: "chen", member: false },
    ]);
  });

  it("are those of one department when it is chosen, members included", () => {
    const all = candidatesOf(members, contacts, "", new Set());
    expect(sectionsOf(all, "消防部")).toMatchObject([
      { department: null, people: [{ userName: "lina" }] },
    ]);
  });
});
