/** The unified social credit code of a company (统一社会信用代码, GB 32100-2015): 18 characters, of which the last one checks the others. */

const LENGTH = 18;
/** Its characters in the order of their values: without I, O, S, V and Z, which look like others. */
const CHARACTERS = "0123456789ABCDEFGHJKLMNPQRTUWXY";

/** What is wrong with a code. */
export type CreditCodeFault = "length" | "characters" | "check";

/** What a person reads of each fault, in Chinese and English. */
export const CREDIT_CODE_TEXTS = {
  length: ["统一社会信用代码应为 18 位", "The unified social credit code has 18 characters"],
  characters: [
    "统一社会信用代码只含数字和大写字母，不含 I、O、S、V、Z",
    "The unified social credit code has digits and capital letters other than I, O, S, V and Z",
  ],
  check: [
    "统一社会信用代码的校验位不正确，请核对",
    "The last character of the unified social credit code does not fit the others. Check it",
  ],
} as const satisfies Readonly<Record<CreditCodeFault, readonly [zh: string, en: string]>>;

/** The code as people mean it: half-width, in capital letters, without blanks and hyphens. */
export const normalCreditCode = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/[\s\u200b\ufeff-]/g, "")
    .toUpperCase();

/** The check character of a code. @param head its first 17 characters, all of the code's alphabet */
export function creditCodeCheckSign(head: string): string {
  let sum = 0;
  let weight = 1;
  for (const character of head) {
    sum += CHARACTERS.indexOf(character) * weight;
    weight = (weight * 3) % 31;
  }
  return CHARACTERS[(31 - (sum % 31)) % 31] ?? "";
}

/** What is wrong with a code; null for a right one. @param code as `normalCreditCode` returns it */
export function creditCodeFault(code: string): CreditCodeFault | null {
  if ([...code].length !== LENGTH) return "length";
  if ([...code].some((character) => !CHARACTERS.includes(character))) return "characters";
  return creditCodeCheckSign(code.slice(0, -1)) === code.at(-1) ? null : "check";
}
