/** The media move to another tab: its connection stands before the former one ends, on both sides of the call. */
import { afterEach, describe, expect, it } from "vitest";
import { OP } from "../../../shared/protocol/signalling.ts";
import { createWorld, type Person, type World } from "./call.harness.ts";
import type { FakeTab } from "./tab.fake.ts";

let world: World;
let people: Person[] = [];
async function connected(who: "caller" | "callee") {
  world = createWorld();
  const a = world.person("ann");
  const b = world.person("bob");
  people = [a, b];
  void a.start("bob");
  await world.run(100);
  await b.answer();
  await world.run(300);
  expect([a.call.connection, b.call.connection]).toEqual(["connected", "connected"]);
  const [ownSide, other] = who === "caller" ? [a, b] : [b, a];
  return { ownSide, other, w: world, rtcId: [...ownSide.first.rtcIds][0]! };
}
const relayed = (w: World, op: number) => w.server.relayed.filter(({ body }) => body.op === op);
/** Begins a move whose connection is negotiated and not yet up. */
async function half(ownSide: Person, w: World): Promise<{ second: FakeTab; rtcId: string }> {
  const second = ownSide.addTab("second", 5);
  w.net.up = false;
  await ownSide.bringHere("second");
  await w.run(300);
  return { second, rtcId: [...second.rtcIds][0]! };
}

afterEach(async () => {
  for (const person of people) await person.hangup();
  await world.run(12_000);
  expect(world.server.sockets.size).toBe(0);
  expect(world.clock.pending).toBe(0);
  for (const person of people) person.calls.stop();
});

