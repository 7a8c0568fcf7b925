/** A tab that takes over opens devices and a connection while another tab still carries the call. */
import { expect, it } from "vitest";
import { fakeWorld } from "../browser.fake.ts";
import { settle } from "../clock.fake.ts";
import { FakeLock } from "./lock.fake.ts";
import { FakePort } from "./port.fake.ts";
import { createMediaHost } from "./host.ts";

const own = (epoch: number, more: Record<string, unknown> = {}) => ({
  t: "own",
  epoch,
  callId: "call-1",
  media: "video",
  audioMuted: false,
  videoOff: false,
  rtcCfg: { iceServers: [] },
  engine: { kind: "native" },
  ...more,
});

async function waiting() {
  const lock = new FakeLock();
  const owner = await lock.acquire("call-owner", new AbortController().signal);
  const world = fakeWorld({ lock });
  const host = createMediaHost(world.deps);
  const port = new FakePort();
  host.connect(port as unknown as MessagePort);
  port.send(own(2, { ahead: true }));
  await settle();
  return { lock, owner, world, host, port };
}

it("It has devices and an offer before it has the lock, and says owned once it has", async () => {
  const { lock, owner, host, port } = await waiting();
  port.send({ t: "offer", epoch: 2, rtcId: "r2", iceRestart: false });
  await settle();
  expect(port.types).toEqual(expect.arrayContaining(["opened", "description"]));
  expect(port.sentOfType("owned")).toEqual([]);
  expect(host.getState().owning).toBe(false);
  expect(host.claim()).toBeNull();
  owner.release();
  await settle();
  expect(port.sentOfType("owned")).toEqual([{ t: "owned", epoch: 2 }]);
  expect(port.sentOfType("opened")).toHaveLength(1);
  expect(host.getState()).toMatchObject({ owning: true, callId: "call-1", localVideo: true });
  expect(host.claim()).toEqual({ callId: "call-1", ownerEpoch: 2, rtcIds: ["r2"] });
  port.send({ t: "release", epoch: 2 });
  await settle();
  expect(lock.holders).toBe(0);
});

it("When it is not needed, it gives everything back and leaves the lock to the owner", async () => {
  const { lock, owner, world, host, port } = await waiting();
  port.send({ t: "offer", epoch: 2, rtcId: "r2", iceRestart: false });
  await settle();
  port.send({ t: "release", epoch: 2 });
  await settle();
  expect(Object.values(host.debugCounts()).filter((count) => count !== 0)).toEqual([]);
  expect(world.connections.map((each) => each.closed)).toEqual([true]);
  expect(lock.holders).toBe(1);
  owner.release();
  await settle();
  expect(lock.holders).toBe(0);
});

it("A new core, which knows nothing of it, finds it without media", async () => {
  const { owner, host, lock } = await waiting();
  const next = new FakePort();
  host.connect(next as unknown as MessagePort);
  await settle();
  expect(host.claim()).toBeNull();
  expect(Object.values(host.debugCounts()).filter((count) => count !== 0)).toEqual([]);
  owner.release();
  await settle();
  expect(lock.holders).toBe(0);
});
