import { expect, it } from "vitest";
import {
  allToggled,
  type CheckNode,
  countBelow,
  idsOf,
  joined,
  matching,
  nodesById,
  pagesOf,
  stateOf,
  toggled,
  turnsOn,
} from "./check-tree.ts";

const node = (id: string, children: CheckNode[] = [], locked = false): CheckNode => ({
  id,
  title: `T-${id}`,
  locked,
  children,
});
const TREE = [node("a", [node("b", [node("c"), node("d")]), node("e")]), node("f")];
const after = (checked: string[], id: string, on: boolean, tree = TREE) =>
  [...toggled(tree, new Set(checked), id, on)].toSorted();

it("A choice takes along what is below and what is above", () => {
  expect(after([], "b", true)).toEqual(["a", "b", "c", "d"]);
  expect(after([], "c", true)).toEqual(["a", "b", "c"]);
});

it("What has nothing chosen below it any more is turned off too", () => {
  expect(after(["a", "b", "c", "d", "e"], "b", false)).toEqual(["a", "e"]);
  expect(after(["a", "b", "c"], "c", false)).toEqual([]);
});

it("A container is chosen in part unless everything below is chosen", () => {
  const [a] = TREE;
  expect(stateOf(a!, new Set())).toBe("none");
  expect(stateOf(a!, new Set(["a", "b", "c"]))).toBe("some");
  expect(stateOf(a!, new Set(["a", "b", "c", "d", "e"]))).toBe("all");
});

it("What is locked stays, by itself and with all others", () => {
  const tree = [node("a", [node("b", [], true), node("c")], true), node("d")];
  expect(after(["a", "b", "c"], "a", false, tree)).toEqual(["a", "b"]);
  expect([...allToggled(tree, new Set(["a", "b", "c", "d"]), false)]).toEqual(["a", "b"]);
  expect([...allToggled(tree, new Set(["a"]), true)].toSorted()).toEqual(["a", "c", "d"]);
});

it("A word keeps what contains it, with all below and what stands above", () => {
  expect(idsOf(matching(TREE, "t-b"))).toEqual(["a", "b", "c", "d"]);
  expect(idsOf(matching(TREE, "T-D"))).toEqual(["a", "b", "d"]);
  expect(idsOf(matching(TREE, " "))).toEqual(idsOf(TREE));
  expect(matching(TREE, "none")).toEqual([]);
});

it("While a search hides entries, a container has the state of all of them, and a click changes what is shown alone", () => {
  const shown = matching(TREE, "t-d");
  const container = shown[0]!;
  const click = (checked: readonly string[]) => {
    const set = new Set(checked);
    return [...toggled(TREE, set, "a", turnsOn(container, set), shown)].toSorted();
  };
  expect(stateOf(nodesById(TREE).get("a")!, new Set(["a", "b", "d"]))).toBe("some");
  expect(click([])).toEqual(["a", "b", "d"]);
  expect(click(["a", "e"])).toEqual(["a", "b", "d", "e"]);
  // All that is shown is chosen already, so the click gives it up. What is hidden stays, with the containers that it needs.
  expect(click(["a", "b", "c", "d", "e"])).toEqual(["a", "b", "c", "e"]);
  expect(click(["a", "b", "d"])).toEqual([]);
});

it("All or nothing under a search concerns what is shown", () => {
  const shown = matching(TREE, "t-c");
  const all = (checked: readonly string[], on: boolean) =>
    [...allToggled(TREE, new Set(checked), on, shown)].toSorted();
  expect(all(["f"], true)).toEqual(["a", "b", "c", "f"]);
  expect(all(["a", "b", "c", "d", "f"], false)).toEqual(["a", "b", "d", "f"]);
});

// A container with two pages; the first one has the permissions q and e.
const page = (id: string, children: CheckNode[] = []): CheckNode => ({
  ...node(id, children),
  page: true,
});
const PAGES = [node("box", [page("p", [node("q"), node("e")]), page("r")]), page("s")];

it("A page stays when its last permission is turned off; a permission needs its page and what is above it", () => {
  const on = (checked: string[], id: string) => after(checked, id, true, PAGES);
  const off = (checked: string[], id: string) => after(checked, id, false, PAGES);
  expect(off(["box", "p", "q"], "q")).toEqual(["box", "p"]);
  expect(on([], "e")).toEqual(["box", "e", "p"]);
  expect(on([], "p")).toEqual(["box", "e", "p", "q"]);
  expect(off(["box", "e", "p", "q"], "p")).toEqual([]);
  expect(off(["box", "p"], "p")).toEqual([]);
  // A permission that a role holds without its page needs no container.
  expect(off(["q"], "q")).toEqual([]);
  expect(stateOf(PAGES[0]!.children[0]!, new Set(["p"]))).toBe("some");
  expect(countBelow(PAGES[0]!.children[0]!, new Set(["p", "e", "s"]))).toEqual({
    count: 1,
    total: 2,
  });
  expect(pagesOf(PAGES)).toEqual(["p", "r", "s"]);
});

it("Permissions that are locked stay, and so does their page while it was chosen", () => {
  const tree = [page("p", [node("q", [], true), node("e")])];
  expect(after([], "p", true, tree)).toEqual(["e", "p"]);
  expect(after(["p", "q", "e"], "p", false, tree)).toEqual(["p", "q"]);
  expect(turnsOn(tree[0]!, new Set(["p", "e"]))).toBe(false);
});

it("All or nothing of a search for permissions leaves the pages that hold others", () => {
  const shown = matching(PAGES, "t-e");
  const all = (checked: readonly string[], on: boolean) =>
    [...allToggled(PAGES, new Set(checked), on, shown)].toSorted();
  expect(all([], true)).toEqual(["box", "e", "p"]);
  expect(all(["box", "p", "q", "e"], false)).toEqual(["box", "p", "q"]);
  expect(all(["box", "p", "e", "s"], false)).toEqual(["s"]);
});

it("Joins what two people turned on and off", () => {
  const flat = ["a", "b", "c", "d", "e"].map((id) => page(id));
  const both = (before: string[], ours: string[], theirs: string[], tree = flat) =>
    [...joined(tree, new Set(before), new Set(ours), new Set(theirs))].toSorted();
  // a stays, b was turned off here, c there, d was turned on here, e there.
  expect(both(["a", "b", "c"], ["a", "c", "d"], ["a", "b", "e"])).toEqual(["a", "d", "e"]);
  // They took the page of a permission that was turned on here, so the page comes back with what is above it.
  expect(both(["box", "p", "q"], ["box", "p", "q", "e"], [], PAGES)).toEqual(["box", "e", "p"]);
  // Each took one of two pages, so their container goes too.
  expect(both(["box", "p", "r"], ["box", "r"], ["box", "p"], PAGES)).toEqual([]);
  // They added a page to the container that was emptied here.
  expect(both(["box", "p"], [], ["box", "p", "r"], PAGES)).toEqual(["box", "r"]);
});
