/** Shows numbers and days by their format as a spreadsheet does: the number 12 in the format `00000` is the text 00012. */
import { readSerial } from "../../../shared/domain/serials.ts";
import { type FormatSign, type Section, sectionsOf } from "./format-code.ts";

/** How the cells of a style are kept. */
export const STYLE = {
  /** The number is shown unchanged. */
  plain: 0,
  /** A day with its year, or a time: shown as YYYY-MM-DD, HH:mm. */
  day: 1,
  /** A number that is shown by its format. */
  number: 2,
  /** A day or time without its year, or an elapsed time: shown by its format, but still a day. */
  partOfDay: 3,
  /** Added where a text is shown with more around it, or not at all. */
  text: 8,
} as const;
/** The part of a style that concerns numbers. */
export const OF_NUMBERS = 7;

const has = (section: Section | undefined, kind: FormatSign["kind"]): boolean =>
  section?.signs.some((sign) => sign.kind === kind) === true;

/** How cells with this format code are kept. */
export function styleOf(code: string): number {
  if (code === "" || /^(?:general|g\/通用格式|@)$/i.test(code)) return STYLE.plain;
  const [first] = sectionsOf(code);
  if (first === undefined) return STYLE.plain;
  if (!has(first, "date")) {
    const bare = first.signs.every(({ kind }) => kind === "general" || kind === "text");
    return bare && !code.includes(";") && first.signs.length === 1 ? STYLE.plain : STYLE.number;
  }
  const parts = first.signs.flatMap(({ kind, text }) => (kind === "date" ? [text[0]] : []));
  const elapsed = parts.includes("[");
  const day = parts.includes("d");
  const whole = parts.includes("y") || parts.includes("e") ? day : !day && parts.includes("h");
  return whole && !elapsed ? STYLE.day : STYLE.partOfDay;
}

/** The section for texts; undefined where texts stay as they are. */
function textSection(code: string): Section | undefined {
  const sections = sectionsOf(code);
  const last = sections.at(-1);
  return sections.length === 4 || has(last, "text") ? last : undefined;
}

/** STYLE.text if cells with this format code show a text in another way than it is, else 0. */
export function textStyleOf(code: string): number {
  if (code === "" || code === "@" || !/[@;]/.test(code)) return 0;
  const section = textSection(code);
  if (section === undefined) return 0;
  const shown = section.signs.filter(({ kind, text }) => kind !== "literal" || text.trim() !== "");
  return shown.length === 1 && shown[0]?.kind === "text" ? 0 : STYLE.text;
}

export type ShowText = (text: string) => string | null;

/** @returns a function that gives null where the text is hidden, or where only a spreadsheet can show it */
export function showTextBy(code: string): ShowText {
  const section = textSection(code);
  if (section === undefined) return (text) => text;
  const { signs } = section;
  const isClear = signs.every(({ kind }) => !["digit", "date", "general", "other"].includes(kind));
  return (text) => {
    const shown = signs.map((sign) => (sign.kind === "text" ? text : sign.text)).join("");
    return isClear && shown.trim() !== "" ? shown.trim() : null;
  };
}

export type ShowNumber = (n: number, date1904: boolean) => string | null;

/**
 * @returns a function that gives null where only a spreadsheet can show the value: fractions, days out of range, hidden contents
 */
export function showBy(code: string): ShowNumber {
  const sections = sectionsOf(code);
  return (n, date1904) => {
    const found = sectionFor(sections, n);
    if (found === null) return null;
    const { section, value } = found;
    if (has(section, "other") || isForeign(section)) return null;
    const shown = has(section, "date")
      ? showDay(section, value, date1904)
      : showNumber(section, value);
    return shown === null || shown.trim() === "" ? null : shown;
  };
}

/** The language of the names that this code knows: none said, or English. */
const ENGLISH: ReadonlySet<number> = new Set([0, 0x409, 0x809]);
/** Languages with Chinese names of days: those of the mainland and of Singapore. */
const CHINESE: ReadonlySet<number> = new Set([0, 0x804, 0x1004]);

/** Whether the section shows names, or years of an era, in a language that this code does not know. */
function isForeign({ signs, language }: Section): boolean {
  return signs.some(({ kind, text }) => {
    if (kind !== "date") return false;
    if (/^(?:mmm|ddd|am|a\/p)/.test(text)) return !ENGLISH.has(language);
    return /^[ae上]/.test(text) && !CHINESE.has(language) && !ENGLISH.has(language);
  });
}

