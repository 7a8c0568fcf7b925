import pino from "pino";
import { expect, test } from "vitest";
import { createLocalBus } from "../../../base/cluster/bus.ts";
import { createGroupDelivery } from "./group-delivery.ts";
import type { Roster } from "../groups/facts.ts";
import type { GroupNews } from "./hub.ts";
import { createRecentInbox } from "./recent-inbox.ts";
import type { Written } from "../wire/records.ts";

const log = pino({ level: "silent" });
const GROUP = "#1";
const META = new Uint8Array([1]);

/** @param roster what the store answers when it is asked */
function world(roster: () => Promise<Roster | null>) {
  const inbox = createRecentInbox({ now: () => 0 });
  const noticed: (readonly [names: readonly string[], news: GroupNews | undefined])[] = [];
  const delivery = createGroupDelivery({
    bus: createLocalBus(log),
    log,
    node: "here",
    inbox,
    roster,
    hub: { notifyHere: (names, news) => void noticed.push([[...names], news]) },
  });
  /** @param version of the group's members when the message entered its inbox */
  const write = (key: bigint, version: number): void => {
    const written = {
      outgoing: { recalls: null },
      meta: META,
      roster: version,
      places: [{ owner: GROUP, key, id: key, sender: "alice", exceptResource: null }],
    };
    delivery.deliver([written as unknown as Written]);
  };
  const readBy = (userName: string) =>
    inbox.after(GROUP, { userName, resource: "web" }, 0n, null, 40)?.map(({ key }) => Number(key));
  return { delivery, noticed, write, readBy };
}

test("Members get what is written, from the cache", async () => {
  const { delivery, noticed, write, readBy } = world(async () => ({
    version: 1,
    names: new Set(["alice", "bob"]),
  }));
  write(1n, 1);
  write(2n, 1);
  await delivery.close();
  expect(noticed.map(([names, news]) => [names, news?.upTo])).toEqual([
    [["alice", "bob"], 1n],
    [["alice", "bob"], 2n],
  ]);
  expect(readBy("bob")).toEqual([1, 2]);
});

test("Who enters while a message is delivered does not get it from the cache, where everybody may read", async () => {
  // The members are read after carol has entered, though the message was written before.
  const { delivery, write, readBy } = world(async () => ({
    version: 2,
    names: new Set(["alice", "bob", "carol"]),
  }));
  write(1n, 1);
  write(2n, 2);
  await delivery.close();
  // undefined: only the store knows, and it knows since when carol is a member.
  expect(readBy("carol")).toBeUndefined();
});

test("After a change of the members the cache begins again", async () => {
  let version = 1;
  const { delivery, write, readBy } = world(async () => ({ version, names: new Set(["alice"]) }));
  write(1n, 1);
  await new Promise(setImmediate);
  version = 2;
  write(2n, 2);
  await delivery.close();
  expect(readBy("alice")).toBeUndefined();
});

test("A group that is gone leaves nothing in the cache", async () => {
  const { delivery, noticed, write, readBy } = world(async () => null);
  write(1n, 1);
  await delivery.close();
  expect(readBy("alice")).toBeUndefined();
  expect(noticed.map(([names]) => names)).toEqual([[]]);
});
