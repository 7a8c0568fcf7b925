import { describe, expect, it } from "vitest";
import {
  close,
  mayAct,
  pagePath,
  restoreTags,
  settle,
  storedTags,
  TAG_ACTIONS,
  visit,
  type Tag,
} from "./tags.ts";

const tag = (path: string, affix = false, query = ""): Tag => ({ path, to: path + query, affix });
const home = tag("/home", true);
const [a, b, c] = [tag("/a"), tag("/b", false, "?q=1"), tag("/c")];
const all = [home, a, b, c];

describe("visit", () => {
  it("adds a page once and keeps the query that it was left with", () => {
    const once = visit([home], { path: "/a", affix: false }, "/a?x=1#y");
    expect(once).toEqual([home, { path: "/a", to: "/a?x=1#y", affix: false }]);
    expect(visit(once, { path: "/a", affix: false }, "/a?x=2")[1]?.to).toBe("/a?x=2");
    expect(visit(once, { path: "/a", affix: false }, "/a?x=1#y")).toBe(once);
  });
});

describe("settle", () => {
  it("puts fixed pages first and drops what the menus have no more", () => {
    const pages = [
      { path: "/home", affix: true },
      { path: "/c", affix: true },
      { path: "/b", affix: false },
    ];
    expect(settle([a, b, c], pages)).toEqual([home, { ...c, affix: true }, b]);
    expect(settle([{ ...b, affix: true }], pages).at(-1)).toEqual(b);
  });
});

describe("close", () => {
  const closed = (action: Parameters<typeof close>[1], path: string, active: string) =>
    close(all, action, path, active);

  it("goes to the last remaining tag when the page shown is closed, with its query", () => {
    expect(closed("close", "/a", "/a")).toEqual({ tags: [home, b, c], goTo: "/c" });
    expect(close([home, b, c], "close", "/c", "/c")).toEqual({ tags: [home, b], goTo: "/b?q=1" });
    expect(close([a], "close", "/a", "/a")).toEqual({ tags: [], goTo: "/" });
  });

  it("stays where one is when another is closed", () => {
    expect(closed("close", "/a", "/b")).toEqual({ tags: [home, b, c], goTo: null });
    expect(close(all, "close", "/a", null).goTo).toBeNull();
  });

  it("keeps fixed tags whatever is closed", () => {
    expect(closed("close", "/home", "/home")).toEqual({ tags: all, goTo: null });
    expect(closed("closeAll", "/b", "/b")).toEqual({ tags: [home], goTo: "/home" });
    expect(closed("closeOthers", "/b", "/b")).toEqual({ tags: [home, b], goTo: null });
    expect(closed("closeLeft", "/b", "/home").tags).toEqual([home, b, c]);
    expect(closed("closeRight", "/a", "/home")).toEqual({ tags: [home, a], goTo: null });
  });

  it("goes to the tag pointed at when the page shown was beside it", () => {
    expect(closed("closeOthers", "/b", "/c").goTo).toBe("/b?q=1");
    expect(closed("closeLeft", "/b", "/a").goTo).toBe("/b?q=1");
    expect(closed("closeRight", "/a", "/c").goTo).toBe("/a");
  });

  it("does nothing about a tag that is not there", () => {
    expect(closed("closeAll", "/none", "/a")).toEqual({ tags: all, goTo: null });
  });
});

describe("mayAct", () => {
  const offered = (path: string, tags = all) => TAG_ACTIONS.filter((x) => mayAct(tags, x, path));
  it("offers what would do something", () => {
    expect(offered("/home")).toEqual(["refresh", "closeOthers", "closeRight", "closeAll"]);
    expect(offered("/a")).toEqual(["refresh", "close", "closeOthers", "closeRight", "closeAll"]);
    expect(offered("/c")).toEqual(["refresh", "close", "closeOthers", "closeLeft", "closeAll"]);
    expect(offered("/home", [home])).toEqual(["refresh"]);
  });
});

describe("what a reload finds again", () => {
  it("is what was kept, for the same person and company alone", () => {
    const stored: unknown = JSON.parse(JSON.stringify(storedTags("p1:s1", all)));
    expect(restoreTags(stored, "p1:s1")).toEqual(all);
    expect(restoreTags(stored, "p1:s2")).toEqual([]);
  });

  it("takes nothing broken, foreign or twice", () => {
    for (const broken of [null, "x", { owner: "o" }, { owner: "o", tags: [{ path: 1 }] }]) {
      expect(restoreTags(broken, "o")).toEqual([]);
    }
    const odd = [tag("//evil.example/"), { ...a, to: "https://evil.example/" }, { ...a, to: "/b" }];
    expect(restoreTags(storedTags("o", [...odd, a, a]), "o")).toEqual([a]);
  });
});

describe("pagePath", () => {
  it("knows one page by all its spellings", () => {
    expect(pagePath("/IM/People/")).toBe("/im/people");
    expect(pagePath("/%E7%B3%BB%E7%BB%9F")).toBe("/系统");
    expect(pagePath("/")).toBe("/");
    expect(pagePath("/%zz")).toBe("/%zz");
  });
});
