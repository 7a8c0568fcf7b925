import { expect, test } from "vitest";
import { type HostFeatures, unsupportedReason } from "./host.ts";

const all: HostFeatures = { secure: true, sharedWorker: true, locks: true, language: true };

test.each<[string, Partial<HostFeatures>, ReturnType<typeof unsupportedReason>]>([
  ["a current browser over https", {}, null],
  [
    "over plain http from another machine, which has no locks",
    { secure: false, locks: false },
    "insecure",
  ],
  [
    "over plain http in an old browser: the missing https is reported first",
    { secure: false, locks: false, sharedWorker: false, language: false },
    "insecure",
  ],
  ["Chrome on Android", { sharedWorker: false }, "noSharedWorker"],
  ["an old browser, which has no locks over https", { locks: false }, "old"],
  [
    "an old browser with locks and workers, but without new language features",
    { language: false },
    "old",
  ],
])("unsupportedReason of %s", (_title, missing, reason) => {
  expect(unsupportedReason({ ...all, ...missing })).toBe(reason);
});
