import { expect, it } from "vitest";
import { type AuditFields, auditFieldsOf } from "../../../shared/domain/audit-fields.ts";
import { type RestCall, restCalls } from "../../../shared/protocol/rest/index.ts";
import { DOCUMENT_STATES } from "../../../shared/protocol/rest/documents.ts";
import type { z } from "../../../shared/zod.ts";
import { DOCUMENT_TEXTS } from "../documents/texts.ts";
import {
  auditedName,
  auditSummary,
  type AuditWording,
  auditWords,
  type NamedEntry,
  wordsOf,
} from "./audit-words.ts";

type Own = AuditWording["own"][number];
const wording: AuditWording = {
  language: "zh",
  labelOf: (dict, value) => `${dict}:${value}`,
  permission: (name) => `<${name}>`,
  own: [{ key: "badge", label: "证章", type: "text", dictType: null } as Own],
  yes: "是",
  no: "否",
  removedField: "已删除的自定义字段",
};
const entry = (part: Partial<NamedEntry>): NamedEntry => ({
  entity: "employee",
  entityId: "7",
  before: null,
  after: null,
  names: {},
  ...part,
});
const lines = (part: Partial<NamedEntry>, language: "zh" | "en" = "zh") =>
  auditWords(entry(part), { ...wording, language }).map(
    ({ label, kind, from, to }) => `${label} ${kind} ${from ?? "–"} > ${to ?? "–"}`,
  );

it("The state of a document has the words of its page", () => {
  const decided = {
    entity: "inaugural-document",
    before: { status: "handed" },
    after: { status: "accepted" },
  };
  expect(lines(decided)).toEqual(["状态 change 待审核 > 已通过"]);
  for (const state of DOCUMENT_STATES) {
    const [zh, en] = DOCUMENT_TEXTS[state];
    const said = { entity: "inaugural-document", after: { status: state } };
    expect(lines(said)).toEqual([`状态 value – > ${zh}`]);
    expect(lines(said, "en")).toEqual([`State value – > ${en}`]);
  }
});

it("A change of an employee has the labels of the form, labels of dictionaries and names, in both languages", () => {
  const change = {
    before: {
      gender: "1",
      position: "保安",
      accountId: null,
      departmentId: "3",
      department: "一部",
    },
    after: { gender: "2", position: "队长", accountId: "5", departmentId: "4", department: "二部" },
    names: { "account:5": "李娜" },
  };
  expect(lines(change)).toEqual([
    "性别 change gender:1 > gender:2",
    "部门 change 一部 > 二部",
    "岗位 change 保安 > 队长",
    "账号 change – > 李娜",
  ]);
  expect(lines(change, "en")[2]).toBe("Position change 保安 > 队长");
  // without a name of the department its id leads to one; one that nobody knows is a number
  const ids = { before: { departmentId: "3" }, after: { departmentId: "4" } };
  expect(lines({ ...ids, names: { "department:3": "一部" } })).toEqual(["部门 change 一部 > #4"]);
});

it("What was created or deleted has one side, without what is empty", () => {
  expect(lines({ after: { name: "王一", phone: null, custom: {}, remark: "" } })).toEqual([
    "姓名 value – > 王一",
  ]);
  expect(lines({ entity: "own-field", before: { label: "证章", required: false } })).toEqual([
    "字段名称 value 证章 > –",
    "必填 value 否 > –",
  ]);
});

it("Own fields have the company's labels; one that was removed says so; what is hidden is one text", () => {
  expect(
    lines({ before: { custom: { badge: "A", fx: 1 } }, after: { custom: { badge: "B" } } }),
  ).toEqual(["证章 change A > B", "已删除的自定义字段 change 1 > –"]);
  expect(lines({ before: { custom: "•••" }, after: { custom: {} } })).toEqual([
    "自定义字段 change ••• > –",
  ]);
});

it("Settings of fields name the fields in both languages, also own ones and those that are gone", () => {
  const change = {
    entity: "employee-fields",
    before: { unused: ["gender"], required: ["name"], order: ["name", "gender"] },
    after: { unused: [], required: ["name", "custom.badge"], order: ["gender", "name"] },
  };
  expect(lines(change)).toEqual([
    "不使用的字段 lists 性别 > –",
    "必填字段 lists – > 证章",
    "字段顺序 change 姓名、性别 > 性别、姓名",
  ]);
  expect(lines(change, "en")[0]).toBe("Fields not in use lists Gender > –");
  expect(
    lines({ entity: "company-fields", after: { unused: ["legalPerson", "custom.gone"] } }),
  ).toEqual(["不使用的字段 value – > 法定代表人、已删除的自定义字段"]);
});

it("Of two lists only the differences are shown; an order is shown as a whole", () => {
  const names = { "menu:1": { zh: "监控", en: "Monitor" }, "menu:2": "员工", "menu:3": "会议" };
  const before = { menuIds: ["1", "2"] };
  const after = { menuIds: ["2", "3"] };
  expect(lines({ entity: "role-menus", before, after, names })).toEqual([
    "菜单权限 lists 监控 > 会议",
  ]);
  expect(lines({ entity: "role-menus", before, after, names }, "en")).toEqual([
    "Menus lists Monitor > 会议",
  ]);
  expect(
    lines({
      entity: "department",
      before: { order: ["1", "2"] },
      after: { order: ["2", "1"] },
      names: { "department:1": "一部", "department:2": "二部" },
    }),
  ).toEqual(["顺序 change 一部、二部 > 二部、一部"]);
  expect(
    lines({ entity: "role", before: { permissions: ["a", "b"] }, after: { permissions: ["b"] } }),
  ).toEqual(["操作权限 lists <a> > –"]);
  // Menus and permissions of a role that were saved at once.
  expect(
    lines({
      entity: "role",
      before: { permissions: [], ...before },
      after: { permissions: ["a"], ...after },
      names,
    }),
  ).toEqual(["操作权限 lists – > <a>", "菜单权限 lists 监控 > 会议"]);
});

