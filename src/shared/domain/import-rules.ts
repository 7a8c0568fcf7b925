/**
 * Converts a cell's text to a field's value, or says what is wrong and suggests a correction. The verdict depends only on the
 * arguments, so callers may cache it per text.
 */
import type { ImportContext } from "../protocol/rest/imports.ts";
import { isSameAsAbove } from "./above.ts";
import { readDay, serialDay } from "./days.ts";
import {
  createDepartmentFinder,
  type FoundDepartment,
  type MissingDepartment,
  wrongDepartment,
} from "./department-finder.ts";
import { bad, good, goodDay, readValue, unfitValue, type Verdict } from "./employee-values.ts";
import { comparable, radicalNote } from "./han-text.ts";
import type { ImportRule } from "./import-fields.ts";
import { nearest } from "./nearest.ts";
import { isPicture } from "./pictures.ts";
import { plain, trimText } from "./text-marks.ts";

/** What the table knows about a cell besides its text. */
export interface CellFacts {
  /** written: typed during the check, in place of the file's text. error: an error value such as #N/A. */
  readonly kind: "text" | "written" | "number" | "date" | "error";
  /** The value of a number or day cell. */
  readonly number?: number;
  /** The digits of a number whose format displays it differently. */
  readonly digits?: string;
  /** Only a spreadsheet program can display the cell's format. */
  readonly unclear?: boolean;
  /** The file counts days from 1904 instead of 1900. */
  readonly date1904?: boolean;
}
const TEXT: CellFacts = { kind: "text" };

/** Numbers from this one on have lost digits, because spreadsheets keep 15. */
export const LOST_DIGITS = 1e15;
const hasLostDigits = ({ kind, number }: CellFacts): boolean =>
  kind === "number" && Math.abs(number ?? 0) >= LOST_DIGITS;
/** How spreadsheets write a number into a csv when its column is too narrow or it has more than 11 digits. */
const EXPONENT = /^[+-]?\d(?:\.\d+)?e[+-]\d{2,3}$/i;
const ERRORS = new Set(
  "#NULL! #DIV/0! #VALUE! #REF! #NAME? #NUM! #N/A #GETTING_DATA #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #UNKNOWN! #BUSY!".split(
    " ",
  ),
);

