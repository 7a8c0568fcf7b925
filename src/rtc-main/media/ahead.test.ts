import { beforeEach, expect, it } from "vitest";
import { settle } from "../clock.fake.ts";
import { createTally } from "../tally.ts";
import { createDevicesAhead } from "./ahead.ts";
import { FakeDevices, FakePermission } from "./devices.fake.ts";
import { constraintsOf } from "./open.ts";

let devices: FakeDevices;
let permission: FakePermission;
const made = () => {
  const tally = createTally();
  const ahead = createDevicesAhead(devices as never, permission, {}, tally);
  return { ahead, tally };
};
const both = constraintsOf(["audio", "video"], {});

beforeEach(() => {
  devices = new FakeDevices();
  permission = new FakePermission();
  permission.allow("audio");
  permission.allow("video");
});

it("Devices of a ringing call are open and disabled, and the answer gets the same ones enabled", async () => {
  const { ahead, tally } = made();
  ahead.open("video");
  await settle();
  expect(devices.tracks.map(({ kind, enabled }) => [kind, enabled])).toEqual([
    ["audio", false],
    ["video", false],
  ]);
  const stream = await ahead.port!.getUserMedia(both);
  expect(stream.getTracks()).toEqual(devices.tracks);
  expect(devices.tracks.every(({ enabled, stopped }) => enabled && !stopped)).toBe(true);
  expect(devices.asked).toEqual(["audio+video"]);
  ahead.open(null);
  expect(devices.tracks.some(({ stopped }) => stopped)).toBe(false);
  expect(tally.read().tracks).toBe(0);
});

it("They end when nobody answers here, also when they open later than that", async () => {
  const { ahead, tally } = made();
  ahead.open("video");
  ahead.open(null);
  await settle();
  expect(devices.tracks.map(({ stopped }) => stopped)).toEqual([true, true]);
  expect(tally.read().tracks).toBe(0);
});

for (const kind of ["audio", "video"] as const) {
  it(`Nothing opens before the person has allowed ${kind}`, async () => {
    permission.states[kind] = "prompt";
    const { ahead } = made();
    ahead.open("video");
    await settle();
    expect(devices.asked).toEqual([]);
    await ahead.port!.getUserMedia(both);
    expect(devices.asked).toEqual(["audio+video"]);
  });
}

it("A call by voice opens no camera", async () => {
  const { ahead } = made();
  ahead.open("voice");
  await settle();
  expect(devices.asked).toEqual(["audio"]);
});

it("An answer that asks for other devices gets those, and the ones that were open end", async () => {
  const { ahead } = made();
  ahead.open("video");
  await settle();
  await ahead.port!.getUserMedia(constraintsOf(["audio"], {}));
  await settle();
  expect(devices.asked).toEqual(["audio+video", "audio"]);
  expect(devices.tracks.map(({ stopped }) => stopped)).toEqual([true, true, false]);
});

it("Devices that fail are tried again by the answer, which reports why", async () => {
  devices.refuse = { "audio+video": "NotReadableError" };
  const { ahead } = made();
  ahead.open("video");
  await settle();
  await expect(ahead.port!.getUserMedia(both)).rejects.toMatchObject({ name: "NotReadableError" });
  expect(devices.asked).toHaveLength(2);
});
