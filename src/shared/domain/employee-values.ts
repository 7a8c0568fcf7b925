/**
 * The one place that normalises a text for a field of an employee and judges it. The check of an import, the server's writes, the form
 * and the REST calls all read by `readValue`, so a text is the same value everywhere (docs/import.md#one-writing).
 */
import {
  doubtInDay,
  type DayMeans,
  isUsualYear,
  dayOfOtherWeekday,
  readDay,
  wrongDay,
} from "./days.ts";
import { DEPARTMENT_MAX, EMAIL_MAX, type EmployeeRule } from "./employee-fields.ts";
import { doubtInName, tidyName, tidyText } from "./han-text.ts";
import { readPhone } from "./phones.ts";
import {
  asLine,
  isBare,
  plain,
  trimMarks,
  trimText,
  type Unfit,
  unfitSign,
  withLineFeeds,
} from "./text-marks.ts";
import { isDay, isIdNumber, readIdNumber } from "./validate.ts";

/** What is wrong with a text. `suggestion` is the text that was probably meant. */
export interface Wrong {
  readonly rule: string;
  readonly message: string;
  readonly suggestion?: string;
}
/** A note about a value that is taken: what was changed in its text, or what looks wrong with it. */
export interface Note {
  /** tidied, picked, marks or doubt. */
  readonly rule: string;
  readonly message: string;
  /** Further telephone numbers of the text, which are not taken. */
  readonly spare?: readonly string[];
}
export type Verdict = { readonly value: string; readonly note?: Note } | { readonly wrong: Wrong };

/** A rule whose values need no list of choices. */
export type ValueRule =
  | Exclude<EmployeeRule, { readonly type: "dict" }>
  | { readonly type: "number" };

export const good = (value: string, rule = "", messages: readonly string[] = []): Verdict =>
  messages.length === 0 ? { value } : { value, note: { rule, message: messages.join("；") } };
export const bad = (rule: string, message: string, suggestion?: string): Verdict => ({
  wrong: { rule, message, ...(suggestion === undefined ? {} : { suggestion }) },
});

/** As the schemas of the wire have it (z.email). */
const EMAIL =
  /^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;
const NUMBER = /^[+-]?(\d{1,15}(\.\d{1,10})?|\.\d{1,10})$/;

const UNFIT: Readonly<Record<Unfit, string>> = {
  control: "含有看不见的控制字符，请删去",
  broken: "有字没有正确保存，请重新填写",
  lineBreak: "含有换行，请改为一行",
  bidi: "含有看不见的方向标记，请删去",
};

/**
 * A sign that belongs into no text of the field, such as a control character; null when there is none. `readValue` judges by it, and so
 * does who looks a text up among choices or departments.
 */
export function unfitValue(
  rule: ValueRule | { readonly type: "dict" },
  text: string,
): { readonly wrong: Wrong } | null {
  const line = rule.type === "department" || (rule.type === "text" && rule.form !== undefined);
  // Marks around a number are removed later, so they are harmless there.
  const said = rule.type === "text" && rule.form !== "code" ? text : trimMarks(text);
  const sign = unfitSign(said, line);
  if (sign === null) return null;
  const suggestion = line ? { suggestion: tidyName(asLine(text)).value } : {};
  return { wrong: { rule: "sign", message: UNFIT[sign], ...suggestion } };
}

/**
 * @param text not empty
 * @param today YYYY-MM-DD, to find days that can hardly be true; null: without such notes
 */
export function readValue(rule: ValueRule, text: string, today: string | null = null): Verdict {
  return unfitValue(rule, text) ?? readFit(rule, text, today);
}

function readFit(rule: ValueRule, text: string, today: string | null): Verdict {
  switch (rule.type) {
    case "text":
      return readText(rule, text);
    case "phone":
      return readPhoneText(text);
    case "idNumber":
      return readIdText(text, today);
    case "date":
      return readDayText(rule.means, text, today);
    case "email": {
      const said = plain(text).replace(/\s/g, "");
      return said.length <= EMAIL_MAX && EMAIL.test(said)
        ? good(said)
        : bad("email", "邮箱应写成 name@example.com 这样的形式");
    }
    case "number": {
      const said = plain(text).replace(/[,\s]/g, "");
      return NUMBER.test(said) ? good(said) : bad("number", "应为数字");
    }
    case "departmentId":
      return good(plain(text));
    case "department": {
      const { value, notes } = tidyText(trimText(text));
      return value.length > DEPARTMENT_MAX
        ? bad("length", `最多 ${DEPARTMENT_MAX} 个字`)
        : good(value, "tidied", notes);
    }
  }
}

function readText(
  { form, max }: Extract<EmployeeRule, { readonly type: "text" }>,
  text: string,
): Verdict {
  const isName = form === "line";
  // Most numbers of a list are bare. There is nothing to tidy in them.
  if (!isName && text.length <= max && isBare(text)) return { value: text };
  const { value, notes } = isName
    ? tidyName(text)
    : tidyText(form === "code" ? trimMarks(text) : withLineFeeds(trimText(text)));
  if (value.length > max) return bad("length", `最多 ${max} 个字，现在是 ${value.length} 个`);
  const doubt = isName ? doubtInName(value) : null;
  if (doubt === null) return good(value, "tidied", notes);
  return good(value, "marks", [...notes, doubt]);
}

function readPhoneText(text: string): Verdict {
  const read = readPhone(text);
  if ("wrong" in read) return bad("phone", read.wrong, read.meant);
  const { value, note, others } = read;
  if (note === null) return { value };
  const spare = others.length === 0 ? {} : { spare: others };
  return { value, note: { rule: "picked", message: note, ...spare } };
}

function readIdText(text: string, today: string | null): Verdict {
  const said = plain(text).replace(/[\s-]/g, "").toUpperCase();
  if (isIdNumber(said)) {
    if (today === null || isUsualYear(said.slice(6, 10), today)) return { value: said };
    return goodDay(readIdNumber(said).birthday, "birth", today, said);
  }
  if (said.length !== 18) return bad("idNumber", `身份证号应为 18 位，现在是 ${said.length} 位`);
  if (!/^\d{17}[\dX]$/.test(said)) return bad("idNumber", "身份证号应为 17 位数字加 1 位数字或 X");
  if (!isDay(`${said.slice(6, 10)}-${said.slice(10, 12)}-${said.slice(12, 14)}`)) {
    return bad("idNumber", "身份证号中的出生日期不存在");
  }
  return bad("idNumber", "身份证号的校验位不对，请核对每一位数字");
}

function readDayText(means: DayMeans | undefined, text: string, today: string | null): Verdict {
  const day = readDay(text);
  if (day !== null) return goodDay(day, means, today);
  const other = dayOfOtherWeekday(text);
  return other === null
    ? bad("date", wrongDay(text))
    : bad("date", "日期与写明的星期不符，请核对", other);
}

/** A day, and what speaks against it. @param value of the field, if it is not the day itself */
export function goodDay(
  day: string,
  means: DayMeans | undefined,
  today: string | null,
  value = day,
): Verdict {
  const doubt = means === undefined || today === null ? null : doubtInDay(day, means, today);
  return doubt === null ? { value } : { value, note: { rule: "doubt", message: doubt } };
}

/** The value of a text that passes; a text that does not stays as it is, so that a schema refuses it. For schemas. */
export function valueOr(rule: ValueRule, text: string): string {
  const read = readValue(rule, text);
  return "value" in read ? read.value : text;
}
