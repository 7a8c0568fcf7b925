/** Fields of one employee that contradict each other. The check of an import, the server and the form ask the same (docs/import.md#checks). */
import { readIdNumber } from "./validate.ts";

export interface Contradiction {
  readonly field: "birthday" | "gender" | "hireDate";
  readonly message: string;
  /** The value that would agree. */
  readonly meant?: string;
  /** Only a warning: it can be true. */
  readonly warning?: true;
}

interface Person {
  readonly idNumber?: string | null | undefined;
  readonly birthday?: string | null | undefined;
  /** 1 male, 2 female; others say nothing. */
  readonly gender?: string | null | undefined;
  readonly hireDate?: string | null | undefined;
}

const NAMES: Readonly<Record<string, string>> = { "1": "男", "2": "女" };
const isGiven = (value: string | null | undefined): value is string =>
  value !== null && value !== undefined && value !== "";
const NONE: readonly Contradiction[] = [];

/** Where the digits of the birthday stand in a day, and from where on in an ID number. */
const DIGITS = [0, 1, 2, 3, 5, 6, 8, 9] as const;
const BORN = 6;
/** Below 0 when the day is before the birthday of the ID number. No text is made, because an import asks this of every row. */
function compareBirthday(day: string, idNumber: string): number {
  for (let k = 0; k < DIGITS.length; k += 1) {
    const difference = day.charCodeAt(DIGITS[k] ?? 0) - idNumber.charCodeAt(BORN + k);
    if (difference !== 0) return difference;
  }
  return 0;
}
const isMale = (idNumber: string): boolean => idNumber.charCodeAt(16) % 2 === 1;

/** @param person values that are valid by themselves; days YYYY-MM-DD */
export function contradictions(person: Person): readonly Contradiction[] {
  const { idNumber, birthday, gender, hireDate } = person;
  const hasId = isGiven(idNumber);
  const hasBirthday = isGiven(birthday);
  const isBirthdayWrong = hasId && hasBirthday && compareBirthday(birthday, idNumber) !== 0;
  const isGenderWrong =
    hasId && (gender === "1" || gender === "2") && isMale(idNumber) !== (gender === "1");
  const isHiredBefore =
    isGiven(hireDate) &&
    (hasBirthday ? hireDate < birthday : hasId && compareBirthday(hireDate, idNumber) < 0);
  if (!isBirthdayWrong && !isGenderWrong && !isHiredBefore) return NONE;
  const said = hasId ? readIdNumber(idNumber) : null;
  const found: Contradiction[] = [];
  if (isBirthdayWrong && said !== null) {
    const message = `与身份证号不一致：身份证号中的出生日期是 ${said.birthday}`;
    found.push({ field: "birthday", message, meant: said.birthday });
  }
  if (isGenderWrong && said !== null) {
    const message = `与身份证号不一致：身份证号中的性别是${NAMES[said.gender]}`;
    found.push({ field: "gender", message, meant: said.gender });
  }
  if (isHiredBefore) {
    const born = hasBirthday ? birthday : said?.birthday;
    found.push({ field: "hireDate", message: `早于出生日期 ${born}，请核对`, warning: true });
  }
  return found;
}
