import { describe, expect, it } from "vitest";
import {
  idNumberCheckSign,
  isDay,
  isEmpty,
  isIdNumber,
  isPhone,
  readIdNumber,
} from "./validate.ts";

describe("id card numbers", () => {
  it("an id card number needs the right check character", () => {
    expect(idNumberCheckSign("11010519491231002")).toBe("X");
    expect(isIdNumber("11010519491231002X")).toBe(true);
    expect(isIdNumber("440524188001010014")).toBe(false);
    for (const wrong of ["110105194912310021", "11010519491231002x", "11010519491331002X", ""]) {
      expect(isIdNumber(wrong), wrong).toBe(false);
    }
  });

  it("birthday and gender are read from an id card number", () => {
    expect(readIdNumber("11010519491231002X")).toEqual({ birthday: "1949-12-31", gender: "2" });
  });
});

it("only days of the calendar are accepted", () => {
  expect(["2024-02-29", "2023-02-29", "2024-2-29", "0000-01-01"].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it("isDay agrees with Date for every year, month and day from 1900 to 2199", () => {
  let wrong = 0;
  for (let year = 1900; year < 2200; year += 1) {
    for (let month = 0; month < 14; month += 1) {
      for (let day = 0; day < 33; day += 1) {
        const text = [year, month, day].map((part) => String(part).padStart(2, "0")).join("-");
        const date = new Date(Date.UTC(year, month - 1, day));
        const is = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
        if (isDay(text) !== is) wrong += 1;
      }
    }
  }
  expect(wrong).toBe(0);
});

it("mobile and landline numbers are accepted", () => {
  expect(["19900000001", "0551-6543210", "12345", "119000000012"].map(isPhone)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it("A value is empty when it says nothing; numbers and booleans never are", () => {
  const empty = [null, undefined, "null", "undefined", "", [], {}];
  expect(empty.map(isEmpty)).toEqual(empty.map(() => true));
  const full = [0, Number.NaN, false, true, " ", "0", [null], { a: undefined }, new Date(0)];
  expect(full.map(isEmpty)).toEqual(full.map(() => false));
});
