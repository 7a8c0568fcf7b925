import { expect, it } from "vitest";
import {
  difference,
  isPermission,
  menuNodes,
  merged,
  permissionNodes,
  withGroups,
} from "./rights.ts";

const titles = { group: (name: string) => `G ${name}`, action: (name: string) => `A ${name}` };
const KNOWN = [
  { name: "system:role:edit", mine: false },
  { name: "system:role:query", mine: true },
  { name: "a:b:c", mine: true },
];

it("Permissions stand in groups; what the person lacks is locked, and a name of an earlier program stays", () => {
  const nodes = permissionNodes(KNOWN, ["old:one:edit"], titles);
  expect(nodes.map(({ title }) => title)).toEqual(["G a:b", "G old:one", "G system:role"]);
  expect(nodes[2]?.children.map(({ title, note, locked }) => [title, note, locked])).toEqual([
    ["A edit", "system:role:edit", true],
    ["A query", "system:role:query", false],
  ]);
  const checked = withGroups(nodes, ["system:role:query"]);
  expect([...checked].filter(isPermission)).toEqual(["system:role:query"]);
  expect(checked.has(nodes[2]?.id ?? "")).toBe(true);
  expect(checked.has(nodes[0]?.id ?? "")).toBe(false);
});

it("Menus have titles in the language, and some are locked", () => {
  const entry = {
    id: "1",
    code: "system",
    name: "系统",
    icon: "",
    uri: "",
    hidden: false,
    elementProperties: { titles: { zh: "系统", en: "System" } },
    childMenu: [],
  };
  expect(menuNodes([entry], "en", ["system"])).toEqual([
    { id: "1", title: "System", locked: true, children: [] },
  ]);
});

it("Says what another person added and removed", () => {
  const nodes = permissionNodes(KNOWN, [], titles);
  expect(difference(nodes, new Set(["a:b:c"]), new Set(["system:role:edit"]))).toEqual({
    added: ["A edit"],
    removed: ["A c"],
  });
});

it("Joins what two people turned on and off", () => {
  const setOf = (...ids: string[]) => new Set(ids);
  // a stays, b was turned off here, c there, d was turned on here, e there.
  expect([...merged(setOf("a", "b", "c"), setOf("a", "c", "d"), setOf("a", "b", "e"))]).toEqual([
    "a",
    "e",
    "d",
  ]);
});
