/**
 * Converts a cell's text to a field's value, or says what is wrong and suggests a correction. The verdict depends only on the
 * arguments, so callers may cache it per text.
 */
import type { ImportContext } from "../protocol/rest/imports.ts";
import type { ImportRule } from "./import-fields.ts";
import { isSameAsAbove } from "./above.ts";
import { nearest } from "./nearest.ts";
import { isPicture } from "./pictures.ts";
import { readSerial } from "./serials.ts";
import {
  asLine,
  isBare,
  trimMarks,
  trimText,
  type Unfit,
  unfitSign,
  withoutMarks,
} from "./text-marks.ts";
import { isDay, isIdNumber, isPhone } from "./validate.ts";
import { isWeekday, splitWeekday } from "./weekdays.ts";

export interface Wrong {
  readonly rule: string;
  readonly message: string;
  readonly suggestion?: string;
}
export type Verdict = { readonly value: string } | { readonly wrong: Wrong };

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

const good = (value: string): Verdict => ({ value });
const bad = (rule: string, message: string, suggestion?: string): Verdict => ({
  wrong: { rule, message, ...(suggestion === undefined ? {} : { suggestion }) },
});

/** Converts full-width characters to ASCII, and removes invisible marks and outer spaces. */
export const plain = (text: string): string =>
  isBare(text)
    ? text
    : withoutMarks(text)
        .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
        .replace(/[\u3000\u00a0\u2000-\u200a]/g, " ")
        .trim();

const DAY_MS = 86_400_000;
const two = (n: number): string => String(n).padStart(2, "0");
const dayOf = (year: number, month: number, day: number): string | null => {
  const found = `${year}-${two(month)}-${two(day)}`;
  return isDay(found) ? found : null;
};

/** Parses a day in any usual notation. @returns YYYY-MM-DD; null when it is none, or not on the day of the week that it names */
export function readDay(text: string): string | null {
  const { text: bare, weekday } = splitWeekday(plain(text));
  const day = readBareDay(bare);
  return day === null || weekday === null || isWeekday(day, weekday) ? day : null;
}

function readBareDay(text: string): string | null {
  const said = text.replace(/[T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?.*$/, "");
  const parts =
    /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?$/.exec(said) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(said);
  if (parts === null) return null;
  return dayOf(Number(parts[1]), Number(parts[2]), Number(parts[3]));
}

/** Converts a serial number to a day; null outside 1900 to 2199. */
export function serialDay(serial: number, date1904: boolean): string | null {
  if (!Number.isFinite(serial) || serial < 1 || serial > 110_000) return null;
  let { days } = readSerial(serial);
  if (date1904) days += 1462;
  else if (days < 61) days += 1;
  const at = new Date(Date.UTC(1899, 11, 30) + days * DAY_MS);
  return dayOf(at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate());
}

const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9-]+)*\.[a-zA-Z]{2,}$/;
const NUMBER = /^[+-]?(\d{1,15}(\.\d{1,10})?|\.\d{1,10})$/;
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
  const line = rule.type === "department" || (rule.type === "text" && rule.form !== undefined);
  // marks around a number are removed later, so they are harmless there
  const said = rule.type === "text" && rule.form !== "code" ? text : trimMarks(text);
  const sign = unfitSign(said, line);
  if (sign !== null) return bad("sign", UNFIT[sign], line ? asLine(text) : undefined);
  if (isText && kind !== "written" && EXPONENT.test(plain(text))) {
    return bad(
      "exponent",
      "像是被表格软件改成科学计数法的数字，请填写完整的内容",
      kind === "number" ? facts.digits : undefined,
    );
  }
  return null;
}
const UNFIT: Readonly<Record<Unfit, string>> = {
  control: "含有看不见的控制字符，请删去",
  broken: "有字没有正确保存，请重新填写",
  lineBreak: "含有换行，请改为一行",
  bidi: "含有看不见的方向标记，请删去",
};

/** Checks the shown text first, then the digits behind it if the format only groups them. */
function phoneCell(text: string, { digits }: CellFacts): Verdict {
  const shown = phone(text);
  if ("value" in shown || digits === undefined) return shown;
  return text.replace(/\D/g, "") === digits ? phone(digits) : shown;
}

function phone(text: string): Verdict {
  const digits = plain(text).replace(/^(\+?86[-\s]?)(?=1\d{10}$|1[\d\s-]{10,}$)/, "");
  const bare = digits.replace(/[\s-]/g, "");
  if (/^1[3-9]\d{9}$/.test(bare)) return good(bare);
  const land = digits.replace(/[()（）\s]/g, "");
  if (isPhone(land)) return good(land);
  if (/^\d+$/.test(bare) && bare.startsWith("1")) {
    return bad("phone", `手机号应为 11 位数字，现在是 ${bare.length} 位`);
  }
  return bad("phone", "电话应为 11 位手机号，或带区号的座机号（如 021-12345678）");
}

