import { expect, it } from "vitest";
import { coversRow } from "../../shared/domain/conference-catalogue.harness.ts";
import { FakePort, fakeWorld, settle } from "../browser.fake.ts";
import { createMediaHost } from "../owner/host.ts";

async function carrying() {
  const world = fakeWorld();
  const host = createMediaHost(world.deps);
  const port = new FakePort();
  host.connect(port as unknown as MessagePort);
  const own = async (more: Record<string, unknown> = {}): Promise<void> => {
    port.send({
      t: "own",
      epoch: 1,
      callId: "c1",
      media: "video",
      audioMuted: false,
      videoOff: false,
      rtcCfg: { iceServers: [] },
      engine: { kind: "conference" },
      ...more,
    });
    await settle();
  };
  world.devices.list = [
    { kind: "audioinput", deviceId: "audio-1", label: "Built in" },
    { kind: "videoinput", deviceId: "video-1", label: "Front" },
    { kind: "videoinput", deviceId: "video-2", label: "Back" },
  ];
  const open = () => world.devices.tracks.filter(({ stopped }) => !stopped);
  return { world, host, port, own, open };
}

it("lists what there is of a kind and which one is in use", async () => {
  const { host, own } = await carrying();
  await own();
  expect(await host.mediaDevices("videoinput")).toEqual([
    { deviceId: "video-1", label: "Front", current: true },
    { deviceId: "video-2", label: "Back", current: false },
  ]);
  await host.changeDevice("videoinput", "video-2");
  expect((await host.mediaDevices("videoinput")).map(({ current }) => current)).toEqual([
    false,
    true,
  ]);
});

it(
  coversRow(
    "stream.rollback",
    "a device that cannot be opened leaves the former one in use, and says why",
  ),
  async () => {
    const { world, host, own, open } = await carrying();
    await own();
    const before = open();
    world.devices.refuse = { "video-2": "NotFoundError" };
    await expect(host.changeDevice("videoinput", "video-2")).rejects.toMatchObject({
      code: "media.no-device",
    });
    expect(open()).toEqual(before);
    expect((await host.mediaDevices("videoinput"))[0]).toMatchObject({ current: true });
  },
);

it("where one camera is open at a time the former is let go first, and taken again when that fails", async () => {
  const { world, host, own, open } = await carrying();
  await own();
  world.devices.exclusive = true;
  await host.changeDevice("videoinput", "video-2");
  const video = () => open().filter(({ kind }) => kind === "video");
  expect(video().map(({ settings }) => settings.deviceId)).toEqual(["video-2"]);
  world.devices.refuse = { "video-3": "NotReadableError" };
  await expect(host.changeDevice("videoinput", "video-3")).rejects.toMatchObject({
    code: "media.device-busy",
  });
  expect(video().map(({ settings }) => settings.deviceId)).toEqual(["video-2"]);
});

it("a camera that is off stays off, and comes on as the chosen one", async () => {
  const { world, host, port, own, open } = await carrying();
  await own({ videoOff: true });
  await host.changeDevice("videoinput", "video-2");
  expect(open().map(({ kind }) => kind)).toEqual(["audio"]);
  port.send({ t: "local", epoch: 1, audioMuted: false, videoOff: false });
  await settle();
  expect(world.devices.constraints.at(-1)?.video).toMatchObject({
    deviceId: { ideal: "video-2" },
  });
});

it("what is chosen before anything is carried is what is opened", async () => {
  const { world, host, own } = await carrying();
  await host.changeDevice("audioinput", "audio-9");
  await host.changeCameraTo("environment");
  await own();
  expect(world.devices.constraints[0]).toMatchObject({
    audio: { deviceId: { ideal: "audio-9" } },
    video: { facingMode: { ideal: "environment" } },
  });
});

it("the other side's camera of a phone is asked for by its side", async () => {
  const { world, host, own } = await carrying();
  await own();
  await host.changeCameraTo("environment");
  expect(world.devices.constraints.at(-1)?.video).toMatchObject({
    facingMode: { exact: "environment" },
  });
});
