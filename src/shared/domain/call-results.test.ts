import { describe, expect, it } from "vitest";
import { callResultOf } from "./call-results.ts";

describe("callResultOf", () => {
  it.each([
    ["out", "ended", true, "answered"],
    ["out", "cancelled", false, "cancelled"],
    ["out", "busy", false, "busy"],
    ["out", "refused", false, "refused"],
    ["out", "no-response", false, "no-response"],
    ["out", "call.media-failed", false, "failed"],
    ["in", "ended", true, "answered"],
    ["in", "refused", false, "refused"],
    ["in", "cancelled", false, "missed"],
    ["in", "not-answered", false, "missed"],
    ["in", "no-confirm", false, "missed"],
    ["in", "elsewhere", false, null],
  ] as const)(
    "an %s call with the outcome %s, answered: %s, is %s",
    (direction, outcome, answered, result) => {
      expect(callResultOf(direction, outcome, answered)).toBe(result);
    },
  );
});