function sectionFor(
  sections: readonly Section[],
  n: number,
): { readonly section: Section; readonly value: number } | null {
  const numbers = sections.slice(0, 3).filter((section) => !has(section, "text"));
  const [first, second, third] = numbers;
  if (first === undefined) return null;
  if (numbers.some(({ when }) => when !== null)) {
    const section =
      numbers.find(({ when }) => when !== null && when(n)) ??
      numbers.findLast(({ when }) => when === null);
    return section === undefined ? null : { section, value: n };
  }
  if (n < 0 && second !== undefined) return { section: second, value: -n };
  if (n === 0 && third !== undefined) return { section: third, value: n };
  return { section: first, value: n };
}

function showNumber({ signs }: Section, n: number): string | null {
  if (signs.some(({ kind }) => kind === "slash") && signs.some(({ kind }) => kind === "digit")) {
    return null;
  }
  if (signs.some(({ kind }) => kind === "general")) {
    const text = String(Number(Math.abs(n).toPrecision(11)));
    if (/e/.test(text)) return null;
    const body = signs.map((sign) => (sign.kind === "general" ? text : sign.text)).join("");
    return n < 0 ? `-${body}` : body;
  }
  const digits = signs.flatMap(({ kind }, i) => (kind === "digit" ? [i] : []));
  const [from, to] = [digits[0], digits.at(-1)];
  if (from === undefined || to === undefined) return signs.map(({ text }) => text).join("");
  const exponent = signs.findIndex(({ kind }) => kind === "exponent");
  const end = exponent < 0 ? signs.length : exponent;
  const point = signs.findIndex(({ kind }, i) => kind === "point" && i < end);
  const whole = digits.filter((i) => i < (point < 0 ? end : point));
  const part = point < 0 ? [] : digits.filter((i) => i > point && i < end);
  const commas = signs.flatMap(({ kind }, i) => (kind === "comma" ? [i] : []));
  const last = whole.at(-1) ?? -1;
  const grouped = commas.some((i) => i > from && i < last);
  const tailEnd = part.at(-1) ?? last;
  const scale = commas.filter((i) => (i > last && i < point) || (i > tailEnd && i < end)).length;
  const percent = signs.filter(({ kind }) => kind === "percent").length;
  let value = Math.abs(n);
  if (percent > 0 || scale > 0) value = shifted(value, 2 * percent - 3 * scale);
  let power = 0;
  if (exponent >= 0) {
    const step = Math.max(1, whole.length);
    power = value === 0 ? 0 : Math.floor(Math.log10(value) / step) * step;
    // Rounding can add a digit.
    const rounded = fixed(shifted(value, -power), part.length);
    if (rounded.split(".")[0]!.length > step) power += step;
    value = shifted(value, -power);
  }
  const [head = "0", tail = ""] = fixed(value, part.length).split(".");
  const zero = Number(head) === 0 && Number(tail) === 0;
  const shownHead = fillHead(signs, whole, head, grouped);
  const shownTail = fillTail(signs, part, tail);
  let text = "";
  for (const [i, sign] of signs.entries()) {
    const at = whole.indexOf(i);
    if (at >= 0) text += shownHead[at];
    else if (part.includes(i)) text += shownTail[part.indexOf(i)];
    else if (i === point) text += (whole.length === 0 ? (Number(head) > 0 ? head : "") : "") + ".";
    else if (sign.kind === "exponent") {
      const least = digits.filter((k) => k > i).length;
      const mark = power < 0 ? "-" : sign.text === "E+" ? "+" : "";
      text += `E${mark}${String(Math.abs(power)).padStart(least, "0")}`;
    } else if (sign.kind === "digit" || sign.kind === "comma") continue;
    else text += sign.text;
  }
  return n < 0 && !zero ? `-${text}` : text;
}

/** Multiplies by a power of ten through the decimal text, so that 0.29 times 100 is exactly 29. */
function shifted(value: number, power: number): number {
  const [digits, exponent = "0"] = String(Number(value.toPrecision(15))).split("e");
  return Number(`${digits}e${Number(exponent) + power}`);
}

/** Rounds the 15 digits that a spreadsheet keeps, halves away from zero. */
function fixed(value: number, places: number): string {
  const text = String(Number(value.toPrecision(15)));
  if (/e/.test(text)) return value.toFixed(Math.min(places, 20));
  const rounded = Math.round(Number(`${text}e${places}`));
  return rounded > Number.MAX_SAFE_INTEGER
    ? value.toFixed(places)
    : Number(`${rounded}e-${places}`).toFixed(places);
}

