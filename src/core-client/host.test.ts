import { expect, test } from "vitest";
import { type HostFeatures, unsupportedReason } from "./host.ts";

const all: HostFeatures = { secure: true, sharedWorker: true, locks: true, language: true };

test.each<[string, Partial<HostFeatures>, ReturnType<typeof unsupportedReason>]>([
  ["a current browser by https", {}, null],
  ["plain http from another machine has no locks", { secure: false, locks: false }, "insecure"],
  [
    "plain http, and a browser that lacks more: https comes first",
    { secure: false, locks: false, sharedWorker: false, language: false },
    "insecure",
  ],
  ["Chrome on Android", { sharedWorker: false }, "noSharedWorker"],
  ["by https without locks: an old browser", { locks: false }, "old"],
  ["locks and workers, but not the language", { language: false }, "old"],
])("%s", (_title, missing, reason) => {
  expect(unsupportedReason({ ...all, ...missing })).toBe(reason);
});
