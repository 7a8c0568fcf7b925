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
const given = (value: string | null | undefined): value is string =>
  value !== null && value !== undefined && value !== "";
const NONE: readonly Contradiction[] = [];

/** @param person values that are valid by themselves; days YYYY-MM-DD */
export function contradictions(person: Person): readonly Contradiction[] {
  const { idNumber, birthday, gender, hireDate } = person;
  const said = given(idNumber) ? readIdNumber(idNumber) : null;
  const born = given(birthday) ? birthday : said?.birthday;
  const isBirthdayWrong = said !== null && given(birthday) && birthday !== said.birthday;
  const isGenderWrong =
    said !== null && given(gender) && NAMES[gender] !== undefined && gender !== said.gender;
  const isHiredBefore = given(hireDate) && born !== undefined && hireDate < born;
  if (!isBirthdayWrong && !isGenderWrong && !isHiredBefore) return NONE;
  const found: Contradiction[] = [];
  if (isBirthdayWrong) {
    const message = `与身份证号不一致：身份证号中的出生日期是 ${said.birthday}`;
    found.push({ field: "birthday", message, meant: said.birthday });
  }
  if (isGenderWrong) {
    const message = `与身份证号不一致：身份证号中的性别是${NAMES[said.gender]}`;
    found.push({ field: "gender", message, meant: said.gender });
  }
  if (isHiredBefore) {
    found.push({ field: "hireDate", message: `早于出生日期 ${born}，请核对`, warning: true });
  }
  return found;
}
