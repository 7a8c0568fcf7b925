import { expect, it } from "vitest";
import { mobilesIn, wrongMobiles } from "./mobiles.ts";

it("Numbers are separated by lines, blanks and marks of both languages, and count once", () => {
  expect(mobilesIn(" 13700000001，13700000002\n13700000001;\t13700000003、")).toEqual([
    "13700000001",
    "13700000002",
    "13700000003",
  ]);
  expect(mobilesIn(" \n")).toEqual([]);
});

it("The first wrong number is named by its place, and more than twenty are too many", () => {
  const many = Array.from({ length: 21 }, (_, i) => String(13_700_000_000 + i)).join(" ");
  expect(wrongMobiles("13700000001 1370000000 x")).toEqual({ at: 2 });
  expect(wrongMobiles(many)).toEqual({ most: 20 });
  expect(wrongMobiles("13700000001")).toBeNull();
});