it("Choices, sizes, times, formatted texts and yes or no are shown as people read them", () => {
  expect(lines({ entity: "bulletin", after: { type: "2", published: true } })).toEqual([
    "类型 value – > 公告",
    "已发布 value – > 是",
  ]);
  const content = { content: "<p>明天&nbsp;停水</p><p>1 &lt; 2 &amp;amp;</p>" };
  expect(lines({ entity: "bulletin", after: content })).toEqual([
    "内容 value – > 明天 停水 1 < 2 &amp;",
  ]);
  expect(lines({ entity: "file", after: { originalName: "a.pdf", size: 2048 } })).toEqual([
    "文件名 value – > a.pdf",
    "大小 value – > 2 KB",
  ]);
  expect(lines({ after: { dimissionAt: "2026-01-02T03:04:05.000Z" } })[0]).toMatch(
    /^离职时间 value – > 2026-01-0\d \d{2}:\d{2}:05$/,
  );
});

it("A part of an import says whom it created and what it changed of whom", () => {
  const part = {
    entity: "import-chunk",
    entityId: "1/0",
    before: { changed: [["8", { position: "保安" }]] },
    after: { created: ["9"], refused: 2, changed: [["8", { position: "队长" }]] },
    names: { "employee:8": "王一", "employee:9": "李二" },
  };
  expect(lines(part)).toEqual([
    "新增员工 value – > 李二",
    "未导入行数 value – > 2",
    "王一 · 岗位 change 保安 > 队长",
  ]);
});

it("An entry that no table knows says something readable", () => {
  const unknown = {
    entity: "parking-lot",
    before: { maxSpaces: 3, open: true },
    after: {
      maxSpaces: 4,
      open: false,
      places: [{ floorNo: 1 }, "B2"],
      at: "2026-01-02T03:04:05Z",
    },
  };
  const [spaces, open, places, at] = lines(unknown);
  expect([spaces, open, places]).toEqual([
    "Max spaces change 3 > 4",
    "Open change 是 > 否",
    "Places change – > Floor no: 1、B2",
  ]);
  expect(at).toMatch(/^At change – > 2026-01-0\d /);
  expect(wordsOf("update-admin")).toBe("Update admin");
});

it("The name of the thing is the one that the server knows, else the id", () => {
  const names = { "employee:7": "王一", "menu:1": { zh: "监控", en: "Monitor" } };
  expect(auditedName(entry({ names }), "zh")).toBe("王一");
  expect(auditedName(entry({ entity: "menu", entityId: "1", names }), "en")).toBe("Monitor");
  expect(auditedName(entry({ entity: "constructor", entityId: "x1" }), "zh")).toBe("x1");
});

it("The summary is one line of the first changes, with short values", () => {
  const change = (
    key: string,
    kind: "value" | "change" | "lists",
    from: string | null,
    to: string | null,
  ) => ({ key, label: key, kind, from, to }) as const;
  expect(
    auditSummary(
      [
        change("a", "change", null, "x".repeat(30)),
        change("b", "lists", "去", "来"),
        change("c", "value", "旧", null),
        change("d", "value", "第四", null),
      ],
      "zh",
    ),
  ).toBe(`a：– → ${"x".repeat(24)}…；b：+ 来 − 去；c：旧`);
});

it("Each thing that a call declares has labels for the fields of the call", () => {
  const declared = Object.values(restCalls).filter((call) => "audits" in call);
  expect(declared.length).toBeGreaterThan(0);
  for (const call of declared as readonly RestCall[]) {
    const [entity = ""] = Object.keys(call.audits ?? {});
    // The audit names what ids point to: `departments` for `departmentIds`.
    const keys = Object.keys((call.body as z.ZodObject).shape).map((key) =>
      key.replace(/Ids$/, "s"),
    );
    expect([entity, keys.filter((key) => !(key in auditFieldsOf(entity)))]).toEqual([entity, []]);
  }
});

it("Each field of the forms has a label", () => {
  const { shape: profile } = restCalls.companyProfileUpdate.body;
  const forms: Readonly<Record<string, object>> = {
    config: restCalls.configCreate.body.shape,
    "dict-data": restCalls.dictUpdate.body.shape,
    "dict-type": restCalls.dictTypeCreate.body.shape,
    employee: restCalls.employeeCreate.body.shape,
    "own-field": restCalls.ownFieldCreate.body.shape,
    role: restCalls.roleCreate.body.shape,
    department: restCalls.departmentCreate.body.shape,
    "company-profile": profile,
  };
  const NOT_RECORDED = new Set(["id", "version", "applyId"]);
  for (const [entity, shape] of Object.entries(forms)) {
    const fields: AuditFields = auditFieldsOf(entity);
    const missing = Object.keys(shape).filter(
      (key) => !NOT_RECORDED.has(key) && !Object.hasOwn(fields, key),
    );
    expect([entity, missing]).toEqual([entity, []]);
  }
});
