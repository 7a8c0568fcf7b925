/** A call of two that becomes a group call: the tab carries the call and the conference together until one of them is released. */
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
const conference = (epoch: number, more: Record<string, unknown> = {}) =>
  own(epoch, { callId: "conference:1", engine: { kind: "conference" }, ...more });

function tab() {
  const lock = new FakeLock();
  const world = fakeWorld({ lock });
  const host = createMediaHost(world.deps);
  const port = new FakePort();
  host.connect(port as unknown as MessagePort);
  return { lock, world, host, port };
}

it("The conference opens beside the call, under the same lock, and the call goes on until it is released", async () => {
  const { lock, world, host, port } = tab();
  port.send(own(1));
  await settle();
  port.send({ t: "offer", epoch: 1, rtcId: "r1", iceRestart: false });
  await settle();
  port.send(conference(2, { beside: true }));
  await settle();
  expect(port.sentOfType("owned")).toEqual([
    { t: "owned", epoch: 1 },
    { t: "owned", epoch: 2 },
  ]);
  expect(lock.holders).toBe(1);
  expect(host.getState()).toMatchObject({ callId: "call-1", localVideo: true });
  expect(host.claim()).toMatchObject({ callId: "call-1", ownerEpoch: 1, rtcIds: ["r1"] });

  // Commands for the call bear its epoch, although that of the conference is newer.
  const answers = (): unknown[] =>
    port
      .sentOfType("samples")
      .map(({ epoch, id }) => `${String(epoch)} ${String(id)}`)
      .toSorted();
  port.send({ t: "sample", epoch: 1, id: "call" });
  port.send({ t: "sample", epoch: 2, id: "conference" });
  await settle();
  expect(answers()).toEqual(["1 call", "2 conference"]);
  expect(world.reports).toEqual([]);

  port.send({ t: "release", epoch: 1 });
  await settle();
  expect(port.sentOfType("released")).toEqual([{ t: "released", epoch: 1 }]);
  expect(lock.holders).toBe(1);
  expect(host.claim()).toMatchObject({ callId: "conference:1", ownerEpoch: 2 });
  port.send({ t: "release", epoch: 2 });
  await settle();
  expect(lock.holders).toBe(0);
  expect(host.claim()).toBeNull();
});

it("When the conference is given up, the call keeps its picture", async () => {
  const { host, port } = tab();
  port.send(own(1));
  port.send(conference(2, { beside: true }));
  await settle();
  port.send({ t: "release", epoch: 2 });
  await settle();
  expect(host.getState()).toMatchObject({ owning: true, callId: "call-1", localVideo: true });
});

it("Without that wish a conference ends the call, as a call ends a conference", async () => {
  const { lock, host, port } = tab();
  port.send(own(1));
  await settle();
  port.send(conference(2));
  await settle();
  expect(host.claim()).toMatchObject({ callId: "conference:1" });
  port.send(own(3));
  await settle();
  expect(host.claim()).toMatchObject({ callId: "call-1", ownerEpoch: 3 });
  expect(lock.holders).toBe(1);
});

it("A tab that takes both over waits once for the lock", async () => {
  const { lock, port } = tab();
  const former = await lock.acquire("call-owner", new AbortController().signal);
  port.send(own(1));
  port.send(conference(2, { beside: true }));
  await settle();
  expect(port.types).toEqual([]);
  former.release();
  await settle();
  expect(port.sentOfType("owned").map(({ epoch }) => epoch)).toEqual([1, 2]);
  port.send({ t: "release", epoch: 1 });
  port.send({ t: "release", epoch: 2 });
  await settle();
  expect(lock.holders).toBe(0);
});

it("A new core finds the call alone", async () => {
  const { host, port, lock } = tab();
  port.send(own(1));
  port.send(conference(2, { beside: true }));
  await settle();
  const next = new FakePort();
  host.connect(next as unknown as MessagePort);
  expect(host.claim()).toMatchObject({ callId: "call-1", ownerEpoch: 1 });
  next.send({ t: "release", epoch: 1 });
  await settle();
  expect(lock.holders).toBe(0);
});
