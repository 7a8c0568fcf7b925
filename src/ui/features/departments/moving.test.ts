import { expect, it } from "vitest";
import { dropSpot, keySpot, type MoveKey, type Part, spotOf } from "./moving.ts";

const ROWS = [
  { id: "a", parentId: null },
  { id: "a1", parentId: "a" },
  { id: "a11", parentId: "a1" },
  { id: "a2", parentId: "a" },
  { id: "b", parentId: null },
  { id: "c", parentId: null },
];
const drop = (id: string, over: string, part: Part, open = true) =>
  dropSpot(ROWS, id, { id: over, part, open });
const key = (id: string, which: MoveKey) => keySpot(ROWS, id, which);

it("Says where a department stands", () => {
  expect(spotOf(ROWS, "a1")).toEqual({ parentId: "a", beforeId: "a2" });
  expect(spotOf(ROWS, "c")).toEqual({ parentId: null, beforeId: null });
  expect(spotOf(ROWS, "x")).toBeNull();
});

it("A drop on a row goes below it, as the last one", () => {
  expect(drop("b", "a", "into")).toEqual({ parentId: "a", beforeId: null });
  expect(drop("a1", "a", "into")).toEqual({ parentId: "a", beforeId: null });
  expect(drop("a2", "a", "into")).toBeNull();
});

it("A drop between two rows goes there", () => {
  expect(drop("b", "a2", "before")).toEqual({ parentId: "a", beforeId: "a2" });
  expect(drop("c", "b", "before")).toEqual({ parentId: null, beforeId: "b" });
  expect(drop("a2", "a1", "before")).toEqual({ parentId: "a", beforeId: "a1" });
  expect(drop("a", "b", "after")).toEqual({ parentId: null, beforeId: "c" });
  expect(drop("a", "c", "after")).toEqual({ parentId: null, beforeId: null });
  // Below an unfolded row comes its first one, below a folded row its neighbour.
  expect(drop("b", "a", "after")).toEqual({ parentId: "a", beforeId: "a1" });
  expect(drop("c", "a", "after", false)).toEqual({ parentId: null, beforeId: "b" });
});

it("A drop where the department stands changes nothing", () => {
  for (const part of ["before", "into", "after"] as const) expect(drop("b", "b", part)).toBeNull();
  expect(drop("b", "a", "after", false)).toBeNull();
  expect(drop("b", "c", "before")).toBeNull();
});

it("No department goes below itself", () => {
  expect(drop("a", "a1", "into")).toBe("own");
  expect(drop("a", "a1", "before")).toBe("own");
  expect(drop("a", "a11", "after")).toBe("own");
});

it("Keys move among the neighbours, below the one above, and out of the parent", () => {
  expect(key("b", "up")).toEqual({ parentId: null, beforeId: "a" });
  expect(key("a", "up")).toBeNull();
  expect(key("a", "down")).toEqual({ parentId: null, beforeId: "c" });
  expect(key("b", "down")).toEqual({ parentId: null, beforeId: null });
  expect(key("c", "down")).toBeNull();
  expect(key("b", "in")).toEqual({ parentId: "a", beforeId: null });
  expect(key("a1", "in")).toBeNull();
  expect(key("a11", "out")).toEqual({ parentId: "a", beforeId: "a2" });
  expect(key("a2", "out")).toEqual({ parentId: null, beforeId: "b" });
  expect(key("c", "out")).toBeNull();
});
