/** Splits number format codes into sections and tokens, and lists the built-in formats. */

/** Built-in formats, which a file refers to by number only, as in a Chinese spreadsheet program. */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  5: '"¥"#,##0;"¥"-#,##0',
  6: '"¥"#,##0;"¥"-#,##0',
  7: '"¥"#,##0.00;"¥"-#,##0.00',
  8: '"¥"#,##0.00;"¥"-#,##0.00',
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  14: "yyyy/m/d",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "yyyy/m/d h:mm",
  23: "$#,##0;($#,##0)",
  24: "$#,##0;($#,##0)",
  25: "$#,##0.00;($#,##0.00)",
  26: "$#,##0.00;($#,##0.00)",
  27: 'yyyy"年"m"月"',
  28: 'm"月"d"日"',
  29: 'm"月"d"日"',
  30: "m-d-yy",
  31: 'yyyy"年"m"月"d"日"',
  32: 'h"时"mm"分"',
  33: 'h"时"mm"分"ss"秒"',
  34: '上午/下午h"时"mm"分"',
  35: '上午/下午h"时"mm"分"ss"秒"',
  36: 'yyyy"年"m"月"',
  37: "#,##0;-#,##0",
  38: "#,##0;-#,##0",
  39: "#,##0.00;-#,##0.00",
  40: "#,##0.00;-#,##0.00",
  41: '_ * #,##0_ ;_ * -#,##0_ ;_ * "-"_ ;_ @_ ',
  42: '_ "¥"* #,##0_ ;_ "¥"* -#,##0_ ;_ "¥"* "-"_ ;_ @_ ',
  43: '_ * #,##0.00_ ;_ * -#,##0.00_ ;_ * "-"??_ ;_ @_ ',
  44: '_ "¥"* #,##0.00_ ;_ "¥"* -#,##0.00_ ;_ "¥"* "-"??_ ;_ @_ ',
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
  48: "##0.0E+0",
  50: 'yyyy"年"m"月"',
  51: 'm"月"d"日"',
  52: 'yyyy"年"m"月"',
  53: 'm"月"d"日"',
  54: 'm"月"d"日"',
  55: '上午/下午h"时"mm"分"',
  56: '上午/下午h"时"mm"分"ss"秒"',
  57: 'yyyy"年"m"月"',
  58: 'm"月"d"日"',
};
/** The code of a format that the file does not define; "" shows the number unchanged. */
export const builtInCode = (id: number): string => BUILT_IN[id] ?? "";

/** A token of a section: its kind, and its text where that is shown as it is. */
export interface FormatSign {
  readonly kind:
    | "literal"
    | "digit"
    | "point"
    | "comma"
    | "percent"
    | "exponent"
    | "slash"
    | "general"
    | "text"
    | "date"
    /** A token that this code does not support. */
    | "other";
  readonly text: string;
}
export interface Section {
  readonly signs: readonly FormatSign[];
  /** The language of its names of months and days, as Windows numbers languages; 0 for that of the spreadsheet program. */
  readonly language: number;
  /** The condition for which numbers the section is used; null: decided by its position. */
  readonly when: ((n: number) => boolean) | null;
}

const COMPARE: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
  "=": (a, b) => a === b,
  "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b,
  "<>": (a, b) => a !== b,
};

const TOKEN =
  /"[^"]*"?|[\\!][\s\S]?|_[\s\S]?|\*[\s\S]?|\[[^\]]*\]|general|g\/通用格式|am\/pm|a\/p|上午\/下午|e[+-]|e+|y+|m+|d+|h+|s+(?:\.0+)?|a{3,}|b[12]|b+|g+|[0#?]|[\s\S]/giu;

/** Splits a code at `;` into at most four sections. */
export function sectionsOf(code: string): Section[] {
  interface Growing {
    signs: FormatSign[];
    when: Section["when"];
    language: number;
  }
  const fresh = (): Growing => ({ signs: [], when: null, language: 0 });
  const sections = [fresh()];
  for (const [token] of code.matchAll(TOKEN)) {
    const section = sections.at(-1);
    if (section === undefined) break;
    const put = (kind: FormatSign["kind"], text: string): void =>
      void section.signs.push({ kind, text });
    const first = token[0] ?? "";
    if (token === ";") sections.push(fresh());
    else if (first === '"') put("literal", token.replaceAll('"', ""));
    else if (first === "\\" || first === "!") put("literal", token.slice(1));
    // `_x` leaves space as wide as x, shown here as a space; `*x` fills the width and is dropped.
    else if (first === "_") put("literal", " ");
    else if (first === "*") continue;
    else if (first === "[" && token.length > 1) {
      const elapsed = /^\[(h+|m+|s+)\]$/i.exec(token);
      const money = /^\[\$([^\]-]*)/.exec(token);
      const locale = /^\[\$[^\]-]*-([0-9a-f]{1,8})\]$/i.exec(token);
      if (locale !== null) {
        const number = Number.parseInt(locale[1] ?? "", 16);
        section.language = number & 0xffff;
        // Another calendar, or digits of another script.
        if (number >> 16 !== 0 && number >> 16 !== 0x100) put("other", "");
      }
      const rule = /^\[(<=|>=|<>|<|>|=)\s*(-?[\d.]+)\]$/.exec(token);
      if (/^\[dbnum/i.test(token)) put("other", "");
      else if (elapsed !== null) put("date", token.toLowerCase());
      else if (money?.[1]) put("literal", money[1]);
      else if (rule !== null) {
        const [, sign = "=", bound] = rule;
        section.when = (n) => COMPARE[sign]?.(n, Number(bound)) === true;
      }
    } else if (/^(?:general|g\/通用格式)$/i.test(token)) put("general", token);
    else if (/^e[+-]$/i.test(token)) put("exponent", token.toUpperCase());
    else if (/^(?:[ymdhs]+|s+\.0+|am\/pm|a\/p|上午\/下午|a{3,}|e+)$/i.test(token))
      put("date", token.toLowerCase());
    // The usual calendar; then that of Islam, years of Buddha, years of an emperor.
    else if (/^b1$/i.test(token)) continue;
    else if (/^(?:b2|b+|g+)$/i.test(token)) {
      put("date", "b");
      put("other", "");
    } else if (/[0#?]/.test(token)) put("digit", token);
    else if (token === ".") put("point", token);
    else if (token === ",") put("comma", token);
    else if (token === "%") put("percent", token);
    else if (token === "/") put("slash", token);
    else if (token === "@") put("text", token);
    // A letter that is shown as it stands is quoted.
    else if (/^[a-z]$/i.test(token)) put("other", token);
    else put("literal", token);
  }
  return sections.slice(0, 4);
}
