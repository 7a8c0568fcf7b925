import { expect, it } from "vitest";
import { mayOpen, type SearchNeeds, searchSources } from "./search-sources.ts";

const ALL = ["/supplier/employees", "/im/people", "/system/dept", "/system/dict", "/im/conference"];

function setUp(over: Partial<SearchNeeds> & { readonly pages?: readonly string[] } = {}) {
  const asked: { readonly call: string; readonly query?: unknown }[] = [];
  const answers: Readonly<Record<string, unknown>> = {
    "employees.list": {
      records: [
        { id: "7", name: "李娜", department: "客服部", position: "专员", userName: "lina" },
        { id: "8", name: "李四", department: null, position: null, userName: null },
      ],
    },
    "departments.tree": [
      { id: "1", parentId: null, name: "总部" },
      { id: "2", parentId: "1", name: "安保部" },
    ],
    "dict.types": { records: [{ id: "3", dictName: "性别", dictType: "gender" }] },
    "conferences.open": {
      conferences: [
        { confrId: "123456789", name: "周会", members: 3 },
        { confrId: "987654321", name: "晨会", members: 1 },
      ],
    },
    "bulletins.top": {
      records: [
        {
          noticeId: "4",
          noticeTitle: "停水",
          createBy: "管理员",
          publishTime: "2026-01-02T03:04:05Z",
        },
      ],
    },
  };
  const { pages = ALL, ...rest } = over;
  const needs: SearchNeeds = {
    rest: {
      call: (input: { call: string }) => {
        asked.push(input);
        return Promise.resolve(answers[input.call]);
      },
    } as unknown as SearchNeeds["rest"],
    may: () => true,
    has: (path) => pages.includes(path),
    isStaff: true,
    people: (count) => `${count} 人`,
    ...rest,
  };
  const sources = searchSources(needs);
  const ask = async (group: string, word: string) =>
    (await sources.find((one) => one.group === group)?.ask(word))?.map(
      ({ title, detail, to, chat }) => [title, detail, to, chat],
    );
  return { needs, asked, ask, groups: sources.map(({ group }) => group) };
}

it("Each group is asked of who may read it, and of nobody else", () => {
  expect(setUp().groups).toEqual([
    "employee",
    "department",
    "dictionary",
    "conference",
    "bulletin",
  ]);
  // staff without the pages of an administrator
  const staff = setUp({ may: () => false, pages: ["/im/people", "/im/conference"] });
  expect(staff.groups).toEqual(["employee", "conference", "bulletin"]);
  expect(setUp({ isStaff: false, may: () => false, pages: [] }).groups).toEqual([]);
  expect(setUp({ may: (call) => call !== "dict.types" }).groups).not.toContain("dictionary");
});

it("An employee opens in the list; who has none talks to those with an account", async () => {
  const admin = setUp();
  expect(await admin.ask("employee", "李")).toEqual([
    ["李娜", "客服部 · 专员", "/supplier/employees?row=7", "/im/people?chat=lina"],
    ["李四", "", "/supplier/employees?row=8", null],
  ]);
  expect(admin.asked).toEqual([
    { call: "employees.list", query: { keyword: "李", limit: 8, searchCount: false } },
  ]);
  expect(await setUp({ pages: ["/im/people"] }).ask("employee", "李")).toEqual([
    ["李娜", "客服部 · 专员", "/im/people?chat=lina", "/im/people?chat=lina"],
  ]);
});

it("Departments stand below their parents; dictionaries are found by name and type; conferences by name and number", async () => {
  const { ask, asked } = setUp();
  const name = encodeURIComponent("安保部");
  expect(await ask("department", "安保")).toEqual([
    ["安保部", "总部", `/system/dept?name=${name}`, null],
  ]);
  expect(await setUp({ pages: ["/supplier/employees"] }).ask("department", "安保")).toEqual([
    ["安保部", "总部", "/supplier/employees?departmentId=2", null],
  ]);
  expect(await ask("dictionary", "gender")).toEqual([
    ["性别", "gender", "/dict/type/data/3", null],
  ]);
  expect(asked.filter(({ call }) => call === "dict.types")).toHaveLength(2);
  expect(await ask("conference", "123 456")).toEqual([
    ["周会", "123 456 789 · 3 人", "/im/conference?id=123456789", null],
  ]);
  expect((await ask("conference", "晨"))?.length).toBe(1);
  expect(await ask("bulletin", "停")).toEqual([["停水", "管理员 · 2026-01-02", null, null]]);
});

it("What was opened before is offered while its page is among the person's", () => {
  const { needs } = setUp({ may: () => false, isStaff: false, pages: ["/im/people"] });
  const found = { id: "1", title: "", detail: "", external: false, chat: null } as const;
  expect(mayOpen({ ...found, group: "employee", to: "/im/people?chat=lina" }, needs)).toBe(true);
  expect(mayOpen({ ...found, group: "employee", to: "/supplier/employees?row=1" }, needs)).toBe(
    false,
  );
  expect(mayOpen({ ...found, group: "dictionary", to: "/dict/type/data/3" }, needs)).toBe(false);
  expect(mayOpen({ ...found, group: "bulletin", to: null }, needs)).toBe(false);
});
