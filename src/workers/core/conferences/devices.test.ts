/** A conference needs no devices: without them a person can watch and listen, and a device that appears later is published. */
import { expect, it } from "vitest";
import type { DeviceState } from "../../../shared/domain/device-states.ts";
import { CONFERENCE_CONFIG } from "./config.ts";
import { at, createConferenceWorld, ENTRY, joined, own } from "./conferences.harness.ts";

const T1 = at("t1");

/** Joins from a tab with these devices; another member publishes. */
async function joinedWith(devices: Partial<Record<"audio" | "video", DeviceState>>, entry = ENTRY) {
  const world = createConferenceWorld();
  const tab = world.openTab("t1");
  tab.devices = { audio: "on", video: "on", ...devices };
  world.server.role = 3;
  const conferences = world.make();
  const began = conferences.handlers.join({ confrId: "c1", password: "", ...entry }, T1);
  await world.run(200);
  await began;
  world.server.enter("b");
  world.server.publish("b", "sb");
  await world.run(200);
  return { world, tab, handlers: conferences.handlers };
}
type Joined = Awaited<ReturnType<typeof joinedWith>>;
const connectionKinds = ({ tab }: Joined): string[] => [...tab.openConnections.values()].toSorted();
const allow = ({ tab }: Joined): void => {
  tab.devices = { audio: "on", video: "on" };
  tab.capture();
};

it.each(["missing", "denied"] as const)(
  "A member without devices (%s) subscribes, and publishes once the devices are available",
  async (state) => {
    const inside = await joinedWith({ audio: state, video: "missing" });
    const { world } = inside;
    expect(world.slice).toMatchObject({
      status: "joined",
      owner: { tabId: "t1", ready: true },
      local: { microphone: state, camera: "missing", publishing: true },
      streams: { sb: { connection: "connected" } },
    });
    expect(connectionKinds(inside)).toEqual(["subscribe"]);
    expect(world.server.requestsOfOp(102)).toMatchObject([{ subSId: "sb" }]);
    allow(inside);
    await world.run(200);
    expect(connectionKinds(inside)).toEqual(["publish", "subscribe"]);
    expect(own(world)).toMatchObject({ voff: 0, aoff: 0, connection: "connected" });
  },
);

it("A permission prompt that stays open for ten minutes delays only the own stream", async () => {
  const inside = await joinedWith({ audio: "asking", video: "asking" });
  const { world } = inside;
  await world.run(10 * 60_000);
  expect(world.slice).toMatchObject({
    status: "joined",
    owner: { tabId: "t1", epoch: 1 },
    streams: { sb: { connection: "connected" } },
  });
  expect([connectionKinds(inside), world.notices]).toEqual([["subscribe"], []]);
  allow(inside);
  await world.run(200);
  expect(own(world)).toMatchObject({ voff: 0, aoff: 0, connection: "connected" });
});

it("A microphone without a camera is published, and the others see that there is no picture", async () => {
  const inside = await joinedWith({ video: "missing" });
  expect(connectionKinds(inside)).toEqual(["publish", "subscribe"]);
  expect(own(inside.world)).toMatchObject({ voff: 1, aoff: 0 });
});

it("A device that the system silences stays published, and the others see it as muted until it is heard again", async () => {
  const inside = await joinedWith({ video: "missing" });
  const { world, tab } = inside;
  tab.devices = { audio: "system-muted", video: "missing" };
  tab.capture();
  await world.run(200);
  expect(connectionKinds(inside)).toEqual(["publish", "subscribe"]);
  expect(own(world)).toMatchObject({ voff: 1, aoff: 1, connection: "connected" });
  expect(world.slice.local).toMatchObject({ audioMuted: false, microphone: "system-muted" });
  tab.devices = { audio: "on", video: "missing" };
  tab.capture();
  await world.run(200);
  expect(own(world)).toMatchObject({ voff: 1, aoff: 0 });
});

