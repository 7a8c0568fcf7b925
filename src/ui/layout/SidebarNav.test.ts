import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import type { SidebarItem } from "../../shared/domain/menus.ts";
import { SidebarNav } from "./SidebarNav.tsx";

const item = (over: Partial<SidebarItem>): SidebarItem => ({
  id: "1",
  title: "入口",
  icon: "",
  to: "/a",
  external: false,
  children: [],
  ...over,
});
const shown = (items: readonly SidebarItem[]): string =>
  renderToStaticMarkup(
    createElement(
      MemoryRouter,
      { initialEntries: ["/a"] },
      createElement(SidebarNav, { items, folded: false, onUnfold: () => undefined, counts: {} }),
    ),
  );

it("An external link opens in a new tab, and a page of the console in this one", () => {
  const external = shown([item({ to: "https://ai.example/x", external: true })]);
  expect(external).toMatch(/<a[^>]* href="https:\/\/ai\.example\/x"[^>]* target="_blank"/);
  expect(external).toContain('rel="noopener noreferrer"');
  const own = shown([item({ to: "/b" })]);
  expect(own).toContain('href="/b"');
  expect(own).not.toContain("target=");
});

it("The container above the page that is shown is open, another one is folded", () => {
  const markup = shown([
    item({ id: "here", title: "此处", to: "", children: [item({ id: "a", title: "甲" })] }),
    item({ id: "there", title: "别处", to: "", children: [item({ id: "b", to: "/b" })] }),
  ]);
  expect([...markup.matchAll(/aria-expanded="(\w+)"/g)].map(([, open]) => open)).toEqual([
    "true",
    "false",
  ]);
});
