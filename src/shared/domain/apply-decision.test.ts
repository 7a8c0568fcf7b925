import { expect, test } from "vitest";
import { applyStatusSchema } from "../protocol/rest/registration.ts";
import { mayBecome } from "./apply-decision.ts";

test("An application is decided once, but a refusal can be turned into an approval", () => {
  const all = applyStatusSchema.options;
  const allowed = all.flatMap((from) =>
    all.filter((to) => mayBecome(from, to)).map((to) => `${from} > ${to}`),
  );
  expect(allowed).toEqual(["pending > approved", "pending > refused", "refused > approved"]);
});