/** What each placeholder before the point shows. The first one shows all digits that have no placeholder. */
function fillHead(
  signs: readonly FormatSign[],
  places: readonly number[],
  head: string,
  grouped: boolean,
): string[] {
  const digits = head === "0" ? "" : head;
  const shown: string[] = [];
  for (const [k, place] of places.entries()) {
    const right = places.length - 1 - k;
    const at = digits.length - 1 - right;
    const own = k === 0 ? digits.slice(0, Math.max(0, at + 1)) : (digits[at] ?? "");
    const mark = signs[place]?.text;
    const text = own === "" ? (mark === "0" ? "0" : mark === "?" ? " " : "") : own;
    let out = "";
    for (const [j, sign] of [...text].entries()) {
      out += sign;
      const left = right + text.length - 1 - j;
      if (grouped && sign !== " " && left > 0 && left % 3 === 0) out += ",";
    }
    shown.push(out);
  }
  return shown;
}

function fillTail(signs: readonly FormatSign[], places: readonly number[], tail: string): string[] {
  const used = tail.replace(/0+$/, "").length;
  return places.map((place, k) => {
    const mark = signs[place]?.text;
    if (k < used || mark === "0") return tail[k] ?? "0";
    return mark === "?" ? " " : "";
  });
}

const two = (n: number): string => String(n).padStart(2, "0");
const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );
const ENGLISH_DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const DAYS = ["星期日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六"];

function showDay({ signs }: Section, serial: number, date1904: boolean): string | null {
  if (!(serial >= 0) || serial >= 2_958_466) return null;
  const { days, seconds } = readSerial(serial);
  const shift = date1904 ? 1462 : days < 60 ? 1 : 0;
  const at = new Date(Date.UTC(1899, 11, 30) + (days + shift) * 86_400_000);
  const half = signs.some(({ kind, text }) => kind === "date" && text.includes("/"));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const dates = signs.flatMap(({ kind, text }, i) => (kind === "date" ? [{ i, text }] : []));
  /** An m next to hours or seconds means minutes. */
  const isMinute = (i: number): boolean => {
    const k = dates.findIndex((one) => one.i === i);
    return /^\[?h/.test(dates[k - 1]?.text ?? "") || /^\[?s/.test(dates[k + 1]?.text ?? "");
  };
  // Day 0 of the 1900 system is not a date; a format without day, month and year does not need one.
  if (
    days < 1 &&
    !date1904 &&
    dates.some(({ i, text }) => /^(?:[ydme]|aaa)/.test(text) && !isMinute(i))
  ) {
    return null;
  }
  const show = (text: string, i: number): string | null => {
    const letter = text[0];
    if (letter === "[") {
      const all = days * 86_400 + seconds;
      const unit = text[1] === "h" ? 3600 : text[1] === "m" ? 60 : 1;
      return String(Math.floor(all / unit)).padStart(text.length - 2, "0");
    }
    if (text.includes("/")) {
      if (text === "am/pm") return hours < 12 ? "AM" : "PM";
      if (text === "a/p") return hours < 12 ? "A" : "P";
      return hours < 12 ? "上午" : "下午";
    }
    const long = text.length > 1;
    const digits = (n: number): string => (long ? two(n) : String(n));
    if (letter === "e") return String(at.getUTCFullYear());
    if (letter === "a") {
      const name = DAYS[at.getUTCDay()] ?? "";
      return text.length === 3 ? name.slice(2) : name;
    }
    if (letter === "y")
      return text.length > 2 ? String(at.getUTCFullYear()) : two(at.getUTCFullYear() % 100);
    if (letter === "h") return digits(half ? ((hours + 11) % 12) + 1 : hours);
    if (letter === "s") return text.includes(".") ? null : digits(seconds % 60);
    if (letter === "m" && isMinute(i)) return digits(minutes);
    if (letter === "m") {
      const name = MONTHS[at.getUTCMonth()] ?? "";
      if (text.length < 3) return digits(at.getUTCMonth() + 1);
      return text.length === 3 ? name.slice(0, 3) : text.length === 5 ? (name[0] ?? "") : name;
    }
    if (text.length > 2) {
      const name = ENGLISH_DAYS[at.getUTCDay()] ?? "";
      return text.length === 3 ? name.slice(0, 3) : name;
    }
    return digits(at.getUTCDate());
  };
  let out = "";
  for (const [i, { kind, text }] of signs.entries()) {
    if (kind === "digit") return null;
    const shown = kind === "date" ? show(text, i) : text;
    if (shown === null) return null;
    out += shown;
  }
  return out;
}
