import { beforeEach, expect, test } from "vitest";
import { createFrames } from "../wire/frames.ts";
import type { Acknowledged } from "./inboxes.ts";
import { createPuller, type Puller } from "./puller.ts";
import { createRecentInbox, type RecentInbox } from "./recent-inbox.ts";
import type { InboxEntry, InboxPlaces } from "../wire/records.ts";
import { COMMAND, MetaCodec, MSyncCodec, type SyncDown, SyncDownCodec } from "../wire/wire.ts";

const GROUP = "#1";
let time = 0;
let stored: InboxEntry[] = [];
let asked: InboxPlaces[] = [];
let batches: SyncDown[] = [];
let acknowledged: Acknowledged[] = [];
let recent: RecentInbox;
let puller: Puller;

const metaOf = (id: number, bytes = 1): Uint8Array =>
  MetaCodec.encode({ id: String(id), ns: 1, payload: new Uint8Array(bytes) });
const entry = (owner: string, key: number, id = key, bytes = 1): InboxEntry => ({
  owner,
  key: BigInt(key),
  id: BigInt(id),
  meta: metaOf(id, bytes),
});
const isKnown = ({ meta, ...place }: InboxEntry): void =>
  recent.add({ ...place, sender: "ann", exceptResource: null }, meta);
const news = (upTo: number) => ({ owner: GROUP, upTo: BigInt(upTo) });

beforeEach(() => {
  time = 1000;
  [stored, asked, batches, acknowledged] = [[], [], [], []];
  recent = createRecentInbox({ now: () => time });
  puller = createPuller({
    userName: "bob",
    resource: "web",
    acked: new Map([["bob", 0n]]),
    store: {
      inbox: (_userName, _resource, after, limit) => {
        asked.push(new Map(after));
        const rest = stored.filter(({ owner, key }) => key > (after.get(owner) ?? 0n));
        return Promise.resolve(rest.slice(0, limit));
      },
      unread: () => Promise.resolve(0),
    },
    recent,
    acknowledge: (given) => acknowledged.push(given),
    frames: createFrames("o#a"),
    clock: { now: () => time, setTimeout: () => ({ cancel: () => undefined }) },
    send(bytes) {
      const { command, payload } = MSyncCodec.decode(bytes);
      if (command !== COMMAND.sync) return;
      batches.push(SyncDownCodec.decode(payload ?? new Uint8Array()));
    },
    onDelivered: () => undefined,
  });
});

/** @returns ids of the next batch */
async function pull(key?: string): Promise<number[]> {
  await puller.pull(key === undefined ? {} : { key });
  return (batches.at(-1)?.metas ?? []).map((meta) => Number(meta.id));
}
const keyOf = (n: number): string => batches[n]?.nextKey ?? "";

test("The first pull asks the store, those after a notice do not, and one without a notice is answered at once", async () => {
  expect(await pull()).toEqual([]);
  isKnown(entry(GROUP, 1));
  puller.notify(news(1));
  expect(await pull()).toEqual([1]);
  expect(await pull(keyOf(1))).toEqual([]);
  expect(asked).toHaveLength(1);
  time += 5000;
  expect(await pull()).toEqual([]);
  expect(asked).toHaveLength(2);
});

test("Nothing unread counts as a reading of all inboxes", async () => {
  await puller.unread();
  isKnown(entry(GROUP, 1));
  puller.notify(news(1));
  expect(await pull()).toEqual([1]);
  expect(asked).toEqual([]);
});

test("What is known is sent up to the entry of the notice, so that who is removed gets nothing more", async () => {
  await pull();
  isKnown(entry(GROUP, 1));
  puller.notify(news(1));
  isKnown(entry(GROUP, 2));
  expect(await pull()).toEqual([1]);
  expect(await pull(keyOf(1))).toEqual([]);
});

test("Entries of several inboxes come in the order of the messages, each inbox in its own", async () => {
  await pull();
  isKnown(entry("bob", 1, 20));
  isKnown(entry("bob", 2, 40));
  isKnown(entry(GROUP, 1, 30));
  isKnown(entry(GROUP, 2, 10));
  isKnown(entry(GROUP, 3, 50));
  puller.notify();
  puller.notify(news(3));
  expect(await pull()).toEqual([20, 30, 10, 40, 50]);
  expect(asked).toHaveLength(1);
});

test("A full batch and a large one leave the rest for the next pull", async () => {
  await pull();
  for (let key = 1; key <= 50; key += 1) isKnown(entry(GROUP, key));
  puller.notify(news(50));
  expect(await pull()).toHaveLength(40);
  expect(await pull(keyOf(1))).toEqual([41, 42, 43, 44, 45, 46, 47, 48, 49, 50]);
  for (let key = 51; key <= 53; key += 1) isKnown(entry(GROUP, key, key, 200_000));
  puller.notify(news(53));
  expect(await pull(keyOf(2))).toEqual([51, 52]);
  expect(await pull(keyOf(3))).toEqual([53]);
  expect(asked).toHaveLength(1);
});

test("A key acknowledges its batch and those before it, in each inbox; a key that was not sent acknowledges nothing", async () => {
  stored = [entry("bob", 1, 10), entry(GROUP, 1, 20)];
  await pull();
  stored = [...stored, entry(GROUP, 2, 30)];
  time += 5000;
  await pull();
  await pull("9223372036854775807");
  await pull(String(BigInt(keyOf(1)) - 1n));
  expect(acknowledged).toEqual([]);
  await pull(keyOf(1));
  await pull(keyOf(0));
  const places = new Map([
    ["bob", 1n],
    [GROUP, 2n],
  ]);
  expect(acknowledged).toEqual([{ userName: "bob", resource: "web", places }]);
});

test("Two batches have different keys, even within a millisecond", async () => {
  stored = [entry("bob", 1)];
  await pull();
  isKnown(entry("bob", 2));
  puller.notify();
  await pull();
  expect(keyOf(1)).not.toBe(keyOf(0));
});

test("What is notified while the store answers is not forgotten", async () => {
  const waiting = pull();
  isKnown(entry(GROUP, 1));
  puller.notify(news(1));
  expect(await waiting).toEqual([]);
  expect(await pull()).toEqual([1]);
});
