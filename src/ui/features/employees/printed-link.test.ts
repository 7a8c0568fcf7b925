import { expect, it } from "vitest";
import { pictureNames } from "./printed-link.ts";

it("Each picture has a name of its own that a file system takes", () => {
  const names = ["孙有号", "新员工 · 保洁", "新员工 · 保洁", "../a:b\u0000", "", "ANN", "ann"];
  expect(pictureNames(names.map((name) => ({ name })))).toEqual([
    "孙有号.png",
    "新员工 · 保洁.png",
    "新员工 · 保洁 (2).png",
    ".. a b.png",
    "QR.png",
    "ANN.png",
    "ann (2).png",
  ]);
});
