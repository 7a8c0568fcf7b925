import { describe, expect, it } from "vitest";
import { foremostTab } from "./foremost-tab.ts";

const tab = (tabId: string, visible: boolean, focusedAt: number, connectedAt = 0) => ({
  tabId,
  visible,
  focusedAt,
  connectedAt,
});

describe("foremostTab", () => {
  it.each([
    ["none", [], null],
    ["visible before focused", [tab("a", false, 9), tab("b", true, 1)], "b"],
    ["the newest focus of the visible ones", [tab("a", true, 1), tab("b", true, 2)], "b"],
    ["the newest focus when all are hidden", [tab("a", false, 5), tab("b", false, 2)], "a"],
    ["the older tab of equals", [tab("a", true, 1, 7), tab("b", true, 1, 3)], "b"],
    ["the smaller id at last", [tab("b", true, 1), tab("a", true, 1)], "a"],
  ])("%s", (_name, tabs, expected) => {
    expect(foremostTab(tabs)).toBe(expected);
    expect(foremostTab(tabs.toReversed())).toBe(expected);
  });
});
