/** A value of a form as a person reads it. */
import { textOf, texts } from "../../i18n/texts.ts";
import { optionsOf } from "./fields.ts";
import type { AnyField } from "./kinds.ts";
import { type FieldValue, isEmpty, type Values } from "./values.ts";

const TEXTS = texts({
  empty: ["（空）", "(empty)"],
  on: ["是", "Yes"],
  off: ["否", "No"],
  hidden: ["（不显示）", "(not shown)"],
  range: ["{{from}} 至 {{to}}", "{{from}} to {{to}}"],
  files: ["{{count}} 个文件", "{{count}} {count|file|files}"],
  pictures: ["，{{count}} 张图片", ", {{count}} {count|picture|pictures}"],
});
const SEPARATOR = "；";

/** The words of formatted text. */
function wordsOf(html: string): string {
  const pictures = html.match(/<img\b/g)?.length ?? 0;
  const words = html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&nbsp;/g, " ")
    .replaceAll(/&lt;/g, "<")
    .replaceAll(/&gt;/g, ">")
    .replaceAll(/&amp;/g, "&")
    .replaceAll(/\s+/g, " ")
    .trim();
  return words + (pictures === 0 ? "" : textOf(TEXTS, "pictures", { count: pictures }));
}

/** The page's own words. The kind of the field fits its value. */
const ownWords = (field: AnyField, value: FieldValue): string | undefined =>
  (field.say as ((value: FieldValue) => string) | undefined)?.(value);

/** @param values on which the options of the field may depend */
export function sayValue(field: AnyField, value: FieldValue | undefined, values: Values): string {
  if (value === undefined || isEmpty(value)) return textOf(TEXTS, "empty");
  const own = ownWords(field, value);
  if (own !== undefined) return own;
  const labelOf = (one: string): string =>
    optionsOf(field, values).find((option) => option.value === one)?.label ?? one;
  if (field.input === "password") return textOf(TEXTS, "hidden");
  if (field.input === "rich") return wordsOf(String(value));
  if (field.input === "files" && Array.isArray(value))
    return textOf(TEXTS, "files", { count: value.length });
  if (field.input === "groups" && Array.isArray(value)) {
    return (value as readonly Values[])
      .map((group) => field.fields.map((one) => sayValue(one, group[one.key], group)).join(" · "))
      .join(SEPARATOR);
  }
  if (typeof value === "boolean") return textOf(TEXTS, value ? "on" : "off");
  if (typeof value === "object" && value !== null)
    return "from" in value
      ? textOf(TEXTS, "range", value)
      : (value as readonly string[]).map(labelOf).join("、");
  return labelOf(String(value));
}
