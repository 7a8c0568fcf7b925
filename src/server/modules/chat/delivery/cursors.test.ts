import pino from "pino";
import { expect, test } from "vitest";
import { createCursors } from "./cursors.ts";
import type { Acknowledged } from "./inboxes.ts";

const log = pino({ level: "silent" });
const acknowledged = (resource: string, key: number, owner = "bob"): Acknowledged => ({
  userName: "bob",
  resource,
  places: new Map([[owner, BigInt(key)]]),
});

/** A store whose statements end by hand. */
function slowStore() {
  const batches: (readonly Acknowledged[])[] = [];
  const ends: { resolve(): void; reject(error: Error): void }[] = [];
  return {
    batches,
    ends,
    acknowledge(batch: readonly Acknowledged[]): Promise<void> {
      batches.push(batch);
      return new Promise((resolve, reject) => ends.push({ resolve, reject }));
    },
    openCursor: () => Promise.resolve(new Map([["bob", 5n]])),
  };
}

test("Acknowledgements that arrive during a statement go into the next one, the newest of each device", async () => {
  const store = slowStore();
  const cursors = createCursors({ store, clock: { now: () => 1 }, log });
  cursors.acknowledge(acknowledged("web", 1));
  cursors.acknowledge(acknowledged("web", 2));
  cursors.acknowledge(acknowledged("web", 3));
  cursors.acknowledge(acknowledged("phone", 2));
  expect(store.batches).toEqual([[acknowledged("web", 1)]]);
  store.ends[0]?.resolve();
  await expect.poll(() => store.batches).toHaveLength(2);
  expect(store.batches[1]).toEqual([acknowledged("web", 3), acknowledged("phone", 2)]);
  store.ends[1]?.resolve();
  await cursors.drain();
});

test("The places of one device in several inboxes go into one statement", async () => {
  const store = slowStore();
  const cursors = createCursors({ store, clock: { now: () => 1 }, log });
  cursors.acknowledge(acknowledged("web", 1));
  cursors.acknowledge(acknowledged("web", 2));
  cursors.acknowledge(acknowledged("web", 7, "#1"));
  cursors.acknowledge(acknowledged("web", 8, "#1"));
  store.ends[0]?.resolve();
  await expect.poll(() => store.batches).toHaveLength(2);
  const places = new Map([
    ["bob", 2n],
    ["#1", 8n],
  ]);
  expect(store.batches[1]).toEqual([{ userName: "bob", resource: "web", places }]);
  store.ends[1]?.resolve();
  await cursors.drain();
});

test("A device is opened after what was acknowledged is stored", async () => {
  const store = slowStore();
  const cursors = createCursors({ store, clock: { now: () => 1 }, log });
  cursors.acknowledge(acknowledged("web", 1));
  let opened: bigint | undefined;
  const opening = cursors.open("bob", "web").then((places) => (opened = places.get("bob")));
  await Promise.resolve();
  expect(opened).toBeUndefined();
  store.ends[0]?.resolve();
  await opening;
  expect(opened).toBe(5n);
});

test("A failed statement does not stop the next ones", async () => {
  const store = slowStore();
  const cursors = createCursors({ store, clock: { now: () => 1 }, log });
  cursors.acknowledge(acknowledged("web", 1));
  store.ends[0]?.reject(new Error("the database is away"));
  await cursors.drain();
  cursors.acknowledge(acknowledged("web", 2));
  expect(store.batches).toEqual([[acknowledged("web", 1)], [acknowledged("web", 2)]]);
  store.ends[1]?.resolve();
  await cursors.drain();
});
