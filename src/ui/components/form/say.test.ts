import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "../../i18n/index.ts";
import { PICTURE_RULES } from "../upload/rules.ts";
import type { AnyField } from "./kinds.ts";
import { sayValue } from "./say.ts";
import type { FieldValue } from "./values.ts";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  await startI18n();
});
afterAll(() => vi.unstubAllGlobals());

const options = [
  { value: "a", label: "甲" },
  { value: "b", label: "乙" },
];
const nodes = [
  { value: "1", label: "总部", children: [{ value: "2", label: "班", children: [] }] },
];
const field = { key: "k", label: "L" };

it.each<readonly [string, AnyField, FieldValue, string]>([
  ["no text", field, " ", "（空）"],
  ["an option", { ...field, input: "select", options }, "b", "乙"],
  ["options", { ...field, input: "multi", options }, ["a", "x"], "甲、x"],
  ["no options", { ...field, input: "multi", options }, [], "（空）"],
  ["a node", { ...field, input: "tree", nodes }, "2", "班"],
  ["a switch", { ...field, input: "switch" }, false, "否"],
  ["a number", { ...field, input: "number" }, 0, "0"],
  [
    "days",
    { ...field, input: "range" },
    { from: "2026-01-01", to: "2026-01-02" },
    "2026-01-01 至 2026-01-02",
  ],
  ["files", { ...field, input: "files", rules: PICTURE_RULES }, ["x"], "1 个文件"],
  [
    "formatted text",
    { ...field, input: "rich" },
    '<p>甲 &amp; <b>乙</b></p><img data-file="x">',
    "甲 & 乙，1 张图片",
  ],
  ["a password", { ...field, input: "password" }, "secret", "（不显示）"],
  ["own words", { ...field, say: (value) => `«${value}»` }, "x", "«x»"],
  [
    "groups",
    {
      ...field,
      input: "groups",
      most: 2,
      fields: [field, { key: "on", label: "", input: "switch" }],
    },
    [
      { k: "早", on: true },
      { k: "晚", on: false },
    ],
    "早 · 是；晚 · 否",
  ],
])("A person reads %s", (_name, one, value, words) => {
  expect(sayValue(one, value, {})).toBe(words);
});
