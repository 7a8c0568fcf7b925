import { expect, it } from "vitest";
import type { MenuEntry } from "../../../shared/protocol/rest/entities.ts";
import { idsOf, nodesById, toggled } from "./check-tree.ts";
import { chosenOf, difference, rightsOf, rightsTree, type Wording } from "./rights.ts";

const WORDING: Wording = {
  language: "en",
  permission: (name) => `P ${name}`,
  action: (name) => `A ${name}`,
  other: "Other",
};
const entry = (id: string, code: string, uri: string, childMenu: MenuEntry[] = []): MenuEntry => ({
  id,
  code,
  name: `菜单${id}`,
  icon: "",
  uri,
  hidden: false,
  elementProperties: { titles: { zh: `菜单${id}`, en: `Menu ${id}` } },
  childMenu,
});
const ENTRIES = [
  entry("1", "system", "/system", [
    entry("2", "system-role", "/system/role"),
    entry("3", "system-dept", "/system/dept"),
  ]),
  entry("4", "supplier-employees", "/supplier/employees"),
];
const KNOWN = [
  { name: "supplier:employee:edit", mine: true },
  { name: "system:account:disable", mine: true },
  { name: "system:demo:remove", mine: true },
  { name: "system:notice:edit", mine: true },
  { name: "system:role:edit", mine: false },
  { name: "system:role:query", mine: true },
];
const treeOf = (permissions: readonly string[] = [], builtIn = false) =>
  rightsTree(ENTRIES, KNOWN, { builtIn, permissions }, WORDING);

it("Permissions stand below their page; those without one, of a page that is not there, or of an earlier program stand in the last group", () => {
  const tree = treeOf(["old:one:edit"]);
  expect(tree.map(({ title, page }) => [title, page])).toEqual([
    ["Menu 1", false],
    ["Menu 4", true],
    ["Other", undefined],
  ]);
  const [roles, departments] = tree[0]!.children;
  expect(roles?.children.map(({ title, note, locked }) => [title, note, locked])).toEqual([
    ["A system:role:edit", "system:role:edit", true],
    ["A system:role:query", "system:role:query", false],
  ]);
  expect([departments?.page, departments?.children]).toEqual([true, []]);
  // Where a page has several groups, the title names the group.
  expect(tree[1]?.children.map(({ title }) => title)).toEqual([
    "P supplier:employee:edit",
    "P system:account:disable",
  ]);
  expect(tree[2]?.children.map(({ title, locked }) => [title, locked])).toEqual([
    ["P old:one:edit", false],
    ["P system:demo:remove", false],
    ["P system:notice:edit", false],
  ]);
});

it("What a role has and what is chosen are the same, whatever it holds", () => {
  const rights = { menuIds: ["2", "4"], permissions: ["old:one:edit", "system:role:query"] };
  const tree = treeOf(rights.permissions);
  const chosen = chosenOf(tree, rights);
  expect(rightsOf(chosen)).toEqual(rights);
  // The last group is chosen with what it holds, and is no right itself.
  expect(chosen.has(tree[2]!.id)).toBe(true);
  expect(chosenOf(tree, { menuIds: ["4"], permissions: [] }).has(tree[2]!.id)).toBe(false);
  const all = new Set(idsOf(tree));
  expect(rightsOf(all).menuIds).toEqual(["1", "2", "3", "4"]);
  expect(rightsOf(all).permissions.toSorted()).toEqual([
    "old:one:edit",
    ...KNOWN.map(({ name }) => name),
  ]);
});

it("A page that is turned on brings the permissions that the person may hand on", () => {
  const tree = treeOf();
  const chosen = toggled(tree, new Set(), "2", true);
  expect(rightsOf(chosen)).toEqual({ menuIds: ["2", "1"], permissions: ["system:role:query"] });
});

it("The administrator's role has its menus alone, of which two stay", () => {
  const tree = treeOf(["*:*:*"], true);
  expect(idsOf(tree)).toEqual(["1", "2", "3", "4"]);
  const locked = [...nodesById(tree).values()].filter((node) => node.locked);
  expect(locked.map(({ id }) => id)).toEqual(["1", "2"]);
});

it("Says what another person added and removed, permissions with their page", () => {
  const tree = treeOf();
  const chosenBy = (menuIds: string[], permissions: string[]) =>
    chosenOf(tree, { menuIds, permissions });
  const before = chosenBy(["1", "2"], ["system:role:query"]);
  const after = chosenBy(["4"], ["system:role:edit", "system:demo:remove"]);
  expect(difference(tree, before, after)).toEqual({
    added: ["Menu 2 · A system:role:edit", "Menu 4", "Other · P system:demo:remove"],
    removed: ["Menu 1", "Menu 2", "Menu 2 · A system:role:query"],
  });
});
