import "fake-indexeddb/auto";
import { expect, it } from "vitest";
import { createCorrectionStore, type CorrectionsOf } from "./corrections.ts";

const DAY = 24 * 3_600_000;
const fileOf = (fileHash: string, more: Partial<CorrectionsOf> = {}): CorrectionsOf => ({
  accountId: "1",
  supplierId: "2",
  fileHash,
  ...more,
});
const corrections = [{ kind: "edit", row: 3, column: 1, value: "李四" }] as const;

it("Corrections are kept by account, company and file, for 30 days", async () => {
  let now = 0;
  const store = createCorrectionStore(() => now);
  await store.save(fileOf("a"), { corrections: [...corrections], decision: "ask" });
  expect(await store.load(fileOf("a"))).toEqual({ at: 0, corrections, decision: "ask" });
  expect(await store.load(fileOf("b"))).toBeNull();
  expect(await store.load(fileOf("a", { accountId: "9" }))).toBeNull();
  expect(await store.load(fileOf("a", { supplierId: "9" }))).toBeNull();
  // Another page of the browser finds them as well.
  expect(await createCorrectionStore(() => now).load(fileOf("a"))).not.toBeNull();
  now = 30 * DAY + 1;
  expect(await store.load(fileOf("a"))).toBeNull();
});

it("The newest 20 files are kept, and nothing is kept of a file without corrections", async () => {
  let now = 0;
  const store = createCorrectionStore(() => now);
  for (let i = 0; i < 22; i += 1) {
    now = i;
    await store.save(fileOf(`f${i}`), { corrections: [], decision: "out" });
  }
  await store.load(fileOf("f21"));
  expect(await store.load(fileOf("f1"))).toBeNull();
  expect(await store.load(fileOf("f2"))).toEqual({ at: 2, corrections: [], decision: "out" });
  await store.save(fileOf("f2"), { corrections: [], decision: "ask" });
  expect(await store.load(fileOf("f2"))).toBeNull();
});
