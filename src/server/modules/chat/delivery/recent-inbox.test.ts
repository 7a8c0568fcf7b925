import { beforeEach, expect, test } from "vitest";
import { createRecentInbox, type RecentInbox } from "./recent-inbox.ts";

const META = new Uint8Array([1]);
let time = 0;
let recent: RecentInbox;

beforeEach(() => {
  time = 0;
  recent = createRecentInbox({ now: () => time });
});

const add = (key: number, exceptResource: string | null = null): void =>
  recent.add(
    { owner: "bob", key: BigInt(key), id: BigInt(key), sender: "bob", exceptResource },
    META,
  );
const after = (key: number, resource = "web", upTo: bigint | null = null): number[] | undefined =>
  recent
    .after("bob", { userName: "bob", resource }, BigInt(key), upTo, 40)
    ?.map((entry) => Number(entry.key));

test("Entries after a place are known from the first one that was added", () => {
  expect(after(0)).toBeUndefined();
  add(7);
  add(8);
  expect(after(6)).toEqual([7, 8]);
  expect(after(7)).toEqual([8]);
  expect(after(8)).toEqual([]);
  expect(after(5)).toBeUndefined();
});

test("A gap forgets what came before it", () => {
  add(7);
  add(9);
  expect(after(7)).toBeUndefined();
  expect(after(8)).toEqual([9]);
});

test("A device does not get what it sent itself", () => {
  add(1, "web");
  add(2);
  expect(after(0)).toEqual([2]);
  expect(after(0, "phone")).toEqual([1, 2]);
});

test("In the inbox of a group, the device of another member with the same name gets the message", () => {
  recent.add({ owner: "#1", key: 1n, id: 1n, sender: "ann", exceptResource: "web" }, META);
  const entriesFor = (userName: string) =>
    recent.after("#1", { userName, resource: "web" }, 0n, null, 40)?.length;
  expect([entriesFor("ann"), entriesFor("bob")]).toEqual([0, 1]);
});

test("A device gets nothing beyond the entry of its notice, and the store is asked when that entry is not known", () => {
  add(1);
  add(2);
  add(3);
  expect(after(0, "web", 2n)).toEqual([1, 2]);
  expect(after(2, "web", 2n)).toEqual([]);
  expect(after(0, "web", 4n)).toBeUndefined();
});

test("An entry that comes late changes nothing", () => {
  add(7);
  add(8);
  add(7);
  add(5);
  expect(after(6)).toEqual([7, 8]);
});

test("A batch ends at the limit", () => {
  for (let key = 1; key <= 60; key += 1) add(key);
  expect(after(0)).toHaveLength(40);
  expect(after(40)).toHaveLength(20);
});

test("Two hundred entries are kept", () => {
  for (let key = 1; key <= 201; key += 1) add(key);
  expect(after(0)).toBeUndefined();
  expect(after(1)?.at(0)).toBe(2);
});

test("Entries are forgotten five seconds after the newest", () => {
  add(1);
  time = 4999;
  expect(after(0)).toEqual([1]);
  time = 5000;
  expect(after(0)).toBeUndefined();
  add(2);
  expect(after(1)).toEqual([2]);
  expect(after(0)).toBeUndefined();
});

test("A user can be forgotten", () => {
  add(1);
  recent.forget("bob");
  expect(after(0)).toBeUndefined();
});

test("Everything is forgotten when it takes too many bytes, and what was dropped before does not count", () => {
  recent = createRecentInbox({ now: () => time }, 1000);
  const big = new Uint8Array(400);
  const put = (userName: string, key: number): void =>
    recent.add(
      { owner: userName, key: BigInt(key), id: BigInt(key), sender: "ann", exceptResource: null },
      big,
    );
  const knows = (userName: string): boolean =>
    recent.after(userName, { userName, resource: "web" }, 0n, null, 40) !== undefined;
  put("bob", 1);
  put("eva", 1);
  expect([knows("bob"), knows("eva")]).toEqual([true, true]);
  put("tom", 1);
  expect([knows("bob"), knows("eva"), knows("tom")]).toEqual([false, false, true]);
  for (let n = 0; n < 5; n += 1) {
    recent.forget("eva");
    put("eva", 1);
  }
  expect(knows("tom")).toBe(true);
  // A gap drops what came before it.
  for (let key = 3; key < 20; key += 2) put("eva", key);
  expect(knows("tom")).toBe(true);
});