/** First character of every error value, half-width or full-width. */
const HASH = /[#\uff03]/;

/** Checks that apply to every field; null when they pass. */
function unfit(rule: ImportRule, text: string, facts: CellFacts): Verdict | null {
  const { kind } = facts;
  if (isPicture(text, kind === "error")) {
    return bad("picture", "单元格里是图片，不是文字，请改填文字");
  }
  if (kind === "text" && isSameAsAbove(text)) {
    const sign = text.trim();
    return bad("above", `“${sign}”要在核对列时选择按上一行填写，或在这里改为实际内容`);
  }
  if (
    kind === "error" ||
    (kind === "text" && HASH.test(text) && ERRORS.has(plain(text).toUpperCase()))
  ) {
    return bad("error", `单元格里是错误值 ${text.trim()}，请改为正确的内容`);
  }
  if (hasLostDigits(facts) && rule.type !== "idNumber" && rule.type !== "date") {
    return bad("digits", "数字超过 15 位，末尾几位在表格里已丢失；请把该列设为文本格式后重新填写");
  }
  const isText = rule.type === "text" || rule.type === "department";
  if (isText && facts.unclear === true) {
    return bad("shown", "单元格的数字格式无法照样读取，请在表格里改为文本");
  }
  const sign = unfitValue(rule, text);
  if (sign !== null) return sign;
  if (isText && kind !== "written" && EXPONENT.test(plain(text))) {
    return bad(
      "exponent",
      "像是被表格软件改成科学计数法的数字，请填写完整的内容",
      kind === "number" ? facts.digits : undefined,
    );
  }
  return null;
}
const LOST_ID = bad(
  "idNumber",
  "身份证号在表格里被存成了数字，末尾几位已丢失；请把该列设为文本格式后重新填写",
);

/** Checks the shown text first, then the digits behind it if the format only groups them. */
function phoneCell(text: string, { digits }: CellFacts): Verdict {
  const shown = readValue({ type: "phone" }, text);
  if ("value" in shown || digits === undefined) return shown;
  return text.replace(/\D/g, "") === digits ? readValue({ type: "phone" }, digits) : shown;
}

function dateCell(
  rule: Extract<ImportRule, { readonly type: "date" }>,
  text: string,
  facts: CellFacts,
  today: string | null,
): Verdict {
  const { kind, number: serial, digits = "", date1904 } = facts;
  if (kind === "date" && serial !== undefined) {
    const day = serialDay(serial, date1904 === true);
    if (day !== null) return goodDay(day, rule.means, today);
  }
  const shown = readValue(rule, text, today);
  if ("value" in shown) return shown;
  const day = readDay(digits);
  if (day !== null) return goodDay(day, rule.means, today);
  if (kind !== "number" || serial === undefined) return shown;
  // a plain number in a date column: suggest the day it would mean, but do not assume it
  const meant = serialDay(serial, date1904 === true);
  return meant === null
    ? shown
    : bad("date", "这里是数字而不是日期，请改为 2024-01-31 这样的形式", meant);
}

interface Choices {
  readonly byText: ReadonlyMap<string, string>;
  readonly labels: readonly string[];
}

/** Notes about a choice or department that was found in another writing. */
const notesOn = (text: string): string[] => {
  const radicals = radicalNote(text);
  if (radicals !== null) return [radicals];
  const said = plain(text).toLowerCase();
  return said === comparable(said) ? [] : ["已去掉汉字之间的空格"];
};
/** What is wrong names the radicals in a text, since a reader cannot see them. */
const withRadicals = (message: string, text: string): string => {
  const radicals = radicalNote(text);
  return radicals === null ? message : `${message}；${radicals}`;
};

/**
 * Creates the rules for one company. Verdicts are not cached here.
 *
 * @param today YYYY-MM-DD, to find days that can hardly be true; null: without such notes
 */
export function createRules(
  context: Pick<ImportContext, "dictionaries" | "departments" | "company">,
  today: string | null = null,
) {
  const made = new Map<ImportRule, Choices>();
  const key = (text: string): string => comparable(plain(text));

  const dictionary = (rule: Extract<ImportRule, { type: "dict" }>): Choices => {
    const known = made.get(rule);
    if (known !== undefined) return known;
    const entries = (context.dictionaries[rule.dict] ?? []).filter(
      ({ value }) => rule.without?.includes(value) !== true,
    );
    const choices = {
      byText: new Map(
        entries.flatMap(({ value, label }) => [[key(value), value] as const, [key(label), value]]),
      ),
      labels: entries.map(({ label }) => label),
    };
    made.set(rule, choices);
    return choices;
  };

  const hasDepartments = context.departments.length > 0;
  const finder = createDepartmentFinder(context.departments, context.company ?? null);
  const leaves = [
    ...new Set(context.departments.map(({ name }) => name.split("/").at(-1) ?? name)),
  ];

  /** The department below the parent that resembles the names. */
  const nearestBelow = (parent: string, names: readonly string[]): string | undefined => {
    const below = context.departments.flatMap(({ name }) =>
      name.startsWith(`${parent}/`) ? [name.slice(parent.length + 1)] : [],
    );
    const found = nearest(names.join("/"), below);
    return found === undefined ? undefined : `${parent}/${found}`;
  };

  const choose = (rule: string, what: string, text: string, choices: Choices): Verdict => {
    const found = choices.byText.get(key(text));
    if (found !== undefined) return good(found, "tidied", notesOn(text));
    const meant = nearest(text, choices.labels);
    const some = choices.labels.slice(0, 6).join("、");
    const message = `${what}中没有“${text}”，可填：${some}${choices.labels.length > 6 ? "…" : ""}`;
    return bad(rule, withRadicals(message, text), meant);
  };

  const department = (said: string, found: FoundDepartment): Verdict => {
    if ("id" in found) return good(found.id, "tidied", notesOn(said));
    const message = wrongDepartment(said, found);
    if ("twice" in found) return bad("department", message);
    const { parent, names } = found.missing;
    const meant = parent === "" ? nearest(said, leaves) : nearestBelow(parent, names);
    return bad("department", withRadicals(message, said), meant);
  };

  return {
    /** Whether department names can be converted to ids. */
    hasDepartments,
    /** The department that a text names although the company does not have it; null: it has, or the text names several. */
    missingDepartment(text: string): MissingDepartment | null {
      const found = hasDepartments ? finder.find(trimText(text)) : null;
      return found !== null && "missing" in found ? found.missing : null;
    },
    /** The label of a value of a dictionary; the value itself when it has none. */
    labelOf: (dict: string, value: string): string =>
      context.dictionaries[dict]?.find((entry) => entry.value === value)?.label ?? value,
    /** @param text not empty */
    judge(rule: ImportRule, text: string, facts: CellFacts = TEXT): Verdict {
      const wrong = unfit(rule, text, facts);
      if (wrong !== null) return wrong;
      switch (rule.type) {
        case "phone":
          return phoneCell(text, facts);
        case "idNumber":
          return hasLostDigits(facts) ? LOST_ID : readValue(rule, text, today);
        case "date":
          return dateCell(rule, text, facts, today);
        case "number":
          return readValue(rule, facts.digits ?? text);
        case "dict": {
          const shown = choose("dict", "选项", plain(text), dictionary(rule));
          if ("value" in shown || facts.digits === undefined) return shown;
          const meant = choose("dict", "选项", facts.digits, dictionary(rule));
          return "value" in meant ? meant : shown;
        }
        case "department": {
          const said = trimText(text);
          return hasDepartments ? department(said, finder.find(said)) : readValue(rule, text);
        }
        case "text":
        case "email":
        case "departmentId":
          return readValue(rule, text, today);
      }
    },
  };
}
export type Rules = ReturnType<typeof createRules>;
