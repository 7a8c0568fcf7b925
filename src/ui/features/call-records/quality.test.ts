import { expect, it } from "vitest";
import { qualityOf } from "./quality.ts";

it.each([
  [{ rtt: null, loss: 0 }, "good"],
  [{ rtt: 300, loss: 2 }, "good"],
  [{ rtt: 301, loss: 0 }, "fair"],
  [{ rtt: 20, loss: 2.1 }, "fair"],
  [{ rtt: 601, loss: 0 }, "poor"],
  [{ rtt: null, loss: 8.1 }, "poor"],
])("a call with %o was %s", (measured, name) => {
  expect(qualityOf(measured).name).toBe(name);
});
