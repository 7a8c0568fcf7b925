import { describe, expect, it } from "vitest";
import { heldBy, outOfSight } from "./useChoice.ts";

const row = (id: string) => ({ id });

describe("Chosen rows that a person may not know of", () => {
  const chosen = [
    { row: row("a"), query: "all" },
    { row: row("b"), query: "all" },
    { row: row("c"), query: "department 2" },
  ];

  it("are those of another query that are not loaded", () => {
    const shown = { query: "department 2", loaded: () => [row("b"), row("c"), row("d")] };
    expect(outOfSight(chosen, shown)).toEqual([row("a")]);
  });

  it("are none under the query of their choice, wherever the list is scrolled", () => {
    const first = chosen.slice(0, 2);
    expect(outOfSight(first, { query: "all", loaded: () => [] })).toEqual([]);
  });
});

describe("All rows that a filter holds", () => {
  const whole = { query: "department 2", except: new Set(["7"]), lapsed: false };

  it("stay chosen under the same filter, but for those that were taken out", () => {
    expect(heldBy(whole, "department 2")).toBe(whole);
  });

  it("are chosen no more under another filter, and the list says so, also when the first one comes back", () => {
    const after = heldBy(whole, "all");
    expect(after).toMatchObject({ except: null, lapsed: true });
    expect(heldBy(after, "department 2")).toBe(after);
  });
});
