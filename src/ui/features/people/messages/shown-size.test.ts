import { expect, test } from "vitest";
import { shownSize } from "./shown-size.ts";

test.each([
  [1600, 1000, { width: 300, height: 188 }],
  [100, 80, { width: 100, height: 80 }],
  [1000, 4000, { width: 75, height: 300 }],
  [4000, 10, { width: 300, height: 72 }],
  [null, null, { width: 220, height: 165 }],
])("A picture of %o by %o px keeps a place of %o", (width, height, place) => {
  expect(shownSize(width, height)).toEqual(place);
});