for (const who of ["caller", "callee"] as const) {
  describe(`the ${who} moves`, () => {
    it("The former connection carries the call until the new one brings sound and picture", async () => {
      const { ownSide, other, w, rtcId: former } = await connected(who);
      const { second, rtcId } = await half(ownSide, w);
      expect(second.commandsOfType("own")).toMatchObject([{ epoch: 2, ahead: true }]);
      expect(ownSide.first.commandsOfType("release")).toEqual([]);
      expect(ownSide.call).toMatchObject({
        owner: { tabId: ownSide.first.tabId, epoch: 1, ready: true },
        connection: "connected",
      });
      expect([...other.first.rtcIds]).toEqual([former, rtcId]);

      // Up, but without sound and picture yet.
      w.net.up = true;
      w.net.mute.add("video");
      w.net.complete(rtcId);
      await w.run(300);
      expect(other.first.commandsOfType("close")).toEqual([]);
      expect(ownSide.first.commandsOfType("release")).toEqual([]);

      other.first.emit({ t: "first-media", rtcId, kind: "video", at: 0 });
      await w.run(100);
      expect(other.first.commandsOfType("close").map((command) => command.rtcId)).toEqual([former]);
      expect(relayed(w, OP.flows).map(({ body }) => body)).toEqual([{ op: OP.flows, rtcId }]);
      expect(ownSide.first.commandsOfType("release")).toEqual([{ t: "release", epoch: 1 }]);
      expect(ownSide.call).toMatchObject({
        owner: { tabId: "second", epoch: 2, ready: true },
        connection: "connected",
      });
      expect(other.call.connection).toBe("connected");

      // What follows goes to the new tab.
      await ownSide.setLocal({ audioMuted: true });
      expect(second.commandsOfType("local")).toMatchObject([{ epoch: 2, audioMuted: true }]);
    });

    it("With a client that does not say so, the move ends 2 s after the connection is up", async () => {
      const { ownSide, other, w } = await connected(who);
      w.net.mute.add("audio").add("video");
      ownSide.addTab("second", 5);
      await ownSide.bringHere("second");
      await w.run(1_900);
      expect(ownSide.call.owner).toMatchObject({ epoch: 1, ready: true });
      await w.run(400);
      expect(ownSide.call.owner).toEqual({ tabId: "second", epoch: 2, ready: true });
      expect([...other.first.rtcIds]).toHaveLength(1);
      expect(relayed(w, OP.flows)).toEqual([]);
    });

    it("A camera that is off is not waited for", async () => {
      const { ownSide, other, w } = await connected(who);
      await ownSide.setLocal({ videoOff: true });
      await w.run(100);
      w.net.mute.add("video");
      ownSide.addTab("second", 5);
      await ownSide.bringHere("second");
      await w.run(500);
      expect(ownSide.call.owner).toEqual({ tabId: "second", epoch: 2, ready: true });
      expect([...other.first.rtcIds]).toHaveLength(1);
    });

    it("When the owner's tab dies meanwhile, the other tab goes on with its connection", async () => {
      const { ownSide, w } = await connected(who);
      const { second, rtcId } = await half(ownSide, w);
      ownSide.leaveTab(ownSide.first);
      expect(ownSide.call).toMatchObject({
        owner: { tabId: "second", epoch: 2, ready: true },
        connection: "restarting",
      });
      w.net.up = true;
      w.net.complete(rtcId);
      await w.run(100);
      expect(ownSide.call.connection).toBe("connected");
      expect(second.commandsOfType("own")).toHaveLength(1);
    });

    it("When the tab that takes over dies, the owner goes on, with a connection that both sides have", async () => {
      const { ownSide, other, w } = await connected(who);
      const { second, rtcId } = await half(ownSide, w);
      w.net.up = true;
      w.net.mute.add("video");
      w.net.complete(rtcId);
      await w.run(100);
      w.net.mute.clear();
      ownSide.leaveTab(second);
      await w.run(3_000);
      expect(ownSide.call.owner).toEqual({ tabId: ownSide.first.tabId, epoch: 1, ready: true });
      expect([ownSide.call.connection, other.call.connection]).toEqual(["connected", "connected"]);
      expect([...ownSide.first.rtcIds]).toEqual([...other.first.rtcIds]);
      expect([...ownSide.first.rtcIds]).toHaveLength(1);
    });

    it("A tab that does not carry the media within 10 s gives them up", async () => {
      const { ownSide, w } = await connected(who);
      const { second } = await half(ownSide, w);
      await w.run(10_000);
      expect(second.commandsOfType("release")).toEqual([{ t: "release", epoch: 2 }]);
      expect(ownSide.call).toMatchObject({
        owner: { tabId: ownSide.first.tabId, epoch: 1, ready: true },
      });
      expect(ownSide.store.notices.map(({ key }) => key)).toContain("media.open-failed");
      w.net.up = true;
    });

    it("A core that restarts meanwhile goes on with the owner's connection", async () => {
      const { ownSide, w, rtcId } = await connected(who);
      await half(ownSide, w);
      ownSide.crashCore();
      w.net.up = true;
      ownSide.startCore();
      ownSide.joinTab(ownSide.first);
      await w.run(500);
      expect(ownSide.call).toMatchObject({
        owner: { tabId: ownSide.first.tabId, epoch: 1, ready: true },
        connection: "connected",
      });
      expect([...ownSide.first.rtcIds]).toContain(rtcId);
    });
  });
}

it("Both sides move at the same moment: one connection remains, between the new tabs", async () => {
  const { ownSide, other, w } = await connected("caller");
  const ownNext = ownSide.addTab("own-2", 5);
  const otherNext = other.addTab("other-2", 5);
  await Promise.all([ownSide.bringHere("own-2"), other.bringHere("other-2")]);
  await w.run(4_000);
  expect([ownSide.call.owner?.tabId, other.call.owner?.tabId]).toEqual(["own-2", "other-2"]);
  expect([ownSide.call.connection, other.call.connection]).toEqual(["connected", "connected"]);
  expect([...ownNext.rtcIds]).toEqual([...otherNext.rtcIds]);
  expect([...ownNext.rtcIds]).toHaveLength(1);
  expect([ownSide.first.epoch, other.first.epoch]).toEqual([null, null]);
});
