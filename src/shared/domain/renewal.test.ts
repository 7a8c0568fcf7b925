import { describe, expect, it } from "vitest";
import { LEFT_ALONE, type Renewal, renewalOf, type RenewalFacts } from "./renewal.ts";

/** A hidden tab in which nothing goes on. */
const IDLE: RenewalFacts = {
  newer: true,
  inCall: false,
  unsaved: false,
  importing: false,
  sending: false,
  hidden: true,
  quiet: 0,
  tried: false,
};

describe("A tab of a replaced build", () => {
  it.each<[string, Partial<RenewalFacts>, Renewal]>([
    ["reloads by itself while it is hidden", {}, "reload"],
    ["reloads by itself when it is left alone", { hidden: false, quiet: LEFT_ALONE }, "reload"],
    ["asks while the person is there", { hidden: false, quiet: LEFT_ALONE - 1 }, "ask"],
    ["asks with unsaved input", { unsaved: true }, "ask"],
    ["asks while an import is sent", { importing: true }, "ask"],
    ["asks while a file or message is sent", { sending: true }, "ask"],
    ["holds its offer while a tab carries a call", { inCall: true }, "hold"],
    ["asks when a reload brought the old build again", { tried: true }, "ask"],
    ["has nothing to offer once its build is served again", { newer: false }, "none"],
    [
      "has nothing to offer in a call without another build",
      { newer: false, inCall: true, unsaved: true },
      "none",
    ],
  ])("%s", (_title, facts, renewal) => {
    expect(renewalOf({ ...IDLE, ...facts })).toBe(renewal);
  });

  it("reloads by itself in no state in which something can be lost or interrupted", () => {
    const flags = ["inCall", "unsaved", "importing", "sending"] as const;
    for (let bits = 1; bits < 1 << flags.length; bits += 1) {
      const facts = Object.fromEntries(flags.map((flag, i) => [flag, ((bits >> i) & 1) === 1]));
      for (const quiet of [0, LEFT_ALONE]) {
        const renewal = renewalOf({ ...IDLE, ...facts, quiet });
        expect([facts, renewal]).not.toEqual([facts, "reload"]);
      }
    }
  });
});
