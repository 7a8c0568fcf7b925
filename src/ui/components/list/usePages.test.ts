import { expect, it } from "vitest";
import { pageIn, withPage } from "./usePages.ts";

it("The page of a list is in its address, beside what else is there; the first one is not", () => {
  expect(withPage("", 3)).toBe("?page=3");
  expect(withPage("?state=open&page=3", 12)).toBe("?state=open&page=12");
  expect(withPage("?state=open&page=3", 1)).toBe("?state=open");
  expect(withPage("?page=2", 1)).toBe("");
});

it("An address with a broken page shows the first one", () => {
  const texts = ["?page=7", "", "?page=0", "?page=-1", "?page=2.5", "?page=x", "?page=99999999"];
  expect(texts.map(pageIn)).toEqual([7, 1, 1, 1, 1, 1, 1]);
});
