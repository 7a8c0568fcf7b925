import { expect, it } from "vitest";
import { filterGroupSchema } from "../../../shared/protocol/rest/filter.ts";
import {
  type AdvancedField,
  checkDraft,
  countRules,
  createDraftMaker,
  OPERATORS,
  replacePart,
} from "./advanced.ts";

const FIELDS: readonly AdvancedField[] = [
  { key: "name", label: "姓名", type: "text" },
  { key: "hireDate", label: "入职日期", type: "date" },
  { key: "custom.grade", label: "等级", type: "number" },
];
const [name, hireDate, grade] = FIELDS as [AdvancedField, AdvancedField, AdvancedField];

it("A draft becomes the filter that it was made from", () => {
  const filter = filterGroupSchema.parse({
    logic: "and",
    rules: [
      { field: "name", op: "contains", value: "李" },
      {
        logic: "or",
        rules: [
          { field: "hireDate", op: "between", value: ["2024-01-01", "2024-12-31"] },
          { field: "name", op: "in", value: ["甲", "乙"] },
          { field: "custom.grade", op: "isEmpty" },
        ],
      },
    ],
  });
  expect(checkDraft(createDraftMaker().from(filter), FIELDS)).toEqual({
    filter,
    wrong: new Map(),
    whole: null,
  });
  expect(countRules(filter)).toBe(4);
});

it("A condition that is wrong is named by its id", () => {
  const make = createDraftMaker();
  const rules = [
    make.rule(name),
    { ...make.rule(hireDate), op: "gt" as const, value: "2024-02-30" },
    { ...make.rule(grade), op: "lt" as const, value: "many" },
    { ...make.rule(grade), op: "between" as const, value: "10", end: "9" },
    { ...make.rule(name), op: "in" as const, value: " , ，" },
    { ...make.rule(name), op: "isEmpty" as const },
  ];
  const { wrong } = checkDraft(make.group("and", rules), FIELDS);
  expect(rules.map(({ id }) => wrong.get(id))).toEqual([
    "missing",
    "date",
    "number",
    "order",
    "missing",
    undefined,
  ]);
});

it("A group without conditions is left out, and a draft without any is no filter", () => {
  const make = createDraftMaker();
  expect(checkDraft(make.group("and", [make.group("or", [])]), FIELDS).filter).toBeNull();
});

it("Too many conditions, and a filter too long for an address, are refused as a whole", () => {
  const make = createDraftMaker();
  const many = (count: number, value: string) =>
    checkDraft(
      make.group(
        "and",
        Array.from({ length: count }, () => ({ ...make.rule(name), value })),
      ),
      FIELDS,
    ).whole;
  expect([many(50, "a"), many(51, "a"), many(40, "长".repeat(100))]).toEqual([
    null,
    "many",
    "long",
  ]);
});

it("A part is replaced or removed wherever it is", () => {
  const make = createDraftMaker();
  const inner = make.rule(name);
  const draft = make.group("and", [make.group("or", [inner])]);
  const changed = replacePart(draft, inner.id, { ...inner, value: "王" });
  expect(checkDraft(changed, FIELDS).filter).toEqual({
    logic: "and",
    rules: [{ logic: "or", rules: [{ field: "name", op: "contains", value: "王" }] }],
  });
  expect(checkDraft(replacePart(draft, inner.id, null), FIELDS).filter).toBeNull();
});

it("Every type of field has operators that the server knows", () => {
  for (const operators of Object.values(OPERATORS)) {
    for (const op of operators) {
      expect(() =>
        filterGroupSchema.parse({ logic: "and", rules: [{ field: "a", op }] }),
      ).not.toThrow();
    }
  }
});
