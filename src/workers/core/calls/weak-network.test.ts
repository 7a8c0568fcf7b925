/** A call of two on a weak network: what the owner tab is asked for, and what both sides see (docs/calls.md#weak-network). */
import { expect, it } from "vitest";
import type { StreamSample } from "../../../shared/protocol/qoe.ts";
import { createWorld, type Person } from "./call.harness.ts";

async function calling() {
  const world = createWorld();
  const a = world.person("ann");
  const b = world.person("bob");
  const starting = a.start(b.user);
  await world.run(100);
  await starting;
  await b.answer();
  await world.run(300);
  expect([a.call.connection, b.call.connection]).toEqual(["connected", "connected"]);
  let at = 1_700_000_000_000;
  let packets = 0;
  let lost = 0;
  /** Polls of Bob's owner tab, each 2000 ms after the last. */
  const polls = async (times: number, loss: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) {
      at += 2000;
      packets += 100;
      lost += loss;
      const sample = { rtcId: "r1", direction: "local", kind: "audio", at, packets };
      b.first.emit({
        t: "samples",
        id: `s${at}`,
        samples: [{ ...sample, packetsLost: lost } as StreamSample],
      });
    }
    await world.run(50);
  };
  const levels = (person: Person) =>
    person.first.commandsOfType("picture").map(({ level }) => level);
  return { world, a, b, polls, levels };
}

it("The picture gives way and comes back, and both sides see it", async () => {
  const { world, a, b, polls, levels } = await calling();
  await polls(10, 10);
  expect([b.call.local.picture, a.call.remote.picture]).toEqual(["small", "small"]);
  await polls(10, 40);
  expect([b.call.local.picture, a.call.remote.picture]).toEqual(["off", "off"]);
  expect(a.call.remote).toMatchObject({ audioMuted: false, videoOff: false });
  await polls(40, 0);
  expect([b.call.local.picture, a.call.remote.picture]).toEqual(["full", "full"]);
  expect([levels(b), levels(a)]).toEqual([["small", "off", "small", "full"], []]);
  expect(a.call.local.picture).toBeUndefined();
  await a.hangup();
  await world.run(12_000);
  for (const { calls } of [a, b]) calls.stop();
});

it("A camera that is off ends the ladder, and the next call begins with the whole picture", async () => {
  const { world, a, b, polls, levels } = await calling();
  await polls(10, 10);
  await b.setLocal({ videoOff: true });
  await polls(1, 10);
  expect([b.call.local.picture, levels(b)]).toEqual(["full", ["small", "full"]]);
  await a.hangup();
  await world.run(12_000);
  expect(b.call.local.picture).toBeUndefined();
  for (const { calls } of [a, b]) calls.stop();
});
