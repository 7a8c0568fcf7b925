/**
 * Chinese texts as people mean them. Files bring radicals instead of ideographs (texts copied from a PDF), blanks between the
 * characters of a name, and a dozen signs in place of the dot of a name. Each change has a note for the person
 * (docs/import.md#one-writing).
 */
import { isBare, trimText, ZERO_WIDTH } from "./text-marks.ts";

/**
 * Ideographs of the block CJK Radicals Supplement: the sign, then its ideograph. Unicode normalises two of the 115 only. The table
 * is that of EquivalentUnifiedIdeograph.txt, but where it names an ideograph that no font has, the usual form of the same radical.
 */
const SUPPLEMENT =
  "⺁厂⺂乛⺃乚⺄乙⺅亻⺆冂⺇几⺈刀⺉刂⺊卜⺋㔾⺌小⺍小⺎兀⺏尣⺐尢⺑尢⺒巳⺓幺⺔彑⺕彐⺖忄⺗心⺘扌⺙攵⺛旡⺜日⺝月⺞歺⺟母⺠民⺡氵⺢氺⺣灬" +
  "⺤爫⺥爫⺦丬⺧牛⺨犭⺩王⺪疋⺫目⺬示⺭礻⺮竹⺯糹⺰纟⺱罓⺲罒⺳㓁⺴冗⺵网⺶羊⺷羊⺸羊⺹耂⺺肀⺻聿⺼肉⺽臼⺾艹⺿艹⻀艹⻁虎⻂衤⻃覀⻄西⻅见⻆角" +
  "⻇角⻈讠⻉贝⻊足⻋车⻌辶⻍辶⻎辶⻏邑⻐钅⻑長⻒镸⻓长⻔门⻕阜⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻞食⻟飠⻠饣⻡首⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦" +
  "⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻱龜⻲亀⻳龟";
const IDEOGRAPHS: ReadonlyMap<string, string> = new Map(
  Array.from({ length: SUPPLEMENT.length / 2 }, (_, i) => [
    SUPPLEMENT.charAt(2 * i),
    SUPPLEMENT.charAt(2 * i + 1),
  ]),
);

/** Radicals, and the second copies of ideographs that other encodings had. */
const LOOKALIKE = /[\u2e80-\u2fdf\uf900-\ufaff]/gu;
const HAS_LOOKALIKE = /[\u2e80-\u2fdf\uf900-\ufaff]/u;

const ideographOf = (sign: string): string => IDEOGRAPHS.get(sign) ?? sign.normalize("NFKC");

/** Replaces each radical and each compatibility ideograph by the ideograph that it looks like. */
export const asIdeographs = (text: string): string =>
  HAS_LOOKALIKE.test(text) ? text.replace(LOOKALIKE, ideographOf) : text;

