import { expect, it } from "vitest";
import {
  allToggled,
  type CheckNode,
  idsOf,
  matching,
  nodesById,
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
