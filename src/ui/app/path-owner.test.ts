import { expect, test } from "vitest";
import { ownerOf } from "./path-owner.ts";

const kept = { accountId: "a1", page: 1 };

test("a reload and the tab's history keep the owner, a typed address has none", () => {
  expect(ownerOf(kept, { page: 2, asked: false })).toBe("a1");
  expect(ownerOf(kept, { page: 2, asked: true })).toBeNull();
});

test("the page that stored the owner reads it again", () => {
  expect(ownerOf(kept, { page: 1, asked: true })).toBe("a1");
});

test("a broken entry has no owner", () => {
  for (const broken of [null, "a1", { accountId: 1, page: 1 }]) {
    expect(ownerOf(broken, { page: 1, asked: false })).toBeNull();
  }
});