it("A member who only watches opens no device, and can turn on each device later", async () => {
  const inside = await joinedWith({}, { ...ENTRY, publish: false });
  const { world, handlers } = inside;
  expect(world.slice.local).toMatchObject({ microphone: "off", camera: "off", publishing: false });
  expect(connectionKinds(inside)).toEqual(["subscribe"]);
  await handlers.setLocal({ videoOff: false, publish: true }, T1);
  await world.run(200);
  expect(world.slice.local).toMatchObject({ microphone: "off", camera: "on" });
  expect(own(world)).toMatchObject({ voff: 0, aoff: 1 });
  await handlers.setLocal({ audioMuted: false, publish: true }, T1);
  await world.run(200);
  expect(own(world)).toMatchObject({ voff: 0, aoff: 0 });
});

it("Turning on a failed device opens it again; a mute does not", async () => {
  const { tab, world, handlers } = await joinedWith({ audio: "denied" });
  await handlers.setLocal({ videoOff: true }, T1);
  expect(tab.retries).toBe(0);
  tab.devices = { audio: "on", video: "on" };
  await handlers.setLocal({ audioMuted: false, publish: true }, T1);
  await world.run(100);
  expect([tab.retries, world.slice.local.microphone]).toEqual([1, "on"]);
});

it("Devices that open quickly in the next owner tab are never shown as off to the others", async () => {
  const { world, tab } = await joined();
  const id = own(world)?.id;
  const second = world.openTab("t2");
  second.devices = { audio: "asking", video: "asking" };
  world.closeTab(tab);
  await world.run(500);
  second.devices = { audio: "on", video: "on" };
  second.capture();
  await world.run(3_000);
  expect(world.server.requestsOfOp(400)).toEqual([]);
  expect(own(world)).toMatchObject({ id, connection: "connected", voff: 0, aoff: 0 });
});

it("While the next owner tab waits for permission, the stream stays and is shown as off", async () => {
  const { world, tab } = await joined();
  const second = world.openTab("t2");
  second.devices = { audio: "asking", video: "asking" };
  world.closeTab(tab);
  await world.run(CONFERENCE_CONFIG.promptMillis + 500);
  expect(own(world)).toMatchObject({ connection: "connected", voff: 1, aoff: 1 });
  second.devices = { audio: "on", video: "on" };
  second.capture();
  await world.run(200);
  expect(own(world)).toMatchObject({ connection: "connected", voff: 0, aoff: 0 });
});

it("A camera that the server refuses is turned off again, and a notice gives the reason", async () => {
  const { world, handlers } = await joinedWith({}, { ...ENTRY, videoOff: true });
  world.server.refuse[400] = { result: -504, endReason: 23, msg: "" };
  await handlers.setLocal({ videoOff: false, publish: true }, T1);
  await world.run(200);
  expect(world.slice.local).toMatchObject({ videoOff: true, camera: "off" });
  expect(world.notices).toEqual(["会议的视频路数已满，未能发布画面"]);
});

it("A conference that has reached its limit of pictures still accepts the sound", async () => {
  const world = createConferenceWorld();
  world.openTab("t1");
  world.server.role = 3;
  const full = [{ result: -405, endReason: 23, msg: "full" }];
  Object.defineProperty(world.server.refuse, 102, { get: () => full.shift() });
  const conferences = world.make();
  const began = conferences.handlers.join({ confrId: "c1", password: "", ...ENTRY }, T1);
  await world.run(400);
  await began;
  expect(world.notices).toEqual(["会议的视频路数已满，未能发布画面"]);
  expect(own(world)).toMatchObject({ voff: 1, aoff: 0, connection: "connected" });
});

it("A member who becomes an admin while all are muted stays muted until the person turns the microphone on", async () => {
  const { world, handlers } = await joinedWith({});
  world.server.sendFrame({ op: 402, cattrs: [], cstate: { muteAll: true } });
  await world.run(100);
  world.server.change("me", { role: 7 });
  await world.run(100);
  expect(world.slice.local.audioMuted).toBe(true);
  await handlers.setLocal({ audioMuted: false, publish: true }, T1);
  await world.run(100);
  expect(own(world)).toMatchObject({ aoff: 0 });
});
