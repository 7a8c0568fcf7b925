import { describe, expect, it } from "vitest";
import type { MenuEntry } from "../protocol/rest/entities.ts";
import { buildMenus, isExternal, menuPath, menuTitle, openContainers, sidebarId } from "./menus.ts";

const entry = (
  id: string,
  uri: string,
  over: Partial<MenuEntry> = {},
  childMenu: MenuEntry[] = [],
): MenuEntry => ({
  id,
  code: id,
  name: id.toUpperCase(),
  icon: "",
  uri,
  hidden: false,
  elementProperties: {},
  childMenu,
  ...over,
});
const viewer = { roles: [{ roleId: "1", roleCode: "staff" }], systemName: "sec-web-company-admin" };

describe("buildMenus", () => {
  it("titles of routes, breadcrumbs and items are in the viewer's language", () => {
    const titleOf = ({ code, name }: { code: string; name: string }) =>
      code === "named" ? name : `${code} in English`;
    const menus = buildMenus([entry("a", "/a", {}, [entry("b", "b"), entry("named", "c")])], {
      ...viewer,
      titleOf,
    });
    expect(menus.routes.map((route) => route.title)).toEqual(["b in English", "NAMED"]);
    expect(menus.routes[1]?.crumbs.map((crumb) => crumb.title)).toEqual(["a in English", "NAMED"]);
    expect(menus.sidebar.map((one) => one.title)).toEqual(["a in English"]);
  });

  it("an entry has its title in each language, unless it was renamed", () => {
    const elementProperties = { titles: { zh: "报表", en: "Reports" } };
    expect(menuTitle({ name: "报表", elementProperties }, "en")).toBe("Reports");
    expect(menuTitle({ name: "报表", elementProperties }, "zh")).toBe("报表");
    expect(menuTitle({ name: "统计", elementProperties }, "en")).toBe("统计");
    expect(menuTitle({ name: "报表", elementProperties: {} }, "en")).toBe("报表");
  });

  it("entries with children become containers, leaves become routes by their uri", () => {
    const menus = buildMenus(
      [entry("sys", "/system", {}, [entry("user", "user"), entry("dict", "/system/dict")])],
      viewer,
    );
    expect(menus.routes.map((r) => [r.path, r.view, r.menuId])).toEqual([
      ["/system/user", "system/user", "user"],
      ["/system/dict", "system/dict", "dict"],
    ]);
    expect(menus.sidebar).toHaveLength(1);
    expect(menus.sidebar[0]?.children.map((c) => c.to)).toEqual(["/system/user", "/system/dict"]);
    expect(menus.redirects).toEqual([{ path: "/system", to: "/system/user" }]);
    expect(menus.routes[0]?.crumbs).toEqual([
      { title: "SYS", to: "/system/user" },
      { title: "USER", to: null },
    ]);
  });

  it("an entry is shown only when the roles intersect and the systems include the current one", () => {
    const only = (elementProperties: MenuEntry["elementProperties"]) =>
      buildMenus([entry("a", "/a", { elementProperties })], viewer).routes.length;
    expect(only({})).toBe(1);
    expect(only({ roles: ["staff", "admin"] })).toBe(1);
    expect(only({ roles: ["admin"] })).toBe(0);
    expect(only({ roles: [] })).toBe(0);
    expect(only({ systems: ["sec-web-company-admin"] })).toBe(1);
    expect(only({ systems: ["sec-web-oa"] })).toBe(0);
    expect(only({ roles: ["staff"], systems: ["sec-web-oa"] })).toBe(0);
  });

  it("a container that the viewer may not see hides everything below it", () => {
    const menus = buildMenus(
      [entry("a", "/a", { elementProperties: { roles: ["x"] } }, [entry("b", "b")])],
      viewer,
    );
    expect(menus).toEqual({ routes: [], redirects: [], sidebar: [] });
  });

  it("hidden entries are missing only in the sidebar", () => {
    const menus = buildMenus(
      [entry("a", "/a", {}, [entry("b", "b", { hidden: true }), entry("c", "c"), entry("d", "d")])],
      viewer,
    );
    expect(menus.routes.map((r) => r.path)).toEqual(["/a/b", "/a/c", "/a/d"]);
    expect(menus.sidebar[0]?.children.map((c) => c.to)).toEqual(["/a/c", "/a/d"]);
    expect(menus.redirects).toEqual([{ path: "/a", to: "/a/c" }]);
  });

  it("a container with one visible child collapses to a single entry with an icon", () => {
    const menus = buildMenus(
      [
        entry("a", "/a", { icon: "box" }, [
          entry("b", "b", {}, [entry("c", "c"), entry("x", "x", { hidden: true })]),
        ]),
      ],
      viewer,
    );
    expect(menus.sidebar).toEqual([
      { id: "c", title: "C", icon: "box", to: "/a/b/c", external: false, children: [] },
    ]);
  });

  it("a container without a visible child disappears but its hidden routes stay", () => {
    const menus = buildMenus([entry("a", "/a", {}, [entry("b", "b", { hidden: true })])], viewer);
    expect(menus.sidebar).toEqual([]);
    expect(menus.routes.map((r) => r.path)).toEqual(["/a/b"]);
  });

  it("external links become items without a route", () => {
    const menus = buildMenus(
      [entry("ai", "https://ai.example/x"), entry("m", "mailto:a@b")],
      viewer,
    );
    expect(menus.routes).toEqual([]);
    expect(menus.sidebar.map((i) => [i.to, i.external])).toEqual([
      ["https://ai.example/x", true],
      ["mailto:a@b", true],
    ]);
  });

  it("a path gets one route, and none if a static route has it", () => {
    const menus = buildMenus(
      [entry("a", "/dashboard"), entry("b", "/x"), entry("c", "/x/")],
      viewer,
      ["/dashboard"],
    );
    expect(menus.routes.map((r) => r.menuId)).toEqual(["b"]);
  });

  it("entries with breadcrumb false are missing in the breadcrumb", () => {
    const menus = buildMenus(
      [
        entry("a", "/a", { elementProperties: { breadcrumb: false } }, [
          entry("b", "b"),
          entry("c", "c", { elementProperties: { breadcrumb: false } }),
        ]),
      ],
      viewer,
    );
    expect(menus.routes.map((r) => r.crumbs)).toEqual([[{ title: "B", to: null }], []]);
  });
});

