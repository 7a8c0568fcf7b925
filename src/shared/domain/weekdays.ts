/** Names of days of the week beside a date, as in 2023-05-01 星期一 or 2023/5/1 (Mon). */

const CHINESE = "日一二三四五六";
const ENGLISH = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const NAMED =
  /[\s(,，]*(?:(?:星期|礼拜|周)([日天一二三四五六])|\b(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?\b\.?)[\s),，]*/i;

export interface WithWeekday {
  /** The text without the name. */
  readonly text: string;
  /** 0 is Sunday; null when no day of the week is named. */
  readonly weekday: number | null;
}

/** @param text without full-width signs */
export function splitWeekday(text: string): WithWeekday {
  const found = NAMED.exec(text);
  if (found === null) return { text, weekday: null };
  const [, chinese, english = ""] = found;
  const weekday =
    chinese === undefined
      ? ENGLISH.indexOf(english.toLowerCase().slice(0, 3))
      : CHINESE.indexOf(chinese === "天" ? "日" : chinese);
  return { text: text.replace(NAMED, " ").trim(), weekday };
}

/** @param day YYYY-MM-DD */
export const isWeekday = (day: string, weekday: number): boolean =>
  new Date(`${day}T00:00:00Z`).getUTCDay() === weekday;
