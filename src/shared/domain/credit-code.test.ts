import { expect, it } from "vitest";
import { creditCodeCheckSign, creditCodeFault, normalCreditCode } from "./credit-code.ts";

/** Published codes of known companies and authorities. */
const REAL = [
  "91350100M000100Y43", // the example of GB 32100-2015
  "91440300708461136T",
  "914403001922038216",
  "91110000802100433B",
];

it.each(REAL)("%s is right", (code) => {
  expect(creditCodeFault(code)).toBe(null);
  expect(creditCodeCheckSign(code.slice(0, 17))).toBe(code[17]);
});

it.each([
  ["", "length"],
  ["91350100M000100Y4", "length"],
  ["91350100M000100Y433", "length"],
  ["9135010OM000100Y43", "characters"],
  ["91350100M000100Y4I", "characters"],
  ["91350100m000100y43", "characters"],
  ["91350100M000100Y4中", "characters"],
  ["91350100M000100Y44", "check"],
])("%s has a wrong %s", (code, fault) => {
  expect(creditCodeFault(code)).toBe(fault);
});

it("Any one wrong character, and any two neighbours that changed places, are found", () => {
  const code = REAL[0] ?? "";
  for (let at = 0; at < code.length; at += 1) {
    for (const other of "0123456789ABCDEFGHJKLMNPQRTUWXY") {
      if (other === code[at]) continue;
      expect(creditCodeFault(code.slice(0, at) + other + code.slice(at + 1))).toBe("check");
    }
    const [one, two] = [code[at], code[at + 1]];
    if (two === undefined || one === two) continue;
    expect(creditCodeFault(`${code.slice(0, at)}${two}${one}${code.slice(at + 2)}`)).toBe("check");
  }
});

it.each([
  [" 9135 0100 m000 100y 43 ", "91350100M000100Y43"],
  ["９１３５０１００Ｍ０００１００Ｙ４３", "91350100M000100Y43"],
  ["91350100-M000100Y-43\u200b", "91350100M000100Y43"],
  ["  ", ""],
])("“%s” is meant as %s", (text, code) => {
  expect(normalCreditCode(text)).toBe(code);
});