describe("noRedirect", () => {
  it("a container with noRedirect stands in the breadcrumb without a link; another leads to its first page", () => {
    const crumbsBelow = (noRedirect: boolean) =>
      buildMenus(
        [
          entry("a", "/a", { elementProperties: { noRedirect } }, [
            entry("b", "b"),
            entry("c", "c"),
          ]),
        ],
        viewer,
      ).routes[1]?.crumbs[0];
    expect(crumbsBelow(true)).toEqual({ title: "A", to: null });
    expect(crumbsBelow(false)).toEqual({ title: "A", to: "/a/b" });
  });
});

describe("parts", () => {
  it.each([
    ["http://a", true],
    ["HTTPS://a", true],
    ["mailto:a@b", true],
    ["tel:110", true],
    ["httpx", false],
    ["/http://a", false],
    ["javascript:alert(1)", false],
  ])("isExternal(%s) is %s", (uri, expected) => expect(isExternal(uri)).toBe(expected));

  it.each([
    ["", "im/people", "/im/people"],
    ["/im", "people", "/im/people"],
    ["/im", "im/people", "/im/people"],
    ["/im", "/other", "/other"],
    ["/im", "image", "/im/image"],
    ["", "/a//b/?x=1", "/a/b"],
  ])("menuPath(%j, %j) is %s", (parent, uri, expected) =>
    expect(menuPath(parent, uri)).toBe(expected),
  );

  it("the sidebar has the platform's id beside its data page alone", () => {
    expect(sidebarId("/data/index")).toBe("display_Menu");
    expect(["/data", "/data/index/1", "/"].map(sidebarId)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("openContainers finds the containers above a path", () => {
    const { sidebar } = buildMenus(
      [
        entry("a", "/a", {}, [
          entry("b", "b", {}, [entry("c", "c"), entry("d", "d")]),
          entry("e", "e"),
        ]),
      ],
      viewer,
    );
    expect(openContainers(sidebar, "/a/b/d")).toEqual(["a", "b"]);
    expect(openContainers(sidebar, "/a/e")).toEqual(["a"]);
    expect(openContainers(sidebar, "/nowhere")).toEqual([]);
  });
});
