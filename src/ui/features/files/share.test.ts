import { expect, it } from "vitest";
import { shareOf } from "./share.ts";

it.each([
  [0, 100, { percent: 0, said: "0", state: "free" }],
  [1, 1000, { percent: 0, said: "<1", state: "free" }],
  [899, 1000, { percent: 89, said: "89", state: "free" }],
  [900, 1000, { percent: 90, said: "90", state: "near" }],
  [999, 1000, { percent: 99, said: "99", state: "near" }],
  [1000, 1000, { percent: 100, said: "100", state: "full" }],
  // The limit was lowered.
  [3000, 1000, { percent: 100, said: "100", state: "full" }],
])("%i of %i bytes are %o", (bytes, limit, share) => {
  expect(shareOf(bytes, limit)).toEqual(share);
});
