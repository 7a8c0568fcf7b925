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
  it("a visit adds a page once and keeps the query with which it was left", () => {
    const once = visit([home], { path: "/a", affix: false }, "/a?x=1#y");
    expect(once).toEqual([home, { path: "/a", to: "/a?x=1#y", affix: false }]);
    expect(visit(once, { path: "/a", affix: false }, "/a?x=2")[1]?.to).toBe("/a?x=2");
    expect(visit(once, { path: "/a", affix: false }, "/a?x=1#y")).toBe(once);
  });
});

describe("settle", () => {
  it("fixed pages come first, and pages missing in the menus are dropped", () => {
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

  it("closing the shown page leads to the last remaining tag with its query", () => {
    expect(closed("close", "/a", "/a")).toEqual({ tags: [home, b, c], goTo: "/c" });
    expect(close([home, b, c], "close", "/c", "/c")).toEqual({ tags: [home, b], goTo: "/b?q=1" });
    expect(close([a], "close", "/a", "/a")).toEqual({ tags: [], goTo: "/" });
  });

  it("closing another tag keeps the shown page", () => {
    expect(closed("close", "/a", "/b")).toEqual({ tags: [home, b, c], goTo: null });
    expect(close(all, "close", "/a", null).goTo).toBeNull();
  });

  it("fixed tags cannot be closed", () => {
    expect(closed("close", "/home", "/home")).toEqual({ tags: all, goTo: null });
    expect(closed("closeAll", "/b", "/b")).toEqual({ tags: [home], goTo: "/home" });
    expect(closed("closeOthers", "/b", "/b")).toEqual({ tags: [home, b], goTo: null });
    expect(closed("closeLeft", "/b", "/home").tags).toEqual([home, b, c]);
    expect(closed("closeRight", "/a", "/home")).toEqual({ tags: [home, a], goTo: null });
  });

  it("closing the shown page by another tag's menu leads to that tag", () => {
    expect(closed("closeOthers", "/b", "/c").goTo).toBe("/b?q=1");
    expect(closed("closeLeft", "/b", "/a").goTo).toBe("/b?q=1");
    expect(closed("closeRight", "/a", "/c").goTo).toBe("/a");
  });

  it("closing around an unknown tag changes nothing", () => {
    expect(closed("closeAll", "/none", "/a")).toEqual({ tags: all, goTo: null });
  });
});

describe("mayAct", () => {
  const offered = (path: string, tags = all) => TAG_ACTIONS.filter((x) => mayAct(tags, x, path));
  it("the menu offers only actions with an effect", () => {
    expect(offered("/home")).toEqual(["refresh", "closeOthers", "closeRight", "closeAll"]);
    expect(offered("/a")).toEqual(["refresh", "close", "closeOthers", "closeRight", "closeAll"]);
    expect(offered("/c")).toEqual(["refresh", "close", "closeOthers", "closeLeft", "closeAll"]);
    expect(offered("/home", [home])).toEqual(["refresh"]);
  });
});

describe("restoreTags", () => {
  it("a reload restores the tags of the same person and company only", () => {
    const stored: unknown = JSON.parse(JSON.stringify(storedTags("p1:s1", all)));
    expect(restoreTags(stored, "p1:s1")).toEqual(all);
    expect(restoreTags(stored, "p1:s2")).toEqual([]);
  });

  it("broken, foreign and duplicate tags are dropped", () => {
    for (const broken of [null, "x", { owner: "o" }, { owner: "o", tags: [{ path: 1 }] }]) {
      expect(restoreTags(broken, "o")).toEqual([]);
    }
    const odd = [tag("//evil.example/"), { ...a, to: "https://evil.example/" }, { ...a, to: "/b" }];
    expect(restoreTags(storedTags("o", [...odd, a, a]), "o")).toEqual([a]);
  });
});

describe("pagePath", () => {
  it("all spellings of a path name one page", () => {
    expect(pagePath("/IM/People/")).toBe("/im/people");
    expect(pagePath("/%E7%B3%BB%E7%BB%9F")).toBe("/系统");
    expect(pagePath("/")).toBe("/");
    expect(pagePath("/%zz")).toBe("/%zz");
  });
});