/** @returns such as U+2F45 */
export const codePointName = (sign: string): string =>
  `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** A note about the signs that `asIdeographs` replaces. Null when it replaces none. */
export function radicalNote(text: string): string | null {
  if (!HAS_LOOKALIKE.test(text)) return null;
  const found = [...new Set(text.match(LOOKALIKE))].filter((sign) => ideographOf(sign) !== sign);
  if (found.length === 0) return null;
  // Sign and ideograph look the same, so the sign goes by its number.
  const named = found.map((sign) => `${codePointName(sign)} 已改为“${ideographOf(sign)}”`);
  return `含有看起来像汉字的部首字符：${named.join("、")}`;
}

/**
 * Signs that people write in place of the dot of a name, U+00B7. A full stop counts only between two Chinese characters. Circles are
 * none of them: they stand for a character that is hidden.
 */
const OTHER_DOTS =
  "\\u00b7\\u0387\\u1427\\u16eb\\u2022\\u2024\\u2027\\u2218\\u2219\\u22c5\\u2981\\u2e31\\u2e33\\u30fb\\u318d\\ua78f\\ufe52\\uff0e\\uff65";
const DOTS = `${OTHER_DOTS}.`;
const BLANK = `\\s${ZERO_WIDTH}`;
const DOT_BETWEEN = new RegExp(
  `(\\p{Script=Han})[${BLANK}]*([${DOTS}]+)[${BLANK}]*(?=\\p{Script=Han})`,
  "gu",
);
const HAS_DOT = new RegExp(`[${DOTS}]`, "u");
const BLANK_BETWEEN = new RegExp(`(\\p{Script=Han})[${BLANK}]+(?=\\p{Script=Han})`, "gu");
const HAS_BLANK = new RegExp(`[${BLANK}]`, "u");
const ALL_BLANKS = new RegExp(`[${BLANK}]`, "gu");

/** Removes blanks between two Chinese characters. */
export const withoutInnerBlanks = (text: string): string =>
  HAS_BLANK.test(text) ? text.replace(BLANK_BETWEEN, "$1") : text;

/** Writes the dot between two Chinese characters as U+00B7, without blanks around it. */
export const withNameDots = (text: string): string =>
  HAS_DOT.test(text) ? text.replace(DOT_BETWEEN, "$1·") : text;

/** Marks that no name has. A dot, an apostrophe and a hyphen belong to some. */
const MARKS = /[^\p{L}\p{M}\p{N}\s·.'’`\-‐‑]/gu;
/** Most names. They need no further look. */
const PLAIN_NAME = /^[\u4e00-\u9fa5]+$/;

/** A text, and notes about its changes. */
export interface Tidied {
  readonly value: string;
  /** One sentence for each kind of change. */
  readonly notes: readonly string[];
}
const AS_IT_IS: readonly string[] = [];

/** A text of any kind: its radicals become ideographs. */
export function tidyText(text: string): Tidied {
  const note = radicalNote(text);
  return note === null
    ? { value: text, notes: AS_IT_IS }
    : { value: asIdeographs(text), notes: [note] };
}

/** A person's name. */
export function tidyName(text: string): Tidied {
  if (PLAIN_NAME.test(text)) return { value: text, notes: AS_IT_IS };
  const { value: ideographs, notes } = tidyText(trimText(text));
  const value = withoutInnerBlanks(withNameDots(ideographs));
  if (value === ideographs) return { value, notes };
  const said = [...notes];
  const between = ideographs.match(DOT_BETWEEN)?.join("") ?? "";
  const dots = [...new Set(between)].filter((sign) => sign !== "·" && HAS_DOT.test(sign));
  if (dots.length > 0) {
    const named = dots.map((sign) => `“${sign}”（${codePointName(sign)}）`).join("、");
    said.push(`间隔号 ${named} 已改为“·”`);
  }
  const blanks = (value: string): number => value.length - value.replace(ALL_BLANKS, "").length;
  if (blanks(value) < blanks(ideographs)) said.push("已去掉汉字之间的空格");
  return { value, notes: said };
}

/** A warning about a name that is tidied: brackets and other marks. Null when there are none. */
export function doubtInName(name: string): string | null {
  if (isBare(name) ? !/[^A-Za-z0-9.'`-]/.test(name) : PLAIN_NAME.test(name)) return null;
  const marks = [...new Set(name.match(MARKS))];
  return marks.length === 0
    ? null
    : `姓名中有 ${marks.map((mark) => `“${mark}”`).join("")}，请核对是否属于姓名`;
}

/** The text by which choices, departments and headers are compared: neither blanks nor radicals tell two apart. */
export const comparable = (text: string): string =>
  withoutInnerBlanks(asIdeographs(text)).toLowerCase();

const ANY_DOT = new RegExp(`[${OTHER_DOTS}]`, "gu");
/**
 * A text as the search of employees compares it: it does not matter which dot was written. The same as plain_dots of
 * 0270_name_dots.sql.
 */
export const searchable = (text: string): string =>
  text.replace(ANY_DOT, "·").replace(/([\u4e00-\u9fff])\.(?=[\u4e00-\u9fff])/gu, "$1·");

/** The name by which people are compared and searched: it does not matter which dot was written. */
export const comparableName = (text: string): string => tidyName(text).value.toLowerCase();
