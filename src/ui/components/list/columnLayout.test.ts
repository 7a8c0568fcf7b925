import { describe, expect, it } from "vitest";
import {
  AS_DECLARED,
  fitting,
  hiddenOf,
  keptLayout,
  moved,
  orderOf,
  readLayout,
  tracksOf,
  WIDTH,
} from "./columnLayout.ts";

const DECLARED = ["name", "phone", "department", "position"];

describe("The columns of a list", () => {
  it("stand in the chosen order, and one that is new stands where it is declared", () => {
    expect(orderOf(DECLARED, [])).toEqual(DECLARED);
    expect(orderOf(DECLARED, ["position", "phone", "name", "department"])).toEqual([
      "position",
      "phone",
      "name",
      "department",
    ]);
    expect(orderOf(DECLARED, ["position", "name", "department"])).toEqual([
      "position",
      "name",
      "phone",
      "department",
    ]);
    expect(orderOf(["new", ...DECLARED], ["position", "name", "phone", "department"])).toEqual([
      "new",
      "position",
      "name",
      "phone",
      "department",
    ]);
  });

  it("are not those of keys that the list does not know", () => {
    expect(orderOf(DECLARED, ["gone", "phone", "name", "department", "position"])).toEqual([
      "phone",
      "name",
      "department",
      "position",
    ]);
    expect(hiddenOf(DECLARED, ["gone", "phone"])).toEqual(["phone"]);
  });

  it("are all shown when all that are left would be hidden", () => {
    expect(hiddenOf(["name", "phone"], ["phone", "name", "position"])).toEqual([]);
  });

  it("keep what was set up for columns that the list does not have now", () => {
    const own = ["name", "own", "phone"];
    const before = { order: ["phone", "own", "name"], hidden: ["own"], widths: { own: 90 } };
    const kept = keptLayout(before, ["name", "phone"], {
      order: ["phone", "name"],
      hidden: [],
      widths: { name: 200 },
    });
    expect(kept.widths).toEqual({ name: 200, own: 90 });
    expect(orderOf(own, kept.order)).toEqual(["phone", "own", "name"]);
    expect(hiddenOf(own, kept.hidden)).toEqual(["own"]);
  });

  it("follow a later change of what is declared while the order is the declared one", () => {
    const kept = keptLayout(AS_DECLARED, DECLARED, { ...AS_DECLARED, order: DECLARED });
    expect(kept).toEqual(AS_DECLARED);
  });

  it("keep the choice that was made before they had keys, if there are as many of them", () => {
    const earlier = { count: 4, hidden: [1, 3] };
    expect(readLayout(earlier, DECLARED).hidden).toEqual(["phone", "position"]);
    expect(readLayout(earlier, [...DECLARED, "new"])).toEqual(AS_DECLARED);
    expect(readLayout("nonsense", DECLARED)).toEqual(AS_DECLARED);
    const layout = { order: ["phone"], hidden: ["name"], widths: { phone: 99 } };
    expect(readLayout(layout, DECLARED)).toEqual(layout);
  });
});

it("A column moves to any place, and not beyond the ends", () => {
  expect(moved(DECLARED, "phone", 2)).toEqual(["name", "department", "phone", "position"]);
  expect(moved(DECLARED, "name", -1)).toEqual(DECLARED);
  expect(moved(DECLARED, "name", 9)).toEqual(["phone", "department", "position", "name"]);
});

it("A width stays within the limits, in whole pixels", () => {
  expect(fitting(3)).toBe(WIDTH.least);
  expect(fitting(5000)).toBe(WIDTH.most);
  expect(fitting(120.6)).toBe(121);
});

it("A column with a chosen width has it, and the last one fills the table if all widths are chosen", () => {
  const columns = [
    { key: "name", width: "minmax(140px, 1.4fr)" },
    { key: "phone", width: undefined },
  ];
  expect(tracksOf(columns, {})).toEqual(["minmax(140px, 1.4fr)", "minmax(120px, 1fr)"]);
  expect(tracksOf(columns, { name: 90 })).toEqual(["90px", "minmax(120px, 1fr)"]);
  expect(tracksOf(columns, { name: 90, phone: 80 })).toEqual(["90px", "minmax(80px, 1fr)"]);
});
