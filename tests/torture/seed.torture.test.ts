/** The seed of a run decides every random choice in it, so that a failure can be repeated. */
import { expect, it } from "vitest";
import { tortureRandom } from "../support/seed.ts";

it("The same seed draws the same numbers", () => {
  const draw = (): number[] => {
    const random = tortureRandom("seed");
    return [random(), random(), random()];
  };
  const drawn = draw();
  console.log("drawn", drawn.join(","));
  if (process.env["TORTURE_SEED"] !== undefined) expect(draw()).toEqual(drawn);
  expect(new Set(drawn).size).toBe(3);
});
