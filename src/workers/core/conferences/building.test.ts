import { expect, it } from "vitest";
import { createBuilding } from "./building.ts";
import { CONFERENCE_CONFIG } from "./config.ts";
import { joined } from "./conferences.harness.ts";
import type { Connection } from "./connection.ts";

const connection = (key: string, kind: "pub" | "sub" = "sub"): Connection =>
  ({ key, wish: { kind } }) as Connection;

it("A third subscription waits until one of two leaves; a published stream does not wait", () => {
  const building = createBuilding(2);
  const begun: string[] = [];
  const [a, b, c, d] = ["a", "b", "c", "d"].map((key) => connection(key)) as [
    Connection,
    Connection,
    Connection,
    Connection,
  ];
  for (const one of [a, b, c, d, connection("p", "pub")]) {
    building.enter(one, () => begun.push(one.key));
  }
  expect(begun).toEqual(["a", "b", "p"]);
  expect([a, c].map(building.waits)).toEqual([false, true]);
  building.leave(c); // stopped while it waited
  building.leave(a);
  building.leave(a);
  expect(begun).toEqual(["a", "b", "p", "d"]);
});

it("A connection that is built again goes to the end of the line", () => {
  const building = createBuilding(1);
  const begun: string[] = [];
  const [a, b] = [connection("a"), connection("b")];
  const enter = (one: Connection) => building.enter(one, () => begun.push(one.key));
  enter(a);
  enter(b);
  building.leave(a);
  enter(a);
  building.leave(b);
  expect(begun).toEqual(["a", "b", "a"]);
});

it("Six of nine subscriptions are built at once; the others wait without failing, and begin as places become free", async () => {
  const { world, tab } = await joined();
  tab.auto = false;
  const names = Array.from({ length: 9 }, (_, i) => `w${i}`);
  for (const name of names) {
    world.server.enter(name);
    world.server.publish(name, `s-${name}`);
  }
  const asked = () => tab.orders.flatMap((one) => (one.t === "subscribe" ? [one] : []));
  const built = () => new Set(asked().map(({ streamId }) => streamId));
  await world.run(100);
  expect(asked()).toHaveLength(CONFERENCE_CONFIG.buildAtOnce);
  const states = () =>
    Object.values(world.slice.streams)
      .filter(({ located }) => !located)
      .map(({ connection }) => connection);
  expect(states()).toEqual(names.map(() => "connecting"));
  for (const { rtcId } of asked().slice(0, 3)) {
    tab.emitConferenceEvent({ t: "ice", rtcId, state: "connected" });
  }
  await world.run(100);
  expect(built().size).toBe(9);
  // Their time begins with their place: the three are not built again before it is over.
  await world.run(CONFERENCE_CONFIG.iceWaitBuildMillis - 150);
  expect(asked().filter(({ streamId }) => streamId === "s-w8")).toHaveLength(1);
});

it("A subscription whose steps are slow is not built again; after a failed series an attempt has twice the time", async () => {
  const { world, tab } = await joined();
  tab.auto = false;
  world.server.enter("b");
  world.server.publish("b", "sb");
  await world.run(100);
  const attempts = () =>
    tab.orders.flatMap((one) => (one.t === "subscribe" && !one.restart ? [one.rtcId] : []));
  const { iceWaitBuildMillis, iceRebuildIntervalMillis, iceRebuildCount, retryFailedMillis } =
    CONFERENCE_CONFIG;
  await world.run(iceWaitBuildMillis - 500);
  tab.emitConferenceEvent({ t: "ice", rtcId: attempts()[0]!, state: "checking" });
  await world.run(iceWaitBuildMillis - 500);
  expect(attempts()).toHaveLength(1);
  await world.run(1000 + iceRebuildIntervalMillis);
  expect(attempts()).toHaveLength(2);
  // Until the series has failed.
  await world.run(iceRebuildCount * (iceWaitBuildMillis + iceRebuildIntervalMillis));
  expect(attempts()).toHaveLength(1 + iceRebuildCount);
  await world.run(retryFailedMillis);
  const { length } = attempts();
  expect(length).toBe(2 + iceRebuildCount);
  await world.run(2 * iceWaitBuildMillis - 1000);
  expect(attempts()).toHaveLength(length);
  await world.run(2000 + iceRebuildIntervalMillis);
  expect(attempts()).toHaveLength(length + 1);
});
