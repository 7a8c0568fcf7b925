/** Telephone numbers as people write them into cells: with a country code, a remark, two numbers (docs/import.md#telephone-numbers). */
import { plain } from "./text-marks.ts";
import { isPhone } from "./validate.ts";

/** A number written alone: with +86, blanks, hyphens or brackets around the area code. Null for anything else. @param said plain */
function readAlone(said: string): string | null {
  const digits = said.replace(/^(\+?86[-\s]?)(?=1\d{10}$|1[\d\s-]{10,}$)/, "");
  const bare = digits.replace(/[\s-]/g, "");
  if (/^1[3-9]\d{9}$/.test(bare)) return bare;
  const land = digits.replace(/[()（）\s]/g, "");
  return isPhone(land) ? land : null;
}

/** Country code, then a mobile number or a landline number with its area code, then perhaps an extension. */
const ONE =
  /(\(?\+?\(?(?:00)?86\)?[-\s]*)?(?:(1[3-9](?:[\s-]?\d){9})|(\(?0\d{2,3}\)?[-\s]?\d{7,8}))(?!\d)(?:\s*(?:转|分机|ext\.?|x|-)\s*(\d{1,6})(?!\d))?/giu;
/** What may stand around a number: brackets with a remark, words that say what it is, marks. */
const AROUND =
  /\([^()]*\)|（[^（）]*）|\[[^[\]]*\]|【[^【】]*】|联系电话|手机号码|手机号|手机|电话|固话|座机|微信同号|微信|同号|本人|mobile|phone|tel|\p{P}|\p{S}|\s/giu;

export type PhoneText =
  | {
      readonly value: string;
      /** What was left out. */
      readonly note: string | null;
      /** The numbers that were left out. */
      readonly others: readonly string[];
    }
  | { readonly wrong: string; /** The number that was probably meant. */ readonly meant?: string };

const NONE: readonly string[] = [];

/** Takes the number that a text certainly names. Of two numbers it takes the first one and names the others in a note. */
export function readPhone(text: string): PhoneText {
  const said = plain(text);
  const alone = readAlone(said);
  if (alone !== null) return { value: alone, note: null, others: NONE };
  const numbers: string[] = [];
  const extensions: string[] = [];
  let last = "";
  const rest = said.replace(ONE, (_all, _code, mobile?: string, land?: string, more?: string) => {
    last = (mobile ?? land ?? "").replace(mobile === undefined ? /[()\s]/g : /[\s-]/g, "");
    if (isPhone(last) && !numbers.includes(last)) numbers.push(last);
    if (more !== undefined) extensions.push(more);
    return " ";
  });
  const [value, ...others] = numbers;
  // Digits that belong to no number may be a part of one.
  if (value === undefined || /\d/.test(rest)) return { wrong: wrongPhone(said) };
  const words = rest.match(AROUND)?.join("") ?? "";
  if (rest.replace(AROUND, "") !== "") return { wrong: wrongPhone(said), meant: value };
  const notes = [
    ...(others.length > 0
      ? [`有 ${numbers.length} 个号码，取第一个；没有导入 ${others.join("、")}`]
      : []),
    ...(extensions.length > 0 ? [`没有导入分机号 ${extensions.join("、")}`] : []),
  ];
  const remark = words.trim().replace(/^[\s,;，；、/]+$/u, "");
  if (notes.length === 0 || /\p{L}/u.test(remark)) {
    notes.unshift(remark === "" ? `已取号码 ${value}` : `已取号码 ${value}，去掉了“${remark}”`);
  }
  return { value, note: notes.join("；"), others };
}

function wrongPhone(said: string): string {
  const bare = said.replace(/^\+?86[-\s]?(?=1\d{10}$|1[\d\s-]{10,}$)/, "").replace(/[\s-]/g, "");
  return /^\d+$/.test(bare) && bare.startsWith("1")
    ? `手机号应为 11 位数字，现在是 ${bare.length} 位`
    : "电话应为 11 位手机号，或带区号的座机号（如 021-12345678）";
}
