import { describe, expect, it } from "vitest";
import { stepsOf, valuesAt } from "./chart-data.ts";
import { coresAddress, readFilters, readView, viewAddress, windowOf } from "./fleet-view.ts";

describe("The address of the fleet", () => {
  it.each([
    ["", { time: "now", zoom: null, scope: "company" }],
    ["?time=month&scope=all", { time: "month", zoom: null, scope: "all" }],
    [
      "?time=day&from=1000&to=2000",
      { time: "day", zoom: { from: 1000, to: 2000 }, scope: "company" },
    ],
  ] as const)("%s says what is shown, and is made of it", (search, view) => {
    expect(readView(search)).toEqual(view);
    expect(viewAddress(view)).toBe(search);
  });

  it("ignores what it does not know", () => {
    expect(readView("?time=year&from=5&to=2&scope=world")).toEqual({
      time: "now",
      zoom: null,
      scope: "company",
    });
    expect(readView("?time=toString&from=x&to=9").time).toBe("now");
  });

  it("names the cores behind a number", () => {
    expect(coresAddress("company")).toBe("/monitor/cores");
    const address = coresAddress("all", { browser: "Google Chrome 140" });
    expect(address).toBe("/monitor/cores?scope=all&browser=Google+Chrome+140");
    expect(readFilters(address.slice(address.indexOf("?")))).toEqual({
      browser: "Google Chrome 140",
    });
  });

  it("has a time whose end moves on by steps", () => {
    const { full, bounds } = windowOf("now", 1_000_000_000_001);
    expect(full.to - full.from).toBe(900_000);
    expect(full.to % 15_000).toBe(0);
    expect(bounds.to).toBe(full.to);
    expect(windowOf("now", 1_000_000_001_000).full).toEqual(full);
  });
});

describe("Series of the fleet", () => {
  it("have a number for each step, and what lacks is null or nothing", () => {
    const times = stepsOf({ from: 5_000, to: 40_000 }, 10);
    expect(times).toEqual([10_000, 20_000, 30_000]);
    const points = [{ time: new Date(20_000).toISOString(), value: 4, p99: 9 }];
    expect(
      valuesAt(
        times,
        points,
        ({ value }) => value,
        () => null,
      ),
    ).toEqual([null, 4, null]);
    expect(
      valuesAt(
        times,
        points,
        ({ p99 }) => p99,
        (time) => (time < 20_000 ? null : 0),
      ),
    ).toEqual([null, 9, 0]);
  });
});