function idNumber(text: string, facts: CellFacts): Verdict {
  if (hasLostDigits(facts)) {
    return bad(
      "idNumber",
      "身份证号在表格里被存成了数字，末尾几位已丢失；请把该列设为文本格式后重新填写",
    );
  }
  const said = plain(text).replace(/[\s-]/g, "").toUpperCase();
  if (isIdNumber(said)) return good(said);
  if (said.length !== 18) return bad("idNumber", `身份证号应为 18 位，现在是 ${said.length} 位`);
  if (!/^\d{17}[\dX]$/.test(said)) return bad("idNumber", "身份证号应为 17 位数字加 1 位数字或 X");
  if (!isDay(`${said.slice(6, 10)}-${said.slice(10, 12)}-${said.slice(12, 14)}`)) {
    return bad("idNumber", "身份证号中的出生日期不存在");
  }
  return bad("idNumber", "身份证号的校验位不对，请核对每一位数字");
}

function date(text: string, facts: CellFacts): Verdict {
  if (facts.kind === "number" || facts.kind === "date") {
    const serial = facts.number;
    if (serial !== undefined && facts.kind === "date") {
      const day = serialDay(serial, facts.date1904 === true);
      if (day !== null) return good(day);
    }
  }
  const day = readDay(text) ?? readDay(facts.digits ?? "");
  if (day !== null) return good(day);
  if (facts.kind === "number" && facts.number !== undefined) {
    // a plain number in a date column: suggest the day it would mean, but do not assume it
    const meant = serialDay(facts.number, facts.date1904 === true);
    return meant === null
      ? bad("date", "日期应写成 2024-01-31 这样的形式")
      : bad("date", "这里是数字而不是日期，请改为 2024-01-31 这样的形式", meant);
  }
  const bare = splitWeekday(plain(text));
  const other = bare.weekday === null ? null : readDay(bare.text);
  if (other !== null) return bad("date", "日期与写明的星期不符，请核对", other);
  return /^\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}/.test(plain(text))
    ? bad("date", "没有这一天，请核对年月日")
    : bad("date", "日期应写成 2024-01-31 这样的形式");
}

interface Choices {
  readonly byText: ReadonlyMap<string, string>;
  readonly labels: readonly string[];
}

/** Creates the rules for one company. Verdicts are not cached here. */
export function createRules(context: Pick<ImportContext, "dictionaries" | "departments">) {
  const made = new Map<ImportRule, Choices>();
  const key = (text: string): string => plain(text).toLowerCase();

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

  const departments = new Map<string, string>();
  const twice = new Set<string>();
  for (const { id, name } of context.departments) {
    departments.set(key(name), id);
    const last = key(name.split("/").at(-1) ?? name);
    if (departments.has(last) && departments.get(last) !== id) twice.add(last);
    else departments.set(last, id);
  }
  const departmentNames = context.departments.map(({ name }) => name);
  const leaves = [...new Set(departmentNames.map((name) => name.split("/").at(-1) ?? name))];

  const choose = (rule: string, what: string, text: string, choices: Choices): Verdict => {
    const found = choices.byText.get(key(text));
    if (found !== undefined) return good(found);
    const meant = nearest(text, choices.labels);
    const some = choices.labels.slice(0, 6).join("、");
    return bad(
      rule,
      `${what}中没有“${text}”，可填：${some}${choices.labels.length > 6 ? "…" : ""}`,
      meant,
    );
  };

  return {
    /** Whether department names can be converted to ids. */
    hasDepartments: context.departments.length > 0,
    /** @param text not empty */
    judge(rule: ImportRule, text: string, facts: CellFacts = TEXT): Verdict {
      const wrong = unfit(rule, text, facts);
      if (wrong !== null) return wrong;
      switch (rule.type) {
        case "text": {
          const said = rule.form === "code" ? trimMarks(text) : trimText(text);
          return said.length > rule.max
            ? bad("length", `最多 ${rule.max} 个字，现在是 ${said.length} 个`)
            : good(said);
        }
        case "phone":
          return phoneCell(text, facts);
        case "idNumber":
          return idNumber(text, facts);
        case "date":
          return date(text, facts);
        case "email": {
          const said = plain(text).replace(/\s/g, "");
          return said.length <= 100 && EMAIL.test(said)
            ? good(said)
            : bad("email", "邮箱应写成 name@example.com 这样的形式");
        }
        case "number": {
          const said = facts.digits ?? plain(text).replace(/[,\s]/g, "");
          return NUMBER.test(said) ? good(said) : bad("number", "应为数字");
        }
        case "dict": {
          const shown = choose("dict", "选项", plain(text), dictionary(rule));
          if ("value" in shown || facts.digits === undefined) return shown;
          const meant = choose("dict", "选项", facts.digits, dictionary(rule));
          return "value" in meant ? meant : shown;
        }
        case "departmentId":
          return good(plain(text));
        case "department": {
          const said = trimText(text);
          if (departments.size === 0) {
            return said.length > 100 ? bad("length", "最多 100 个字") : good(said);
          }
          if (twice.has(key(said))) {
            return bad("department", `有多个部门叫“${said}”，请写出上级部门，如“总部/${said}”`);
          }
          const found = departments.get(key(said));
          if (found !== undefined) return good(found);
          return bad("department", `没有名为“${said}”的部门`, nearest(said, leaves));
        }
      }
    },
  };
}
export type Rules = ReturnType<typeof createRules>;
