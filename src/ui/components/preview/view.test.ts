import { expect, it } from "vitest";
import { actOfKey, actOfSwipe, firstView, type Act, viewed, ZOOM } from "./view.ts";

const acts = (count: number, ...names: readonly Exclude<Act["do"], "move">[]) =>
  names.reduce((view, name) => viewed(view, { do: name }, count), firstView(0));
const times = (count: number, name: Exclude<Act["do"], "move">) =>
  Array.from({ length: count }, () => name);

it("Next and previous stop at the last and the first picture", () => {
  expect(acts(3, "next", "next", "next").index).toBe(2);
  expect(acts(3, "next", "previous", "previous").index).toBe(0);
});

it("Another picture begins unturned and at its whole size", () => {
  expect(acts(2, "larger", "turn", "next")).toEqual(firstView(1));
});

it("The zoom stays between a quarter and eight times the size", () => {
  expect(acts(1, ...times(40, "larger")).zoom).toBe(ZOOM.most);
  expect(acts(1, ...times(40, "smaller")).zoom).toBe(ZOOM.least);
  expect(acts(1, "larger", "larger", "fit").zoom).toBe(1);
});

it("A turn goes by a quarter, and four of them lead back without running backwards", () => {
  expect(acts(1, "turn").turn).toBe(90);
  expect(acts(1, "turnBack").turn).toBe(-90);
  expect(acts(1, "turn", "turn", "turn", "turn").turn).toBe(360);
});

it("A picture can be moved while it is larger than the window, and stands in the middle otherwise", () => {
  const move: Act = { do: "move", x: 30, y: -10 };
  expect(viewed(firstView(0), move, 1)).toEqual(firstView(0));
  const moved = viewed(acts(1, "larger"), move, 1);
  expect(moved).toMatchObject({ x: 30, y: -10 });
  expect(viewed(moved, { do: "smaller" }, 1)).toMatchObject({ x: 0, y: 0 });
});

it("Arrow keys lead from picture to picture, and over an enlarged one", () => {
  const fit = firstView(0);
  const large = { ...fit, zoom: 2 };
  expect(actOfKey("ArrowRight", fit)).toEqual({ do: "next" });
  expect(actOfKey("ArrowLeft", fit)).toEqual({ do: "previous" });
  expect(actOfKey("ArrowUp", fit)).toBeNull();
  expect(actOfKey("ArrowRight", large)).toEqual({ do: "move", x: -40, y: 0 });
  expect(actOfKey("PageDown", large)).toEqual({ do: "next" });
});

it("A finger that goes left or right leads to the next or the previous picture; a short or slanting way leads nowhere", () => {
  expect(actOfSwipe(-48, 20)).toEqual({ do: "next" });
  expect(actOfSwipe(90, -60)).toEqual({ do: "previous" });
  expect([actOfSwipe(47, 0), actOfSwipe(-60, 50), actOfSwipe(0, 200)]).toEqual([null, null, null]);
});

it("Plus, minus, zero and R enlarge, shrink, fit and turn; other keys do nothing", () => {
  const fit = firstView(0);
  expect(["+", "=", "-", "0", "r", "R"].map((key) => actOfKey(key, fit)?.do)).toEqual([
    "larger",
    "larger",
    "smaller",
    "fit",
    "turn",
    "turnBack",
  ]);
  expect(actOfKey("a", fit)).toBeNull();
});
