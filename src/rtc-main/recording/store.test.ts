import { IDBFactory } from "fake-indexeddb";
import { createStore, keys, set } from "idb-keyval";
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
  const store = createRecordingStore(() => "zhangwei", "/order");
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

it("Another person on this browser neither sees, reads nor deletes a recording, and its owner finds it again", async () => {
  let account: string | null = "zhangwei";
  const store = createRecordingStore(() => account, "/owners");
  await store.begin({ id: "r", name: "例会", startedAt: 1 });
  await store.segment("r", { at: 5, run: 0, type: "video/webm" });
  await store.part("r", 5, 0, new Blob(["secret"]));
  for (const other of ["lina", null]) {
    account = other;
    expect(await store.list()).toEqual([]);
    expect(await store.read("r")).toEqual([]);
    await store.discard("r");
    // The tab that continues the recording may not have read the login yet.
    await store.begin({ id: "r", name: "例会", startedAt: 1 });
  }
  await expect(store.begin({ id: "s", name: "例会", startedAt: 1 })).rejects.toMatchObject({
    code: "auth.required",
  });
  account = "zhangwei";
  expect(await store.list()).toEqual([{ id: "r", name: "例会", startedAt: 1 }]);
  expect(await Promise.all((await store.read("r")).map(({ data }) => data.text()))).toEqual([
    "secret",
  ]);
});

it("Consoles below different paths do not share recordings", async () => {
  const one = createRecordingStore(() => "zhangwei", "/one");
  const two = createRecordingStore(() => "zhangwei", "/two");
  await one.begin({ id: "r", name: "例会", startedAt: 1 });
  expect(await two.list()).toEqual([]);
  expect((await one.list()).map(({ id }) => id)).toEqual(["r"]);
});

it("A recording of an earlier build, which names no person, is deleted", async () => {
  const raw = createStore("/old:conference-recordings", "parts");
  await set(["info", "r", 0, 0], { id: "r", name: "例会", startedAt: 1 }, raw);
  await set(["part", "r", 5, 0], new Blob(["secret"]), raw);
  expect(await createRecordingStore(() => "zhangwei", "/old").list()).toEqual([]);
  expect(await keys(raw)).toEqual([]);
});
