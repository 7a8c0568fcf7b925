import { IDBFactory } from "fake-indexeddb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRecordingStore } from "./store.ts";

const before = Object.getOwnPropertyDescriptor(globalThis, "indexedDB");
beforeAll(() => {
  Object.defineProperty(globalThis, "indexedDB", {
    value: new IDBFactory(),
    configurable: true,
  });
});
afterAll(() => {
  if (before === undefined) Reflect.deleteProperty(globalThis, "indexedDB");
  else Object.defineProperty(globalThis, "indexedDB", before);
});

it("Parts of two tabs are found in the order in which they were recorded, and only those of the recording", async () => {
  const store = createRecordingStore("test");
  const type = "video/webm";
  await store.begin({ id: "old", name: "早会", startedAt: 1 });
  await store.begin({ id: "new", name: "例会", startedAt: 2 });
  expect((await store.list()).map(({ id }) => id)).toEqual(["new", "old"]);
  await store.segment("new", { at: 500, run: 0, type });
  await store.segment("new", { at: 1000, run: 0, type });
  // Eleven parts: their order is that of numbers, not of texts.
  for (let i = 10; i >= 0; i -= 1) await store.part("new", 1000, i, new Blob([`${i},`]));
  await store.part("new", 500, 0, new Blob(["first"]));
  await store.part("old", 7, 0, new Blob(["other"]));
  const read = await store.read("new");
  expect(read.map(({ segment }) => segment.at)).toEqual([500, 1000]);
  expect(await Promise.all(read.map(({ data }) => data.text()))).toEqual([
    "first",
    "0,1,2,3,4,5,6,7,8,9,10,",
  ]);
  await store.discard("new");
  expect((await store.list()).map(({ id }) => id)).toEqual(["old"]);
  expect(await store.read("new")).toEqual([]);
});
