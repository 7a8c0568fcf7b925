import { expect, test } from "vitest";
import { titleOf } from "./title.ts";

const parts = { title: "首页", platform: "平台", news: 0, ring: null };

test("The title has the page and the platform, with unread messages and missed calls before them", () => {
  expect(titleOf(parts)).toBe("首页 - 平台");
  expect(titleOf({ ...parts, title: null })).toBe("平台");
  expect(titleOf({ ...parts, news: 3 })).toBe("(3) 首页 - 平台");
  expect(titleOf({ ...parts, news: 100 })).toBe("(99+) 首页 - 平台");
});

test("A ring takes the place of the page in the title, and the page comes back after it with the news of meanwhile", () => {
  expect(titleOf({ ...parts, news: 3, ring: "【来电】张伟" })).toBe("【来电】张伟");
  expect(titleOf({ ...parts, news: 4 })).toBe("(4) 首页 - 平台");
});
